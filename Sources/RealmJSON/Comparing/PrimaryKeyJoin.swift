import Columns
import RealmModel

/// Finds the objects of two realms that have one primary key.
///
/// The second realm's keys are indexed; of a class with more objects than an index may hold, a part at a time, told by
/// a hash, and the primary keys of both are read again for each part.
struct PrimaryKeyJoin {
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
            try forEach(of: pair.old, in: part) { object, digest in
                let match = try index.value(of: digest).flatMap { try self.object(Int($0)) }
                if let match { matched[match.number] = true }
                try body(object, match)
            }
        }
        var objects = ObjectRows(pair.new.view)
        while let object = try objects.next() {
            if !matched[object.number] { try body(nil, object) }
        }
    }

    /// The rows of the second realm's objects in a part, by their primary keys.
    private func index(of part: UInt64) throws -> PrimaryKeyIndex {
        var index = PrimaryKeyIndex()
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

    /// An object of the second realm by the number of its row.
    private func object(_ number: Int) throws -> ObjectRow? {
        var (low, high) = (0, starts.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle } else { high = middle }
        }
        let group = pair.new.writer.group(low, of: pair.new.view)
        let row = number - starts[low]
        return ObjectRow(group: group, row: row, key: try group.keys()[row], number: number)
    }
}
