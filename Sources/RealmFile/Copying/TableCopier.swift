import Columns
import RealmModel

/// Writes one class out of the leaves of another file, cluster by cluster, and its search indexes anew.
final class TableCopier {
    private let table: TableLayout
    private let source: StoredSchema.Class
    private let objectCount: Int
    private let copiers: [any ColumnCopier]
    private let empty: () throws -> [Int64]
    private let output: NodeOutput
    private let image: Image
    private let decoders: ColumnDecoderFactory
    private let flush: () throws -> Void
    private var nextSequence: NextSequence
    private var keys = CellBuffer<Int64>()

    /// - Parameters:
    ///   - objectCount: the objects that there have to be.
    ///   - copiers: one a column, and one a column of backlinks.
    ///   - empty: appends their leaves for a class without objects.
    init(
        _ table: TableLayout, from source: StoredSchema.Class, objectCount: Int, by copiers: [any ColumnCopier],
        empty: @escaping () throws -> [Int64], in image: Image, decoders: ColumnDecoderFactory, to output: NodeOutput,
        flush: @escaping () throws -> Void
    ) {
        self.table = table
        self.source = source
        self.objectCount = objectCount
        self.copiers = copiers
        self.empty = empty
        self.image = image
        self.decoders = decoders
        self.output = output
        self.flush = flush
        nextSequence = NextSequence(
            counter: source.table.nextSequence, hasPrimaryKey: source.schema.primaryKey != nil,
            keysAreHashed: image.formatVersion < FormatVersion.sequentialKeys)
    }

    /// Whether Realm Core fails where it joins a leaf that is short with the next one: a mixed value may hold a collection.
    private var mustFillLeaves: Bool {
        source.table.columns.contains { $0.type == .mixed && $0.collection == .none }
    }

    /// Appends the objects.
    ///
    /// - Returns: the root of their tree, and the number that the next one's key is made of.
    func appendObjects() throws -> (root: Int64, nextSequence: Int64) {
        guard case .clusters(let root) = source.table.layout else { throw InputError.uncopied("a table of trees") }
        var cursor = ClusterCursor(root: try image.node(at: root), in: image)
        var tree = ClusterTreeWriter(output)
        var lastKey: Int64 = -1
        while let cluster = try cursor.next() {
            guard cluster.count > 0 else {
                try check(empty: cluster)
                continue
            }
            guard !mustFillLeaves || tree.count.isMultiple(of: ClusterCursor.nodeLimit) else {
                throw InputError.uncopied("a leaf of few objects")
            }
            keys.clear()
            let clusterKeys = keys.grow(by: cluster.count)
            try cluster.copyKeys(0..<cluster.count, to: clusterKeys)
            for key in clusterKeys {
                guard key > lastKey else { throw cluster.node.damaged("object keys do not ascend") }
                lastKey = key
            }
            nextSequence.skip(clusterKeys)
            let ascending = UnsafeBufferPointer(clusterKeys)
            var leaves: [Int64] = []
            leaves.reserveCapacity(copiers.count)
            for copier in copiers {
                leaves.append(try copier.append(cluster, keys: ascending))
                try flush()
            }
            tree.add(keys: ascending, columns: leaves)
        }
        guard tree.count == objectCount else {
            throw InputError.damaged("the number of objects", at: source.table.offset)
        }
        return (try tree.finish { try empty() }, nextSequence.value)
    }

    /// Checks that a cluster without objects is one: it has a leaf without values for each column.
    private func check(empty cluster: Cluster) throws(InputError) {
        for column in source.table.columns {
            let leaf = try cluster.leaf(ofColumn: column.key.leafIndex, in: decoders.image)
            guard try decoders.decoder(of: column).open(leaf) == 0 else {
                throw leaf.damaged("a leaf of values for no objects")
            }
        }
    }
}
