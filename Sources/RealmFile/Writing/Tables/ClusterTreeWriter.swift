/// Appends the inner nodes of a tree of objects while its leaves come, REALM_FORMAT section 9.
struct ClusterTreeWriter {
    /// A subtree that has no parent yet.
    private struct Child {
        let ref: Int64
        /// The offset to which the keys in it are relative.
        let offset: Int64
        let count: Int
    }

    private let output: NodeOutput
    /// The waiting subtrees of each depth; depth 0 are leaves.
    private var levels: [[Child]] = [[]]
    private(set) var count = 0

    init(_ output: NodeOutput) {
        self.output = output
    }

    /// Appends a leaf.
    ///
    /// - Parameters:
    ///   - keys: ascending, above those of all leaves before; 1 … 256 of them.
    ///   - columns: the leaves of the columns.
    mutating func add(keys: UnsafeBufferPointer<Int64>, columns: [Int64]) {
        let offset = count == 0 ? 0 : keys[0]
        let isCompact = keys[keys.count - 1] - offset == Int64(keys.count - 1)
        let head =
            isCompact
            ? NodeOutput.tagged(Int64(keys.count)) : output.append(unsigned: keys.map { UInt64($0 - offset) })
        let ref = output.append(integers: [head] + columns, .hasRefs)
        count += keys.count
        add(Child(ref: ref, offset: offset, count: keys.count), at: 0)
    }

    /// Appends what is missing and returns the root.
    ///
    /// - Parameter emptyColumns: appends a leaf without values for each column, for a tree without objects.
    mutating func finish(emptyColumns: () throws -> [Int64]) rethrows -> Int64 {
        guard count > 0 else {
            return output.append(integers: [NodeOutput.tagged(0)] + (try emptyColumns()), .hasRefs)
        }
        var depth = 0
        while depth < levels.count - 1 || levels[depth].count > 1 {
            if !levels[depth].isEmpty { close(depth) }
            depth += 1
        }
        return levels[depth][0].ref
    }

    private mutating func add(_ child: Child, at depth: Int) {
        if depth == levels.count { levels.append([]) }
        if levels[depth].count == ClusterCursor.nodeLimit { close(depth) }
        levels[depth].append(child)
    }

    private mutating func close(_ depth: Int) {
        let children = levels[depth]
        levels[depth] = []
        let offset = children[0].offset
        let shift = 8 * Int64(depth + 1)
        let isCompact = children.indices.allSatisfy { children[$0].offset - offset == Int64($0) << shift }
        let offsets = isCompact ? 0 : output.append(unsigned: children.map { UInt64($0.offset - offset) })
        let count = children.reduce(0) { $0 + $1.count }
        let head = [offsets, NodeOutput.tagged(Int64(depth + 1)), NodeOutput.tagged(Int64(count))]
        let ref = output.append(integers: head + children.map(\.ref), [.inner, .hasRefs])
        add(Child(ref: ref, offset: offset, count: count), at: depth + 1)
    }
}
