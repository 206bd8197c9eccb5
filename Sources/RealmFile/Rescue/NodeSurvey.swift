import RealmModel

/// Which nodes of a file can't be what they are said to be, found by following every reference once before anything is
/// read.
///
/// In a sound file each node is referred to once, and none overlaps another. So a node that two refer to is not both of
/// theirs, and one that reaches over the header of another has a damaged header of its own: none of these is read. What
/// is left does not overlap, so that reading it all takes no more than the file.
///
/// Takes two bits for eight bytes, of the mebibytes of the file that have nodes.
final class NodeSurvey {
    /// Bytes of the pages that files are written by.
    static let pageBytes = 4096
    /// Nodes that lead to one another; collections of mixed values nest 100 deep, with a few nodes each.
    private static let depthLimit = 1024
    /// `AAAA`: Realm writes it before every node, since some version before 10.
    static let mark: UInt32 = 0x4141_4141

    /// References that lead to no node.
    private(set) var deadReferences = 0

    private let bytes: UnsafeRawBufferPointer
    private let effort: RescueEffort
    private var starts = SparseBits()
    private var refused = SparseBits()
    /// Pages that are not what was written, by number.
    private var damagedPages: Set<Int>

    /// Knows no node yet.
    init(_ file: DamagedFile) {
        bytes = file.bytes
        effort = file.effort
        damagedPages = file.damagedPages
        doubts = DoubtfulBytes(file.bytes)
    }

    /// Whether any reference, node or page was found to be damaged.
    var foundDamage: Bool { deadReferences > 0 || refusedCount > 0 || !damagedPages.isEmpty }
    private var refusedCount = 0

    /// How many references lead to nothing that can be believed.
    var damageCount: Int { deadReferences + refusedCount }
    /// The bytes of readable nodes that may not be what was written.
    private(set) var doubts: DoubtfulBytes

    /// Why a node is not to be read; nil of a sound one.
    func refusal(of node: Node) -> String? {
        guard starts[node.offset] else { return "nothing that was followed leads to the node" }
        if refused[node.offset] { return "the node overlaps another, or is in two places" }
        return isInDamagedPage(node) ? "the node is in a damaged page" : nil
    }

    private func isInDamagedPage(_ node: Node) -> Bool {
        guard !damagedPages.isEmpty else { return false }
        let end = node.offset + Node.headerBytes + node.payload.count
        return (node.offset / Self.pageBytes...(end - 1) / Self.pageBytes).contains { damagedPages.contains($0) }
    }

    /// The bytes of the nodes that were followed, ascending, for tests of damage.
    func ranges(in image: Image) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        starts.forEach(in: 0..<bytes.count) { offset in
            if let node = try? image.uncheckedHeader(at: Int64(offset)) {
                ranges.append(offset..<offset + Node.headerBytes + node.payload.count)
            }
            return true
        }
        return ranges
    }

    /// Refuses nodes that end where none can; of a file with other damage nobody knows where that is.
    func refuseNodes(endingOutside ends: NodeEnds, in image: Image) {
        guard !foundDamage else { return }
        starts.forEach(in: 0..<bytes.count) { offset in
            if let node = try? image.uncheckedHeader(at: Int64(offset)), !ends.contains(Int64(offset + node.byteCount))
            {
                refuse(offset)
            }
            return true
        }
    }

    /// Follows all references from a node on.
    func follow(_ ref: Int64, in image: Image) {
        var frames: [(node: Node, next: Int)] = []
        enter(ref, in: image, &frames)
        while let last = frames.indices.last {
            let (node, index) = frames[last]
            guard index < node.count else {
                frames.removeLast()
                continue
            }
            frames[last].next += 1
            guard let element = try? node.integer(at: index), element != 0, element & 1 == 0 else { continue }
            if frames.count < Self.depthLimit { enter(element, in: image, &frames) } else { deadReferences += 1 }
        }
    }

    /// Takes down a node, and goes on with what it refers to.
    private func enter(_ ref: Int64, in image: Image, _ frames: inout [(node: Node, next: Int)]) {
        guard let node = try? image.uncheckedHeader(at: ref) else {
            deadReferences += 1
            // The node may say that it is longer than the file.
            if let offset = Int(exactly: ref), isPlace(offset) { doubts.noteDead(offset) }
            return
        }
        guard isMarked(node.offset, in: image) else {
            deadReferences += 1
            doubts.noteDead(node.offset)
            blamePage(of: node.offset)
            return
        }
        guard !starts[node.offset] else { return refuse(node.offset) }
        guard !isInDamagedPage(node) else {
            deadReferences += 1
            return
        }
        claim(node, in: image)
        // An element of less than a byte is too small for a reference: millions of them may take no bytes at all.
        guard node.hasRefs, node.layout == .bits, node.width >= 8, !refused[node.offset],
            effort.take(node.count / RescueEffort.elementsPerStep)
        else { return }
        frames.append((node, 0))
    }

    /// Whether a node may be at an offset.
    private func isPlace(_ offset: Int) -> Bool {
        offset >= 24 && offset & 7 == 0 && offset <= bytes.count - Node.headerBytes
    }

    /// A header of zeros where a node is said to be: a page without a byte in it was not written so.
    private func blamePage(of offset: Int) {
        let page = offset / Self.pageBytes
        guard !damagedPages.contains(page) else { return }
        let start = page * Self.pageBytes
        let content = bytes[start..<min(start + Self.pageBytes, bytes.count)]
        if content.allSatisfy({ $0 == 0 }) { damagedPages.insert(page) }
    }

    private func claim(_ node: Node, in image: Image) {
        let end = node.offset + node.byteCount
        // A node that begins inside: this one has a wrong length.
        var overlaps = false
        starts.forEach(in: node.offset + Node.headerBytes..<end) { _ in
            overlaps = true
            return false
        }
        if let before = starts.last(upTo: node.offset), let other = try? image.uncheckedHeader(at: Int64(before)),
            before + other.byteCount > node.offset
        {
            refuse(before)
        }
        starts[node.offset] = true
        doubts.note(node)
        if overlaps { refuse(node.offset) }
    }

    private func refuse(_ offset: Int) {
        if !refused[offset] { refusedCount += 1 }
        refused[offset] = true
    }

    private func isMarked(_ offset: Int, in image: Image) -> Bool {
        image.formatVersion < FormatVersion.clusters.lowerBound
            ? bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0
            : bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == Self.mark
    }
}
