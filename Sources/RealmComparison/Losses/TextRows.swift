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

    /// The columns of texts before, each with the one of its property after where there is one.
    private var old: [(column: Column, new: Int?)] = []
    private var new: [Column] = []
    /// For the row at hand: the texts that are gone, whether each of those after is new, and the places taken in them.
    private var gone: [Int] = []
    private var isFresh: [Bool] = []
    private var taken: [(column: Int, place: Range<Int>)] = []

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
            old.append((before, new.count))
            new.append(after)
        }
        for column in dropped {
            guard let before = Column(try cursors.old.column(column)) else { return nil }
            old.append((before, nil))
        }
        for column in added where ColumnType(cursors.new.reader.stored.schema.properties[column]) == text {
            if let after = Column(try cursors.new.column(column)) { new.append(after) }
        }
        isFresh = new.map { _ in true }
    }

    /// Whether each text that is gone stands in one that is new, none where another stands.
    mutating func areThere(_ row: Int, _ other: Int) -> Bool {
        gone.removeAll(keepingCapacity: true)
        taken.removeAll(keepingCapacity: true)
        for (index, (column, after)) in old.enumerated() {
            let place = column.place(row)
            if let after {
                let now = new[after].place(other)
                isFresh[after] = place.count != now.count || column.bytes[place] != new[after].bytes[now]
                if !isFresh[after] { continue }
            }
            if !place.isEmpty { gone.append(index) }
        }
        // The longest first: a short one may stand in it, too.
        if gone.count > 1 { gone.sort { old[$0].column.place(row).count > old[$1].column.place(row).count } }
        return gone.allSatisfy { take(old[$0].column, row, other) }
    }

    private mutating func take(_ column: Column, _ row: Int, _ other: Int) -> Bool {
        let sought = column.bytes[column.place(row)]
        for index in new.indices where isFresh[index] {
            guard let place = place(of: sought, in: index, other) else { continue }
            taken.append((index, place))
            return true
        }
        return false
    }

    /// Where a text stands in another one, that is the other one or has three bytes at least.
    private func place(of sought: ArraySlice<UInt8>, in index: Int, _ row: Int) -> Range<Int>? {
        let whole = new[index].place(row)
        guard sought.count == whole.count || sought.count > 2, sought.count <= whole.count else { return nil }
        return new[index].bytes.withUnsafeBufferPointer { bytes in
            sought.withUnsafeBufferPointer { sought in
                for start in whole.lowerBound...(whole.upperBound - sought.count) where bytes[start] == sought[0] {
                    let place = start..<(start + sought.count)
                    if taken.contains(where: { $0.column == index && $0.place.overlaps(place) }) { continue }
                    if UnsafeBufferPointer(rebasing: bytes[place]).elementsEqual(sought) { return place }
                }
                return nil
            }
        }
    }
}
