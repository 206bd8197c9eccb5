import Columns
import RealmModel

/// Turns the rows of one table into the row groups of a class.
final class ClassDecoder {
    private let source: StoredSchema.Class
    private let rows: any RowSource
    private let limits: RowGroupLimits
    private let writer: ClassWriter
    private var keys = CellBuffer<Int64>()
    private var lastKey: Int64 = -1
    private var nextSequence: NextSequence
    /// Rows decoded before their size is looked at, where the columns ask for no fewer.
    private var rowsAtOnce = Int.max

    /// Makes a decoder for each column.
    init(
        _ source: StoredSchema.Class, of schema: StoredSchema, in image: Image, store: any SegmentStore,
        limits: RowGroupLimits
    ) throws(InputError) {
        self.source = source
        self.limits = limits
        rows = try source.table.rows(in: image, targets: schema.targets)
        writer = ClassWriter(schema: source.schema, store: store, limits: limits)
        nextSequence = NextSequence(
            counter: source.table.nextSequence, hasPrimaryKey: source.schema.primaryKey != nil,
            keysAreHashed: image.formatVersion < FormatVersion.sequentialKeys)
    }

    /// Decodes all objects.
    func decode() throws -> StoredClass {
        while let count = try rows.nextRun() { try decodeRun(of: count) }
        try closeRowGroup()
        return try writer.finish(nextSequence: nextSequence.value)
    }

    /// The texts that are no valid UTF-8, of the objects that were decoded.
    var repairedTexts: [ReadingReport.RepairedTexts] {
        zip(source.schema.properties, rows.repairedTexts).filter { $1 > 0 }.map {
            ReadingReport.RepairedTexts(className: source.schema.name, property: $0.name, count: $1)
        }
    }

    private func decodeRun(of count: Int) throws {
        // A row group takes whole clusters where they fit.
        if keys.count + count > limits.rows { try closeRowGroup() }
        var row = 0
        while row < count {
            let room = min(count - row, limits.rows - keys.count, rowsAtOnce)
            let fitting = max(min(room, try rows.rowsFitting(in: limits.bytes, from: row)), 1)
            try append(row..<row + fitting)
            row += fitting
        }
    }

    private func append(_ run: Range<Int>) throws {
        let bytes = byteCount
        try rows.append(run)
        try appendKeys(run)
        if run.count > 1, byteCount - bytes > limits.bytes { rowsAtOnce = 1 }
        if keys.count >= limits.rows || byteCount >= limits.bytes { try closeRowGroup() }
    }

    private func appendKeys(_ run: Range<Int>) throws(InputError) {
        let added = keys.grow(by: run.count)
        try rows.copyKeys(run, to: added)
        for key in added {
            guard key > lastKey else {
                throw InputError.damaged("object keys do not ascend", at: source.table.offset)
                    .within(className: source.schema.name)
            }
            lastKey = key
        }
        nextSequence.skip(added)
    }

    private var byteCount: Int { keys.count * 8 + rows.byteCount }

    private func closeRowGroup() throws {
        guard keys.count > 0 else { return }
        try writer.append(keys: keys.take(), columns: rows.take())
    }
}
