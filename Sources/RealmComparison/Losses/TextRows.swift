import Columns
import RealmModel

/// Rows of which only texts are gone: most of these stand whole in others, which is seen before anything is made of them.
struct TextRows {
    /// A column of texts.
    private struct Column {
        let offsets: [Int32]
        let bytes: [UInt8]

        init?(_ array: ColumnArray) {
            guard case .variable(let offsets, let bytes) = array.values else { return nil }
            (self.offsets, self.bytes) = (offsets, bytes)
        }

        /// Where the text of a row is; empty where there is none.
        func place(_ row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }
    }

    /// A column before, with the one of its property after where there is one.
    private struct Old {
        let column: Column
        let number: Int
        let place: UInt64
        let new: Int?
    }

    private var old: [Old] = []
    private var new: [(column: Column, place: UInt64, old: Int?)] = []
    /// For the row at hand: the texts that are gone, whether each of those after is new, and what was taken of them by which text.
    private var gone: [Int] = []
    private var isFresh: [Bool] = []
    private var taken: [(old: Int, new: Int, part: Range<Int>)] = []
    /// The columns that have each of the texts that are gone.
    private var ownersOfGone: [[UInt64]] = []

    /// Nil where anything but a single text is dropped or changed.
    init?(
        _ changes: [LossSurvey.Change], dropped: [Int], added: [Int],
        _ cursors: (old: RowGroupCursor, new: RowGroupCursor)
    ) throws {
        let text = ColumnType(.string)
        let properties = cursors.old.reader.stored.schema.properties
        guard changes.allSatisfy({ $0.pair.oldType == text && $0.pair.newType == text }),
            dropped.allSatisfy({ ColumnType(properties[$0]) == text })
        else { return nil }
        for change in changes {
            guard let before = Column(try cursors.old.column(change.pair.property)),
                let after = Column(try cursors.new.column(change.pair.other))
            else { return nil }
            let place = PlacedValues.place(ofRoot: change.pair.other)
            new.append((after, place, old.count))
            old.append(Old(column: before, number: change.pair.property, place: place, new: new.count - 1))
        }
        for column in dropped {
            guard let before = Column(try cursors.old.column(column)) else { return nil }
            let place = PlacedValues.place(ofRoot: -1 - column)
            old.append(Old(column: before, number: column, place: place, new: nil))
        }
        for column in added where ColumnType(cursors.new.reader.stored.schema.properties[column]) == text {
            guard let after = Column(try cursors.new.column(column)) else { continue }
            new.append((after, PlacedValues.place(ofRoot: column), nil))
        }
        isFresh = new.map { _ in true }
    }

    /// Whether each text that is gone stands in one that is new, none where another stands; if so, notes where.
    mutating func areThere(_ row: Int, _ other: Int, _ map: inout PlaceMap, of key: () throws -> Int64) rethrows -> Bool
    {
        gone.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
        ownersOfGone.removeAll(keepingCapacity: true)
        for (index, old) in old.enumerated() {
            let place = old.column.place(row)
            if let after = old.new {
                let now = new[after].column.place(other)
                isFresh[after] =
                    place.count != now.count || old.column.bytes[place] != new[after].column.bytes[now]
                if !isFresh[after] { continue }
            }
            if !place.isEmpty { gone.append(index) }
        }
        // The longest first: a short one may stand in it, too.
        if gone.count > 1 { gone.sort { old[$0].column.place(row).count > old[$1].column.place(row).count } }
        for index in gone where !take(index, row, other, map.steadyTargets(of: old[index].place)) { return false }
        guard !haveCircle else { return false }
        guard !gone.isEmpty else { return true }
        let key = try key()
        for (index, owners) in zip(gone, ownersOfGone) {
            map.note(owners, from: old[index].place, column: old[index].number, of: key)
        }
        return true
    }

    /// Whether texts of properties that stay are in each other's.
    private var haveCircle: Bool {
        taken.contains { first in
            var current = first
            for _ in taken {
                guard let owner = new[current.new].old, let next = taken.first(where: { $0.old == owner }) else {
                    return false
                }
                if next.old == first.old { return current.old != first.old }
                current = next
            }
            return false
        }
    }

    /// Takes the part of a new text that is one that is gone; false where none is.
    private mutating func take(_ index: Int, _ row: Int, _ other: Int, _ steady: [UInt64]?) -> Bool {
        let sought = old[index].column.bytes[old[index].column.place(row)]
        func owners(_ isLookedAt: (UInt64) -> Bool) -> [Int] {
            new.indices.filter {
                isFresh[$0] && isLookedAt(new[$0].place) && place(of: sought, in: $0, other, besides: []) != nil
            }
        }
        var found = owners { steady?.contains($0) ?? true }
        if found.isEmpty, steady != nil { found = owners { _ in true } }
        ownersOfGone.append(found.map { new[$0].place })
        for number in found + new.indices.filter({ isFresh[$0] && !found.contains($0) }) {
            guard let part = place(of: sought, in: number, other, besides: taken) else { continue }
            taken.append((index, number, part))
            return true
        }
        return false
    }

    /// Where a text stands in another one, that is the other one or has three bytes at least.
    private func place(
        of sought: ArraySlice<UInt8>, in index: Int, _ row: Int, besides taken: [(old: Int, new: Int, part: Range<Int>)]
    ) -> Range<Int>? {
        let whole = new[index].column.place(row)
        guard sought.count == whole.count || sought.count > 2, sought.count <= whole.count else { return nil }
        return new[index].column.bytes.withUnsafeBufferPointer { bytes in
            sought.withUnsafeBufferPointer { sought in
                for start in whole.lowerBound...(whole.upperBound - sought.count) where bytes[start] == sought[0] {
                    let place = start..<(start + sought.count)
                    if taken.contains(where: { $0.new == index && $0.part.overlaps(place) }) { continue }
                    if UnsafeBufferPointer(rebasing: bytes[place]).elementsEqual(sought) { return place }
                }
                return nil
            }
        }
    }
}
