import RealmModel

extension Snapshot {
    /// The memory that whoever writes the snapshot row group by row group takes, near enough, in bytes: some copies of the largest
    /// row group, and the embedded objects.
    public var writingFootprint: Int {
        let sizes = classes.map { (rows: $0.objectCount, width: $0.schema.rowWidth, isEmbedded: $0.schema.isEmbedded) }
        let largest = sizes.map { min($0.rows, RowGroupLimits.standard.rows) * $0.width }.max() ?? 0
        let embedded = sizes.reduce(0) { $0 + ($1.isEmbedded ? $1.rows * $1.width : 0) }
        return Self.leastFootprint + Self.copies * min(largest, RowGroupLimits.standard.bytes)
            + min(embedded, Self.lookedUpBytes)
    }

    private static let leastFootprint = 512 << 10
    private static let copies = 4
    private static let lookedUpBytes = 32 << 20
}

extension ObjectSchema {
    /// Bytes of a row's cells, texts and collections as if they were short.
    fileprivate var rowWidth: Int {
        properties.reduce(8) { $0 + ($1.collection == .none ? $1.type.cellWidth : 16) }
    }
}

extension PropertyType {
    fileprivate var cellWidth: Int {
        switch self {
        case .bool: 1
        case .float: 4
        case .int, .double, .object: 8
        case .date: 12
        case .string, .data, .mixed, .objectId, .uuid, .decimal128, .linkingObjects: 16
        }
    }
}
