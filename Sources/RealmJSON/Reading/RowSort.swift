import Columns
import RealmModel

/// Writes the rows of a class again, in the order of their keys.
///
/// Gathers as many rows at a time as memory allows and reads, for each such batch, the row groups that hold any of them:
/// one pass over the class where the order is nearly right, one a batch where it is random.
struct RowSort {
    private static let batchRows = 1 << 17

    private let written: StoredClass
    private let order: KeyOrder
    private let reader: ClassReader
    private let writer: ClassWriter
    /// The number of each row group's first row.
    private let starts: [Int]

    /// Prepares to sort.
    ///
    /// - Parameter written: the class, its rows in the order they came; its keys mean nothing.
    init(_ written: StoredClass, order: KeyOrder, store: any SegmentStore, limits: RowGroupLimits) throws {
        self.written = written
        self.order = order
        reader = try ClassReader(written, store: store)
        writer = ClassWriter(schema: written.schema, store: store, limits: limits)
        starts = reader.rowGroups.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rowCount) }
    }

    /// The class with its rows in order.
    mutating func run() throws -> StoredClass {
        for start in stride(from: 0, to: order.rows.count, by: Self.batchRows) {
            try write(start..<min(start + Self.batchRows, order.rows.count))
        }
        return try writer.finish(nextSequence: written.nextSequence)
    }

    private func write(_ batch: Range<Int>) throws {
        // The places of the batch in the order in which the rows were written, so that each group is read once.
        let places = batch.sorted { order.rows[$0] < order.rows[$1] }
        let columns = try written.schema.properties.indices.map { try gather($0, batch: batch, places: places) }
        for place in batch {
            for (builder, values) in zip(writer.columns, columns) {
                try builder.append(values[place - batch.lowerBound])
            }
            try writer.endRow(key: ObjectKey(order.keys[place]))
        }
    }

    private func gather(_ property: Int, batch: Range<Int>, places: [Int]) throws -> [Value] {
        let type = ColumnType(written.schema.properties[property])
        var values = [Value](repeating: .null, count: batch.count)
        var next = 0
        for group in reader.rowGroups.indices where next < places.count && order.rows[places[next]] < starts[group + 1]
        {
            let array = try reader.column(property, inGroup: group)
            while next < places.count, order.rows[places[next]] < starts[group + 1] {
                let row = order.rows[places[next]] - starts[group]
                values[places[next] - batch.lowerBound] = try array.value(at: row, as: type)
                next += 1
            }
        }
        return values
    }
}
