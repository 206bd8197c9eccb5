import Columns
import RealmModel

/// Finds the objects of two realms that have one primary key.
///
/// The second realm's keys are indexed; of a class with more objects than an index may hold, a part at a time, told by
/// a hash, and the primary keys of both are read again for each part. The pairs of a few row groups of the first realm
/// are compared in the order of the second's, so that each of its row groups is read once for them whatever the order.
struct PrimaryKeyJoin {
    /// Row groups of the first realm whose objects are compared together.
    private static let batchGroups = 8

    private let pair: ClassPair
    private let parts: UInt64
    /// The number of each row group's first row in the second realm.
    private let starts: [Int]

    init(_ pair: ClassPair, indexedObjects: Int) {
        self.pair = pair
        let reader = pair.new.view.reader
        parts = UInt64(max(reader.stored.objectCount, 0) / indexedObjects + 1)
        starts = reader.rowGroups.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rowCount) }
    }

    /// Calls with every object of either realm, and with those of one key together.
    func run(_ body: (ObjectRow?, ObjectRow?) throws -> Void) throws {
        var matched = Bitmap(count: starts.last ?? 0)
        for part in 0..<parts {
            let index = try index(of: part)
            var batch = Batch()
            try forEach(of: pair.old, in: part) { object, digest in
                if batch.groupCount(with: object) > Self.batchGroups { try compare(batch.take(), body) }
                guard let number = index.value(of: digest).map({ Int($0) }) else { return try body(object, nil) }
                matched[number] = true
                batch.append(object, number)
            }
            try compare(batch.take(), body)
        }
        var objects = ObjectRows(pair.new.view)
        while let object = try objects.next() {
            if !matched[object.number] { try body(nil, object) }
        }
    }

    /// Objects of the first realm, each with the number of its row in the second.
    private struct Batch {
        private var pairs: [(old: ObjectRow, new: Int)] = []
        private var groups = 0

        /// The number of row groups of the first realm that it has with one more object.
        func groupCount(with object: ObjectRow) -> Int {
            pairs.last?.old.group === object.group ? groups : groups + 1
        }

        mutating func append(_ object: ObjectRow, _ number: Int) {
            groups = groupCount(with: object)
            pairs.append((object, number))
        }

        /// Empties the batch and hands out what was in it.
        mutating func take() -> [(old: ObjectRow, new: Int)] {
            defer { self = Batch() }
            return pairs
        }
    }

    private func compare(
        _ batch: [(old: ObjectRow, new: Int)], _ body: (ObjectRow?, ObjectRow?) throws -> Void
    ) throws {
        var group: RowGroupView?
        for (object, number) in batch.sorted(by: { $0.new < $1.new }) {
            let place = place(of: number)
            let current = group?.group == place.group ? group : nil
            let view = current ?? RowGroupView(pair.new.view, group: place.group)
            group = view
            try body(object, ObjectRow(group: view, row: place.row, key: try view.keys()[place.row], number: number))
        }
    }

    /// The rows of the second realm's objects in a part, by their primary keys.
    private func index(of part: UInt64) throws -> PrimaryKeyTable {
        var index = PrimaryKeyTable()
        try forEach(of: pair.new, in: part) { object, digest in
            _ = index.value(of: digest, orPut: Int64(object.number))
        }
        return index
    }

    private func forEach(
        of side: ClassSide, in part: UInt64, _ body: (ObjectRow, PrimaryKeyDigest?) throws -> Void
    ) throws {
        guard let property = side.view.primaryKey else { return }
        var objects = ObjectRows(side.view)
        while let object = try objects.next() {
            let value = try object.group.column(property).value(at: object.row, as: property.type)
            let digest = PrimaryKeyDigest(value)
            guard parts == 1 || Self.part(of: digest, among: parts) == part else { continue }
            try body(object, digest)
        }
    }

    private static func part(of digest: PrimaryKeyDigest?, among parts: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(digest)
        return UInt64(bitPattern: Int64(hasher.finalize())) % parts
    }

    /// The row group and row of the second realm that a row's number stands for.
    private func place(of number: Int) -> (group: Int, row: Int) {
        let group = starts.dropLast().partitioningIndex { $0 > number } - 1
        return (group, number - starts[group])
    }
}
