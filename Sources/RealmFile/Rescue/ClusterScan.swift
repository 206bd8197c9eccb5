import RealmModel

/// Goes through a tree of objects of a damaged file, past the nodes of it that can't be read.
struct ClusterScan {
    /// The next piece of the tree.
    enum Piece {
        /// A leaf, the keys that it may have, and whether bytes that say which objects these are are doubtful.
        case cluster(Cluster, within: KeyRanges.KeyRange, isSuspect: Bool)
        /// The keys of the objects that a node would have had which can't be read.
        case gap(KeyRanges.KeyRange)
    }

    private struct Frame {
        let node: Node
        let keyOffset: UInt64
        let childOffsets: Node?
        /// How many levels are below; nil where the node has a wrong number there and does not need it.
        let depth: Int64?
        /// The last key that a child may have.
        let lastKey: Int64
        let isSuspect: Bool
        var next = 0
        /// The greatest of the offsets of the children before the next.
        var lastOffset: UInt64?
    }

    private let image: Image
    private var frames: [Frame] = []
    private var pending: Child?

    private typealias Child = (ref: Int64, keyOffset: UInt64, keys: KeyRanges.KeyRange)

    /// Starts before the first leaf.
    init(root: Int64, in image: Image) {
        self.image = image
        pending = (root, 0, KeyRanges.KeyRange(0, .max))
    }

    /// The next leaf, or the next gap; nil after the last.
    mutating func next() -> Piece? {
        while true {
            if let (ref, keyOffset, keys) = pending {
                pending = nil
                do {
                    let node = try image.node(at: ref)
                    guard node.isInner else { return try cluster(node, keyOffset: keyOffset, within: keys) }
                    try descend(into: node, keyOffset: keyOffset, keys)
                } catch {
                    return .gap(keys)
                }
            }
            guard let last = frames.indices.last else { return nil }
            switch Self.nextChild(of: &frames[last]) {
            case .success(let child): pending = child
            case .failure(let gap): return .gap(gap.keys)
            case nil: frames.removeLast()
            }
        }
    }

    private func cluster(
        _ node: Node, keyOffset: UInt64, within keys: KeyRanges.KeyRange
    ) throws(InputError) -> Piece {
        // Neither a number of objects nor a reference to their keys.
        guard try node.asIntegers("a cluster").integer(at: 0) != 0 else { throw node.damaged("a cluster") }
        let cluster = try ClusterCursor.cluster(node, keyOffset: keyOffset, in: image)
        let isSuspect =
            frames.last?.isSuspect ?? false || !image.doubts(in: node).isEmpty
            || cluster.relativeKeys.map { !image.doubts(in: $0).isEmpty } ?? false
        return .cluster(cluster, within: keys, isSuspect: isSuspect)
    }

    private mutating func descend(
        into node: Node, keyOffset: UInt64, _ keys: KeyRanges.KeyRange
    ) throws(InputError) {
        let node = try node.asIntegers("an inner node of a tree of objects")
        let offsets = try image.child(0, of: node)?.asIntegers("the key offsets of a tree of objects")
        let depth = try? node.tagged(at: 1) ?? 0
        let isPlausible = depth.map { (1..<Int64(ClusterCursor.depthLimit)).contains($0) } ?? false
        guard frames.count < ClusterCursor.depthLimit, isPlausible || offsets != nil,
            node.count >= ClusterCursor.headSlots, node.count <= ClusterCursor.headSlots + ClusterCursor.nodeLimit
        else { throw node.damaged("an inner node of a tree of objects") }
        let isSuspect =
            frames.last?.isSuspect ?? false || !image.doubts(in: node).isEmpty
            || offsets.map { !image.doubts(in: $0).isEmpty } ?? false
        frames.append(
            Frame(
                node: node, keyOffset: keyOffset, childOffsets: offsets, depth: isPlausible ? depth : nil,
                lastKey: keys.last, isSuspect: isSuspect))
    }

    /// A child that nothing leads to.
    private struct Gap: Error {
        let keys: KeyRanges.KeyRange
    }

    /// The next child of an inner node; nil after the last.
    private static func nextChild(of frame: inout Frame) -> Result<Child, Gap>? {
        let index = frame.next
        guard index < frame.node.count - ClusterCursor.headSlots else { return nil }
        frame.next += 1
        let (offset, isKnown) = Self.offset(of: index, in: frame)
        let ascends = frame.lastOffset.map { offset > $0 } ?? true
        if isKnown { frame.lastOffset = max(frame.lastOffset ?? 0, offset) }
        let first = Int64(bitPattern: offset)
        let after = Self.offset(of: index + 1, in: frame)
        let isLast = index + 1 == frame.node.count - ClusterCursor.headSlots
        let last = isLast || !after.isKnown ? frame.lastKey : min(Int64(bitPattern: after.offset &- 1), frame.lastKey)
        guard isKnown, ascends, first >= 0, first <= last else {
            return .failure(Gap(keys: KeyRanges.KeyRange(min(max(first, 0), frame.lastKey), frame.lastKey)))
        }
        let keys = KeyRanges.KeyRange(first, last)
        guard let ref = try? frame.node.reference(at: index + ClusterCursor.headSlots) else {
            return .failure(Gap(keys: keys))
        }
        return .success((ref, offset, keys))
    }

    private static func offset(of index: Int, in frame: Frame) -> (offset: UInt64, isKnown: Bool) {
        if let offsets = frame.childOffsets {
            guard let offset = try? offsets.unsigned(at: index) else { return (frame.keyOffset, false) }
            return (frame.keyOffset &+ offset, true)
        }
        guard let depth = frame.depth else { return (frame.keyOffset, false) }
        return (frame.keyOffset &+ UInt64(index) << UInt64(8 * depth), true)
    }
}
