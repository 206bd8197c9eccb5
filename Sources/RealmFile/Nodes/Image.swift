import RealmModel

/// The bytes of an unencrypted file and the only way to its nodes.
///
/// Every reference is checked before a node is made of it. Nodes of a sound file do not overlap, so all that are read
/// once together take no more than the file; whoever reads more goes in circles, and a budget of bytes ends that.
final class Image {
    /// The file up to the end of its nodes (a streaming footer is not part of it).
    let bytes: UnsafeRawBufferPointer
    /// The format version, 2 … 24.
    let formatVersion: Int
    /// How many texts were read that are no valid UTF-8 and came back as others; whoever reads a column compares it with
    /// what it was before.
    private(set) var repairedTexts = 0
    @exclusivity(unchecked) private var budget: Int
    private var mixedBudget: Int
    /// The survey that tells which nodes are not to be read; nil where the first damage ends the reading.
    private let survey: NodeSurvey?
    /// Counts the nodes of a file that may be damaged.
    private let effort: RescueEffort?

    /// Wraps bytes that outlive the image.
    init(_ bytes: UnsafeRawBufferPointer, formatVersion: Int) {
        self.bytes = bytes
        self.formatVersion = formatVersion
        // Twice the file and a little, for nodes that are looked at twice.
        budget = bytes.count.multipliedReportingOverflow(by: 2).partialValue &+ 65_536
        mixedBudget = budget
        survey = nil
        effort = nil
    }

    /// Wraps bytes of a file that may be damaged.
    ///
    /// - Parameters:
    ///   - effort: counts every node that is looked at, and ends the reading.
    ///   - survey: says which nodes can be read; nil where any may be looked at.
    init(_ bytes: UnsafeRawBufferPointer, formatVersion: Int, effort: RescueEffort, survey: NodeSurvey? = nil) {
        self.bytes = bytes
        self.formatVersion = formatVersion
        budget = .max
        // Values of a leaf may share their bytes: what is read again row by row counts again.
        mixedBudget = bytes.count.multipliedReportingOverflow(by: 8).partialValue &+ 65_536
        self.survey = survey
        self.effort = effort
    }

    /// Counts the bytes of a mixed value, which a sound file has for this value alone.
    ///
    /// - Throws: `InputError.Code.damaged` where more were counted than the file has: a few bytes that many values
    ///   refer to would fill the memory.
    func countMixedBytes(_ count: Int, of node: Node) throws(InputError) {
        mixedBudget -= count
        guard mixedBudget >= 0 else { throw node.damaged("mixed values share their bytes") }
    }

    /// Whether some bytes of a file that may be damaged are doubtful.
    var hasDoubts: Bool { survey.map { !$0.doubts.isEmpty } ?? false }

    /// The bytes of a node that may not be what was written, counted from the start of the file.
    func doubts(in node: Node) -> [Range<Int>] { survey?.doubts.ranges(of: node) ?? [] }

    /// Those of them that are zeros, and that no text has.
    func doubtfulZeros(in node: Node) -> [Range<Int>] { survey?.doubts.zeros(of: node, believesSectors: true) ?? [] }

    /// Whether doubtful zeros begin inside a node, and go on beyond its end: they may be what is left of its last values.
    func endsInZeros(_ node: Node) -> Bool { survey?.doubts.endsInZeros(node) ?? false }

    /// Whether values that the format allows, and that no Realm writes, are refused.
    var isOfDamagedFile: Bool { survey != nil }

    /// Whether the file has taken all the work that it may take.
    var isSpent: Bool { effort?.isSpent ?? false }

    /// Counts cells that are made of a file that may be damaged.
    func count(cells: Int) { effort?.take(cells / RescueEffort.cellsPerStep + 1) }

    /// The text that bytes are, every ill-formed part replaced by U+FFFD, and counted where there is one.
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        if !UTF8Text.isValid(bytes) { countRepairedText() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Counts a text that is no valid UTF-8 and comes back as another.
    func countRepairedText() { repairedTexts += 1 }

    /// The node at a reference.
    ///
    /// - Throws: `InputError.Code.damaged` where it is not wholly inside the file or of no known layout.
    func node(at ref: Int64) throws(InputError) -> Node {
        let node = try header(at: ref)
        guard effort == nil else { return node }
        budget -= node.byteCount
        guard budget >= 0 else { throw node.damaged("nodes refer to each other in circles") }
        return node
    }

    /// The node at a reference, not counted as read: for looking at its size only.
    func header(at ref: Int64) throws(InputError) -> Node {
        let node = try uncheckedHeader(at: ref)
        if let refusal = survey?.refusal(of: node) { throw node.damaged(refusal) }
        return node
    }

    /// The node at a reference, whatever is known of it.
    func uncheckedHeader(at ref: Int64) throws(InputError) -> Node {
        if let effort, !effort.take() { try effort.check() }
        guard let offset = Int(exactly: ref), offset >= 24, offset & 7 == 0, offset <= bytes.count - Node.headerBytes
        else { throw .damaged("\(ref) is no reference to a node of this file", at: Int(clamping: max(ref, 0))) }
        let flags = bytes[offset + 4]
        let count = Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7])
        guard let layout = Node.Layout(rawValue: flags >> 3 & 3) else {
            throw .damaged("a node of a layout that no known format has", at: offset)
        }
        let width = (1 << Int(flags & 7)) >> 1
        let payload =
            switch layout {
            case .bits: (count * width + 7) / 8
            case .cells: count * width
            case .blob: count
            }
        let start = offset + Node.headerBytes
        guard payload <= bytes.count - start else {
            throw .damaged("a node reaches past the end of the file", at: offset)
        }
        return Node(
            offset: offset, count: count, width: width, layout: layout, isInner: flags & 0x80 != 0,
            hasRefs: flags & 0x40 != 0, hasContext: flags & 0x20 != 0,
            payload: UnsafeRawBufferPointer(rebasing: bytes[start..<start + payload]))
    }

    /// The node that an element of an array refers to; nil where the element is 0 or missing.
    func child(_ index: Int, of node: Node) throws(InputError) -> Node? {
        guard let ref = try node.reference(at: index) else { return nil }
        return try self.node(at: ref)
    }

    /// The node that an element of an array has to refer to.
    func requiredChild(_ index: Int, of node: Node, _ what: String) throws(InputError) -> Node {
        guard let child = try child(index, of: node) else { throw node.damaged("\(what) is missing") }
        return child
    }

    /// The array of integers that an element of an array has to refer to.
    func integers(_ index: Int, of node: Node, _ what: String) throws(InputError) -> Node {
        try requiredChild(index, of: node, what).asIntegers(what)
    }
}
