import Columns
import RealmModel

/// The memory for primary keys, and the space for those that it has no room for.
struct KeySpace {
    /// Bytes that a key in a table or a ticket takes, near enough.
    private static let bytesPerKey = 32

    /// Keys and tickets that are in memory at most.
    let keys: Int
    /// Makes an empty store.
    let makeScratch: () throws -> any SegmentStore

    init(bytes: Int, scratch: @escaping () throws -> any SegmentStore) {
        keys = bytes / Self.bytesPerKey
        makeScratch = scratch
    }
}

extension RealmIntake {
    /// Reads a document, and once more where a primary key stands twice that memory had no room for.
    ///
    /// The second time it is known which key, and the error tells its place as if all had been in memory.
    ///
    /// - Parameter pass: reads the document from its start; is given the keys, and gives away the intake before it takes an object.
    static func read(
        _ pass: (_ repeated: RepeatedPrimaryKeys?, _ intake: inout RealmIntake?) throws -> Snapshot
    ) throws -> Snapshot {
        var intake: RealmIntake?
        do {
            do {
                return try pass(nil, &intake)
            } catch let error as InputError {
                // A key that stands twice before the error comes first.
                try intake?.resolveKeys()
                throw error
            }
        } catch let repeated as RepeatedPrimaryKeys {
            intake = nil
            _ = try pass(repeated, &intake)
            throw ColumnError.damaged(what: "a document that changes while it is read", offset: 0)
        }
    }

    /// The number that stands for a primary key: an object's key, or a link's number, complemented, where the object has not come yet.
    func key(of digest: PrimaryKeyDigest?, ofClass number: Int) -> Int64 {
        // Nothing is resolved in a second reading.
        guard repeated == nil else { return 0 }
        let target = classes[number]
        guard let keyLog, let digest else {
            let known = putInTable(digest, ~Int64(tickets.count), of: target)
            if Int(~known) == tickets.count {
                tickets.append(-1)
                ticketOffsets.append(currentOffset)
            }
            return known
        }
        return target.primaryKeys.valueInRun(of: digest)
            ?? ~Int64(keyLog.addLink(to: digest, ofClass: number, at: currentOffset))
    }

    /// Takes the primary key of an object and fills the ticket of those that linked to it.
    ///
    /// - Returns: false where another object is known to have it.
    func register(_ digest: PrimaryKeyDigest?, _ row: Int64, ofClass number: Int) -> Bool {
        if let repeated {
            guard let digest, repeated.digests[number] == digest else { return true }
            return foundRepeated.insert(number).inserted
        }
        let intake = classes[number]
        if let keyLog, let digest {
            guard intake.primaryKeys.valueInRun(of: digest) == nil else { return false }
            if !intake.primaryKeys.putInRun(digest, row) { keyLog.add(row: row, digest, ofClass: number) }
            return true
        }
        let known = putInTable(digest, row, of: intake)
        if known == row { return true }
        guard known < 0 else { return false }
        tickets[Int(~known)] = row
        intake.primaryKeys.replace(digest, by: row)
        return true
    }

    private func putInTable(_ digest: PrimaryKeyDigest?, _ value: Int64, of target: ClassIntake) -> Int64 {
        let count = target.primaryKeys.tableCount
        defer { tableKeys += target.primaryKeys.tableCount - count }
        return target.primaryKeys.value(of: digest, orPut: value)
    }

    /// Moves the keys of all tables into scratch space where they are too many.
    ///
    /// - Throws: what scratch space throws.
    func boundKeys() throws {
        if let keyLog { return try keyLog.check() }
        guard tableKeys + tickets.count > keySpace.keys else { return }
        let log = KeyLog(try keySpace.makeScratch(), runRecords: max(keySpace.keys / 4, 1))
        for (number, intake) in classes.enumerated() {
            intake.primaryKeys.removeTable { digest, value in
                if value < 0 {
                    log.add(ticket: Int(~value), digest, ofClass: number)
                } else {
                    log.add(row: value, digest, ofClass: number)
                }
            }
        }
        tableKeys = 0
        keyLog = log
        try log.check()
    }

    /// Finds the objects of links that are in scratch space, once.
    ///
    /// - Throws: `RepeatedPrimaryKeys`; what scratch space throws.
    func resolveKeys() throws {
        guard let keyLog, resolvedLinks == nil else { return }
        resolvedLinks = try keyLog.resolve { digest, number in
            classes[number].primaryKeys.valueInRun(of: digest)
        } ticket: { ticket, key in
            tickets[ticket] = key
        }
    }

    /// Where the object of a link stands: bytes from the start of the input.
    func offset(ofLink link: Int) throws -> Int {
        link < KeyLog.firstLink ? ticketOffsets[link] : try resolvedLinks?.offset(of: link) ?? 0
    }
}

/// A store for a reading that is to find an error alone.
final class ForgetfulStore: SegmentStore {
    private let name = SegmentID(batch: BatchID(high: 0, low: 0), ordinal: 0)

    func write(segment bytes: [UInt8]) throws -> SegmentID { name }
    func read(segment id: SegmentID) throws -> [UInt8] { throw ColumnError.missing(id) }
    func write(column segments: [Segment]) throws -> SegmentID { name }
    func read(column id: SegmentID) throws -> [Segment] { throw ColumnError.missing(id) }
    func write(_ array: ColumnArray) throws -> Segment {
        Segment(rowCount: array.count, nullCount: 0, content: .stored(name, storedBytes: 0))
    }
}
