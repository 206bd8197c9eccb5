import Foundation

@testable import RealmFile

/// Which bytes of a file the objects of its classes take, found by the nodes of their clusters.
struct ObjectBytes {
    /// One object.
    struct Object {
        let className: String
        let key: Int64
        /// The bytes that only this object has: its collections, and its long values.
        let own: IndexSet
        /// The place in `shared` of the bytes that it has together with the others of its cluster.
        let cluster: Int
    }

    private(set) var objects: [Object] = []
    private(set) var shared: [IndexSet] = []
    /// For each cluster the bytes that say of which class, which properties and which keys its objects are.
    private(set) var paths: [IndexSet] = []
    /// Where the node of each cluster is.
    private(set) var nodes: [Int] = []

    /// Looks at every object of a file that is not damaged; of formats before 10 at none.
    init(of bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            let header = try FileHeader(bytes)
            guard header.topRef != 0, header.formatVersion >= FormatVersion.clusters.lowerBound else { return }
            let nodes = UnsafeRawBufferPointer(rebasing: bytes[..<header.nodesEnd])
            let group = try Group(topRef: header.topRef, of: Image(nodes, formatVersion: header.formatVersion))
            let plain = Image(nodes, formatVersion: header.formatVersion)
            let names = try plain.header(at: plain.header(at: header.topRef).reference(at: 0) ?? 0)
            for table in group.tables {
                guard let name = table.className, case .clusters(let root) = table.layout else { continue }
                let image = Image(nodes, formatVersion: header.formatVersion)
                let top = try image.header(at: Int64(table.offset))
                var description = Self.range(of: names).union(Self.range(of: top))
                try Self.follow(image.header(at: top.reference(at: 0) ?? 0), image, into: &description)
                var above: [Int: IndexSet] = [:]
                try Self.findPaths(to: image.header(at: root), image, along: description, &above)
                var cursor = ClusterCursor(root: try image.node(at: root), in: image)
                while let cluster = try cursor.next() {
                    try add(cluster, of: table, name, image)
                    paths.append(above[cluster.node.offset] ?? IndexSet())
                }
            }
        }
    }

    private mutating func add(_ cluster: Cluster, of table: Table, _ name: String, _ image: Image) throws {
        var keys = [Int64](repeating: 0, count: cluster.count)
        try keys.withUnsafeMutableBufferPointer { try cluster.copyKeys(0..<cluster.count, to: $0) }
        var own = [IndexSet](repeating: IndexSet(), count: cluster.count)
        var bytes = Self.range(of: cluster.node)
        if let keys = cluster.relativeKeys { bytes.formUnion(Self.range(of: keys)) }
        for column in table.columns {
            let leaf = try image.header(at: cluster.node.reference(at: column.key.leafIndex + 1) ?? 0)
            let isBig = leaf.hasContext && (column.type == .string || column.type == .data)
            guard leaf.hasRefs, column.collection != .none || isBig, leaf.count == cluster.count else {
                try Self.follow(leaf, image, into: &bytes)
                continue
            }
            bytes.formUnion(Self.range(of: leaf))
            for row in 0..<leaf.count {
                guard let ref = try leaf.reference(at: row) else { continue }
                try Self.follow(image.header(at: ref), image, into: &own[row])
            }
        }
        shared.append(bytes)
        nodes.append(cluster.node.offset)
        for (row, key) in keys.enumerated() {
            objects.append(Object(className: name, key: key, own: own[row], cluster: shared.count - 1))
        }
    }

    /// Finds the bytes of the inner nodes that lead to each cluster.
    private static func findPaths(
        to node: Node, _ image: Image, along path: IndexSet, _ found: inout [Int: IndexSet]
    ) throws {
        guard node.isInner else { return found[node.offset] = path }
        var path = path.union(range(of: node))
        if let keys = try node.reference(at: 0) { path.formUnion(range(of: try image.header(at: keys))) }
        for index in 3..<max(node.count, 3) {
            try findPaths(to: image.header(at: node.reference(at: index) ?? 0), image, along: path, &found)
        }
    }

    private static func range(of node: Node) -> IndexSet { IndexSet(node.offset..<node.offset + node.byteCount) }

    private static func follow(_ node: Node, _ image: Image, into bytes: inout IndexSet) throws {
        bytes.formUnion(range(of: node))
        guard node.hasRefs, node.layout == .bits else { return }
        for index in 0..<node.count {
            let element = try node.integer(at: index)
            if element != 0, element & 1 == 0 { try follow(image.header(at: element), image, into: &bytes) }
        }
    }

    /// The objects that none of some bytes belongs to.
    ///
    /// - Parameter described: whether what says of which class and key they are has to be whole, too.
    func objects(without damage: IndexSet, described: Bool) -> [Object] {
        let whole = zip(shared, paths).map {
            $0.intersection(damage).isEmpty && (!described || $1.intersection(damage).isEmpty)
        }
        return objects.filter { whole[$0.cluster] && $0.own.intersection(damage).isEmpty }
    }
}
