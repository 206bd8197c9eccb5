/// Appends the nodes of a search index while its entries come in order, REALM_FORMAT section 14.
///
/// A value is kept at the first level at which no other value has its chunk, so each waits for the one after it; where
/// whole values are kept, as for lists of strings, not above the level of its last chunk.
struct IndexTreeWriter {
    /// The most entries of a node.
    private static let nodeLimit = 1000
    private static let missing: UInt32 = 0x8000_0000

    /// The objects with one value, in a list that grows.
    private struct Objects {
        var keys: [Int64]
        var tree: BPlusTreeWriter?

        mutating func add(_ key: Int64, to output: NodeOutput) {
            // A list may hold a value twice.
            if key == keys[keys.count - 1] { return }
            if keys.count == BPlusTree.leafLimit {
                var tree = tree ?? BPlusTreeWriter(output)
                tree.add(leaf: output.append(integers: keys), count: keys.count)
                self.tree = tree
                keys.removeAll(keepingCapacity: true)
            }
            keys.append(key)
        }

        /// The element of an index node.
        func finish(_ output: NodeOutput) -> Int64 {
            guard var tree else {
                return keys.count == 1 ? NodeOutput.tagged(keys[0]) : output.append(integers: keys)
            }
            tree.add(leaf: output.append(integers: keys), count: keys.count)
            return tree.finish()
        }
    }

    /// A node that takes more elements; what is full has been appended.
    private struct OpenNode {
        var chunks: [Int64] = []
        var elements: [Int64] = []
        /// Nodes that were full, and the last chunk of each.
        var full: [(chunk: Int64, ref: Int64)] = []

        mutating func add(_ chunk: Int64, _ element: Int64, to output: NodeOutput) {
            if elements.count == nodeLimit { close(output) }
            chunks.append(chunk)
            elements.append(element)
        }

        mutating func finish(_ output: NodeOutput) -> Int64 {
            if full.isEmpty { return Self.append(chunks, elements, [], to: output) }
            close(output)
            while full.count > 1 {
                full = stride(from: 0, to: full.count, by: nodeLimit).map { start in
                    let children = full[start..<min(start + nodeLimit, full.count)]
                    let chunks = children.map(\.chunk)
                    return (chunks[chunks.count - 1], Self.append(chunks, children.map(\.ref), .inner, to: output))
                }
            }
            return full[0].ref
        }

        private mutating func close(_ output: NodeOutput) {
            full.append((chunks[chunks.count - 1], Self.append(chunks, elements, [], to: output)))
            chunks.removeAll(keepingCapacity: true)
            elements.removeAll(keepingCapacity: true)
        }

        private static func append(
            _ chunks: [Int64], _ elements: [Int64], _ kind: NodeKind, to output: NodeOutput
        ) -> Int64 {
            let chunksRef = chunks.withUnsafeBufferPointer { output.append(integers: $0, [], width: 32) }
            return output.append(integers: [chunksRef] + elements, kind.union([.hasRefs, .context]))
        }
    }

    private let output: NodeOutput
    /// The open nodes from the root down.
    private var nodes = [OpenNode()]
    /// The chunks of the value that waits, and of the one that came.
    private var pending: [UInt32] = []
    private var coming: [UInt32] = []
    private var objects: Objects?
    /// The bytes behind the chunks of the value that waits.
    private var tail: [UInt8] = []
    private var hasSeveralValues = false
    /// The level at which the value that waits differs from the one before it.
    private var levelBefore = 0

    private let keepsWholeValues: Bool

    init(_ output: NodeOutput, keepsWholeValues: Bool = false) {
        self.output = output
        self.keepsWholeValues = keepsWholeValues
    }

    /// Takes the next entry.
    mutating func add(_ entry: IndexRun.Entry, of run: IndexRun) {
        read(run.chunks(of: entry))
        if objects != nil {
            guard let level = differingLevel else {
                noteTail(run.tail(of: entry))
                objects?.add(entry.key, to: output)
                return
            }
            place(levelAfter: level)
            levelBefore = level
        }
        swap(&pending, &coming)
        tail = Array(run.tail(of: entry))
        hasSeveralValues = false
        objects = Objects(keys: [entry.key])
    }

    /// Appends what is missing and returns the root.
    mutating func finish() -> Int64 {
        if objects != nil { place(levelAfter: 0) }
        return nodes[0].finish(output)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        coming.removeAll(keepingCapacity: true)
        for start in stride(from: 0, to: bytes.count, by: IndexRun.chunkBytes) {
            coming.append(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
        }
    }

    /// The first level at which the value that came differs from the one that waits; nil where none does.
    private var differingLevel: Int? {
        (0..<max(pending.count, coming.count)).first {
            Self.chunk($0, of: pending) != Self.chunk($0, of: coming)
        }
    }

    /// Notices values that differ only behind the last chunk; their list is kept as deep as an index goes.
    private mutating func noteTail(_ bytes: UnsafeRawBufferPointer) {
        guard coming.count == IndexRun.levelLimit else { return }
        if coming.count != pending.count || !tail.elementsEqual(bytes) { hasSeveralValues = true }
    }

    private static func chunk(_ level: Int, of chunks: [UInt32]) -> UInt32 {
        level < chunks.count ? chunks[level] : missing
    }

    /// Puts the value that waits where it belongs, and closes the nodes that the next one is not in.
    private mutating func place(levelAfter: Int) {
        let level =
            hasSeveralValues
            ? IndexRun.levelLimit - 1 : max(levelBefore, levelAfter, keepsWholeValues ? lastLevel : 0)
        while nodes.count <= level { nodes.append(OpenNode()) }
        if let element = objects?.finish(output) {
            nodes[level].add(stored(level), element, to: output)
        }
        while nodes.count - 1 > levelAfter {
            var closed = nodes.removeLast()
            nodes[nodes.count - 1].add(stored(nodes.count - 1), closed.finish(output), to: output)
        }
    }

    /// The level of the last chunk of the value that waits; one of the end's mark alone does not count.
    private var lastLevel: Int {
        let mark = UInt32(UInt8(ascii: "X")) << 24 ^ Self.missing
        return max(pending.count - (pending.last == mark ? 2 : 1), 0)
    }

    /// A chunk of the value that waits, as nodes keep it.
    private func stored(_ level: Int) -> Int64 {
        Int64(Int32(bitPattern: Self.chunk(level, of: pending) ^ Self.missing))
    }
}
