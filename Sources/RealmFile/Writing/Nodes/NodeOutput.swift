/// The nodes of a file in the order of their offsets, written once and handed out in runs of bytes.
///
/// A node is named by its offset, so children come before their parents. Holds what was not taken yet.
final class NodeOutput {
    /// The most elements that a node's header can count.
    static let elementLimit = 1 << 24 - 1
    private static let initialCapacity = 1 << 19

    @exclusivity(unchecked) private var bytes: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var capacity = initialCapacity
    /// Bytes that wait to be taken.
    @exclusivity(unchecked) private(set) var pendingCount = 0
    @exclusivity(unchecked) private var takenCount = 0

    init() {
        bytes = .allocate(byteCount: Self.initialCapacity, alignment: 16)
    }

    deinit { bytes.deallocate() }

    /// The offset of the next node.
    var offset: Int { takenCount + pendingCount }

    /// Hands out what waits, and forgets it.
    func take() -> [UInt8] {
        defer {
            takenCount += pendingCount
            pendingCount = 0
        }
        return Array(UnsafeRawBufferPointer(start: bytes, count: pendingCount))
    }

    /// Appends bytes that are no node: the file's header and footer.
    func append(raw: [UInt8]) {
        raw.withUnsafeBytes { grow(by: $0.count).copyMemory(from: $0) }
    }

    /// Appends a node and returns the reference to it.
    ///
    /// - Parameters:
    ///   - count: up to `elementLimit`.
    ///   - width: bits or bytes of an element, as the layout has it; a power of two or 0.
    ///   - payloadBytes: what the elements take.
    ///   - fill: writes the elements over zeros.
    func append(
        _ kind: NodeKind, _ layout: Node.Layout, width: Int, count: Int, payloadBytes: Int,
        fill: (UnsafeMutableRawPointer) -> Void
    ) -> Int64 {
        let ref = Int64(offset)
        let node = appendHeader(kind, layout, width: width, count: count, payloadBytes: payloadBytes)
        guard payloadBytes > 0, let start = node.baseAddress else { return ref }
        let payload = start + Node.headerBytes
        payload.initializeMemory(as: UInt8.self, repeating: 0, count: node.count - Node.headerBytes)
        fill(payload)
        return ref
    }

    /// Appends a node of another file that has no references and no flags.
    func append(_ copied: Node) -> Int64 {
        let ref = Int64(offset)
        let count = copied.payload.count
        let node = appendHeader(
            [], copied.layout, width: copied.layout == .blob ? 0 : copied.width, count: copied.count,
            payloadBytes: count)
        guard let start = node.baseAddress, let source = copied.payload.baseAddress else { return ref }
        let payload = start + Node.headerBytes
        // The last word first: what the elements do not take of it is zero.
        if count & 7 != 0 { payload.storeBytes(of: 0, toByteOffset: count & ~7, as: UInt64.self) }
        payload.copyMemory(from: source, byteCount: count)
        return ref
    }

    /// Makes room for a node and writes its header.
    private func appendHeader(
        _ kind: NodeKind, _ layout: Node.Layout, width: Int, count: Int, payloadBytes: Int
    ) -> UnsafeMutableRawBufferPointer {
        let node = grow(by: Node.headerBytes + (payloadBytes + 7) & ~7)
        let widthIndex = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
        node.storeBytes(of: 0x4141_4141, as: UInt32.self)
        node[4] = kind.rawValue | layout.rawValue << 3 | widthIndex
        node[5] = UInt8(truncatingIfNeeded: count >> 16)
        node[6] = UInt8(truncatingIfNeeded: count >> 8)
        node[7] = UInt8(truncatingIfNeeded: count)
        return node
    }

    private func grow(by count: Int) -> UnsafeMutableRawBufferPointer {
        if pendingCount + count > capacity {
            capacity = max(capacity * 2, pendingCount + count)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: bytes, byteCount: pendingCount)
            bytes.deallocate()
            bytes = larger
        }
        defer { pendingCount += count }
        return UnsafeMutableRawBufferPointer(start: bytes + pendingCount, count: count)
    }
}
