import Columns
import RealmModel

/// Turns the objects of one table into row groups.
final class ClassDecoder {
    private let source: StoredSchema.Class
    private let image: Image
    private let limits: RowGroupLimits
    private let writer: ClassWriter
    private let columns: [any ColumnDecoder]
    private var keys = CellBuffer<Int64>()
    private var lastKey: Int64 = -1
    private var nextSequence: NextSequence
    /// Rows decoded before their size is looked at, where the decoders ask for no fewer.
    private var rowsAtOnce = Int.max

    /// Makes a decoder for each column.
    init(
        _ source: StoredSchema.Class, of schema: StoredSchema, in image: Image, store: any SegmentStore,
        limits: RowGroupLimits
    ) throws(InputError) {
        self.source = source
        self.image = image
        self.limits = limits
        writer = ClassWriter(schema: source.schema, store: store, limits: limits)
        let factory = ColumnDecoderFactory(image: image, classNames: schema.classNames)
        var columns: [any ColumnDecoder] = []
        for column in source.table.columns {
            do {
                columns.append(try factory.decoder(of: column))
            } catch {
                throw error.within(className: source.schema.name, property: column.name)
            }
        }
        self.columns = columns
        nextSequence = NextSequence(
            counter: source.table.nextSequence, hasPrimaryKey: source.schema.primaryKey != nil,
            keysAreHashed: image.formatVersion < FormatVersion.sequentialKeys)
    }

    /// Decodes all objects.
    func decode() throws -> StoredClass {
        var cursor = ClusterCursor(root: try located { () throws(InputError) in try root() }, in: image)
        while let cluster = try located(nil, { () throws(InputError) in try cursor.next() }) { try decode(cluster) }
        try closeRowGroup()
        return try writer.finish(nextSequence: nextSequence.value)
    }

    private func root() throws(InputError) -> Node { try image.node(at: source.table.clusters) }

    private func decode(_ cluster: Cluster) throws {
        // A row group takes whole clusters where they fit.
        if keys.count + cluster.count > limits.rows { try closeRowGroup() }
        for index in columns.indices {
            try located(index) { () throws(InputError) in try open(columns[index], at: index, of: cluster) }
        }
        var row = 0
        while row < cluster.count {
            let rows = row..<row + (try rowsFitting(from: row, of: cluster))
            try append(rows, of: cluster)
            row = rows.upperBound
        }
    }

    private func open(_ column: any ColumnDecoder, at index: Int, of cluster: Cluster) throws(InputError) {
        let leaf = try cluster.leaf(ofColumn: source.table.columns[index].key.leafIndex, in: image)
        let count = try column.open(leaf)
        guard count == cluster.count else {
            throw leaf.damaged("a leaf of \(count) values for \(cluster.count) objects")
        }
    }

    private func rowsFitting(from row: Int, of cluster: Cluster) throws -> Int {
        var rows = min(cluster.count - row, limits.rows - keys.count, rowsAtOnce)
        for index in columns.indices {
            let fitting = try located(index) { () throws(InputError) in
                try columns[index].rowsFitting(in: limits.bytes, from: row)
            }
            rows = min(rows, fitting)
        }
        return max(rows, 1)
    }

    private func append(_ rows: Range<Int>, of cluster: Cluster) throws {
        let bytes = byteCount
        for index in columns.indices {
            try located(index) { () throws(InputError) in try columns[index].append(rows) }
        }
        try located { () throws(InputError) in try appendKeys(rows, of: cluster) }
        if rows.count > 1, byteCount - bytes > limits.bytes { rowsAtOnce = 1 }
        if keys.count >= limits.rows || byteCount >= limits.bytes { try closeRowGroup() }
    }

    private func appendKeys(_ rows: Range<Int>, of cluster: Cluster) throws(InputError) {
        let added = keys.grow(by: rows.count)
        try cluster.copyKeys(rows, to: added)
        for key in added {
            guard key > lastKey else { throw cluster.node.damaged("object keys do not ascend") }
            lastKey = key
        }
        nextSequence.skip(added)
    }

    private var byteCount: Int { columns.reduce(keys.count * 8) { $0 + $1.byteCount } }

    private func closeRowGroup() throws {
        guard keys.count > 0 else { return }
        try writer.append(keys: keys.take(), columns: columns.map { $0.take() })
    }

    /// Says in an error which class, and which property, it is about.
    private func located<Result>(
        _ column: Int? = nil, _ body: () throws(InputError) -> Result
    ) throws(InputError) -> Result {
        do {
            return try body()
        } catch {
            throw error.within(
                className: source.schema.name, property: column.map { source.table.columns[$0].name })
        }
    }
}
