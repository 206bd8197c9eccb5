import Columns

/// Primary keys that tables have no room for, and links to them, in scratch space until all have come.
///
/// Sorted by class and digest, an object comes before the links to it, and beside others of the same primary key. A link has a number
/// by which it is asked for then.
final class KeyLog {
    /// The number of the first link; numbers below it are those of tickets.
    static let firstLink = 1 << 40
    /// Added to the number of a link, so that objects sort before it.
    private static let linkMark: Int64 = 1 << 62
    private static let runRecords = 1 << 17

    private let store: any SegmentStore
    private let runRecords: Int
    private var records: RecordSorter
    /// Where the object of each link stands.
    private var offsets: ScratchNumbers
    private var linkCount = 0
    /// The reason why scratch space took no more.
    private var failure: (any Error)?

    /// - Parameter runRecords: keys and links that are sorted at once.
    init(_ store: any SegmentStore, runRecords: Int = KeyLog.runRecords) {
        self.store = store
        self.runRecords = min(runRecords, Self.runRecords)
        records = RecordSorter(runRecords: self.runRecords, store: store)
        offsets = ScratchNumbers(store)
    }

    /// Takes the primary key of an object.
    func add(row: Int64, _ digest: PrimaryKeyDigest, ofClass number: Int) {
        add(SortedRecord(group: Int64(number), low: digest.low, high: digest.high, value: row))
    }

    /// Takes a ticket that a table has.
    func add(ticket: Int, _ digest: PrimaryKeyDigest, ofClass number: Int) {
        add(
            SortedRecord(
                group: Int64(number), low: digest.low, high: digest.high, value: Int64(ticket) | Self.linkMark))
    }

    /// Takes a link, and gives its number.
    func addLink(to digest: PrimaryKeyDigest, ofClass number: Int, at offset: Int) -> Int {
        let link = Self.firstLink + linkCount
        add(ticket: link, digest, ofClass: number)
        linkCount += 1
        attempt { try offsets.append(Int64(offset)) }
        return link
    }

    /// - Throws: what scratch space threw since the last call.
    func check() throws {
        if let failure { throw failure }
    }

    private func add(_ record: SortedRecord) { attempt { try records.add(record) } }

    /// Reading values throws `Refusal` alone, so that other errors wait for `check`.
    private func attempt(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
        }
    }

    /// Finds the objects that links lead to.
    ///
    /// - Parameters:
    ///   - knownRow: the row of a key that a table has all the same.
    ///   - ticket: takes each ticket with the key of its object.
    /// - Throws: `RepeatedPrimaryKeys` where objects of a class have the same primary key; what scratch space throws.
    func resolve(
        knownRow: (_ digest: PrimaryKeyDigest, _ classNumber: Int) -> Int64?,
        ticket: (_ ticket: Int, _ key: Int64) -> Void
    ) throws -> ResolvedLinks {
        try check()
        var repeated = RepeatedPrimaryKeys()
        var current = PrimaryKeyGroup()
        let links = RecordSorter(runRecords: runRecords, store: store)
        try records.forEach { record in
            if !current.has(record) {
                current = PrimaryKeyGroup(of: record, knownRow: knownRow)
            }
            guard record.value & Self.linkMark != 0 else {
                current.add(row: record.value)
                if let second = current.second { repeated.note(current, second) }
                return
            }
            let link = record.value & ~Self.linkMark
            if link < Self.firstLink {
                if let row = current.first { ticket(Int(link), row) }
            } else {
                try links.add(SortedRecord(group: link, value: current.first ?? ~(current.firstLink ?? link)))
            }
            current.firstLink = current.firstLink ?? link
        }
        guard repeated.digests.isEmpty else { throw repeated }
        var keys = ScratchNumbers(store)
        try links.forEach { try keys.append($0.value) }
        return ResolvedLinks(keys: keys, offsets: offsets)
    }
}

/// The objects and links of one primary key while they come in order.
private struct PrimaryKeyGroup {
    private(set) var classNumber = -1
    private(set) var digest = PrimaryKeyDigest(0)
    /// The row that came first, and the one after it.
    private(set) var first: Int64?
    private(set) var second: Int64?
    /// The number of the first link.
    var firstLink: Int64?

    init() {}

    init(of record: SortedRecord, knownRow: (PrimaryKeyDigest, Int) -> Int64?) {
        classNumber = Int(record.group)
        digest = PrimaryKeyDigest(low: record.low, high: record.high)
        first = knownRow(digest, classNumber)
    }

    func has(_ record: SortedRecord) -> Bool {
        digest.low == record.low && digest.high == record.high && classNumber == Int(record.group)
    }

    mutating func add(row: Int64) {
        guard let first else { return self.first = row }
        self.first = min(first, row)
        second = min(second ?? .max, max(first, row))
    }
}

/// Primary keys that several objects of a class have: of each class the one whose second object comes first.
struct RepeatedPrimaryKeys: Error {
    private(set) var digests: [Int: PrimaryKeyDigest] = [:]
    private var rows: [Int: Int64] = [:]

    fileprivate mutating func note(_ group: PrimaryKeyGroup, _ row: Int64) {
        guard row < rows[group.classNumber] ?? .max else { return }
        rows[group.classNumber] = row
        digests[group.classNumber] = group.digest
    }
}

/// The keys that links of a `KeyLog` lead to.
struct ResolvedLinks {
    private var keys: ScratchNumbers
    private var offsets: ScratchNumbers
    /// Links that were read together, ascending, and their keys.
    private var loaded: (links: [Int], keys: [Int64]) = ([], [])

    fileprivate init(keys: ScratchNumbers, offsets: ScratchNumbers) {
        self.keys = keys
        self.offsets = offsets
    }

    /// Reads the keys of links that are going to be asked for, whatever their order.
    mutating func load(_ links: [Int]) throws {
        loaded.links = links.sorted()
        loaded.keys = []
        for link in loaded.links { loaded.keys.append(try keys.number(at: link - KeyLog.firstLink)) }
    }

    /// The key of a loaded link's object; where there is none, the number of the first link to it, complemented.
    func key(of link: Int) -> Int64 { loaded.keys[loaded.links.partitioningIndex { $0 >= link }] }

    /// Where the object of a link stands: bytes from the start of the input.
    mutating func offset(of link: Int) throws -> Int { Int(try offsets.number(at: link - KeyLog.firstLink)) }
}
