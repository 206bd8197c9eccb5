import Columns
import RealmModel

/// Makes the leaves of one column of clusters out of those of another file.
protocol ColumnCopier: AnyObject {
    /// Appends the leaf of the objects of a cluster.
    ///
    /// - Parameter keys: of the cluster's objects, one at least.
    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64
}

/// A column of one value, which the old file does not have.
final class ConstantColumnCopier: ColumnCopier {
    private let array: ColumnArray
    private let writer: ColumnLeafWriter

    init(_ value: Value, _ property: Property, _ writer: ColumnLeafWriter) throws(ColumnError) {
        array = try ColumnArray(repeating: value, count: ClusterCursor.nodeLimit, as: ColumnType(property))
        self.writer = writer
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        try writer.append(array, 0..<keys.count)
    }
}

/// A column whose leaves are decoded and encoded.
final class RecodedColumnCopier: ColumnCopier {
    private let leafIndex: Int
    private let image: Image
    private let decoder: LeafRecoder
    private let links: LinkTally?
    private let writer: ColumnLeafWriter

    init(_ column: StoredColumn, _ decoder: LeafRecoder, _ links: LinkTally?, _ writer: ColumnLeafWriter) {
        leafIndex = column.key.leafIndex
        image = decoder.image
        self.decoder = decoder
        self.links = links
        self.writer = writer
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        try append(try cluster.leaf(ofColumn: leafIndex, in: image), keys: keys)
    }

    /// Appends a leaf.
    func append(_ leaf: Node, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        let array = try decoder.array(of: leaf, count: keys.count)
        if let links { try links.add(array, keys: keys) }
        return try writer.append(array, 0..<array.count)
    }
}

/// A column of single values, leaf by leaf.
final class ValueColumnCopier: ColumnCopier {
    private let leafIndex: Int
    private let leaves: LeafCopier
    private let recoded: RecodedColumnCopier

    init(_ column: StoredColumn, _ leaves: LeafCopier, _ recoded: RecodedColumnCopier) {
        leafIndex = column.key.leafIndex
        self.leaves = leaves
        self.recoded = recoded
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        let leaf = try cluster.leaf(ofColumn: leafIndex, in: leaves.image)
        return try leaves.copy(leaf, count: keys.count) ?? recoded.append(leaf, keys: keys)
    }
}

/// A column of links to one class.
final class LinkColumnCopier: ColumnCopier {
    private let leafIndex: Int
    private let image: Image
    private let output: NodeOutput
    private let sum: LinkSum
    private let scratch = CopyScratch()

    init(_ column: StoredColumn, _ sum: LinkSum, in image: Image, to output: NodeOutput) {
        leafIndex = column.key.leafIndex
        self.sum = sum
        self.image = image
        self.output = output
    }

    func append(_ cluster: Cluster, keys: UnsafeBufferPointer<Int64>) throws -> Int64 {
        let leaf = try cluster.leaf(ofColumn: leafIndex, in: image)
        guard leaf.isPlain(.bits, keys.count) else { throw leaf.damaged("a leaf of links") }
        let links = scratch.integers(of: leaf)
        for row in 0..<keys.count where links[row] != 0 {
            guard links[row] > 0 else { throw InputError.uncopied("a link to a tombstone") }
            sum.add(links: CollectionOfOne(links[row] - 1), of: keys[row])
        }
        return output.append(leaf)
    }
}
