import RealmModel

/// A leaf of strings or of data in any of its forms, REALM_FORMAT section 4.
struct ByteLeaf {
    /// The kind of the elements; strings are followed by a byte that is not part of them.
    enum Content: Int {
        case data = 0
        case string = 1
    }

    /// How the elements are kept.
    enum Form {
        /// Cells of one width, padded.
        case short
        /// One blob and the ends of the elements in it.
        case medium(ends: Node, blob: Node, nulls: Node?)
        /// A blob an element.
        case big
        /// Indexes into a list of distinct strings.
        case enumerated
    }

    let node: Node
    let form: Form
    let content: Content
    let count: Int
    let image: Image
    private let nullIsEmpty: Bool
    /// Zeros that no text has, of a file that may be damaged.
    private let zeros: [Range<Int>]

    /// Recognises the form of a leaf.
    ///
    /// - Parameter nullIsEmpty: whether nulls stand for empty values, as in lists of names.
    init(_ node: Node, of content: Content, in image: Image, nullIsEmpty: Bool = false) throws(InputError) {
        self.node = node
        self.content = content
        self.image = image
        self.nullIsEmpty = nullIsEmpty
        switch (node.layout, node.hasRefs, node.hasContext) {
        case (.cells, false, _) where content == .string:
            form = .short
            count = node.count
        case (.bits, true, false):
            let ends = try image.integers(0, of: node, "the ends of a leaf of strings")
            let blob = try image.requiredChild(1, of: node, "the bytes of a leaf of strings")
            let nulls = try image.child(2, of: node)?.asIntegers("the nulls of a leaf of strings")
            guard blob.layout == .blob, nulls.map({ $0.count == ends.count }) ?? true else {
                throw node.damaged("the parts of a leaf of strings do not agree")
            }
            form = .medium(ends: ends, blob: blob, nulls: nulls)
            count = ends.count
        case (.bits, true, true):
            form = .big
            count = node.count
        case (.bits, false, _) where content == .string:
            form = .enumerated
            count = node.count
        default: throw node.damaged("a leaf of strings or data of no known form")
        }
        switch form {
        case .short where content == .string && node.width > 1: zeros = image.doubtfulZeros(in: node)
        case .medium(_, let blob, _) where content == .string: zeros = image.doubtfulZeros(in: blob)
        default: zeros = []
        }
    }

    /// One element as text, repaired where it is no valid UTF-8; nil where it is null.
    func text(at index: Int) throws(InputError) -> String? {
        try withBytes(at: index) { $0.map { image.text($0) } }
    }

    /// One element as the name of a table or of a column; nil where it is null.
    ///
    /// - Throws: `InputError.Code.damaged` where it is no valid UTF-8: a class of another name is another. A rescue reads it, repaired.
    func name(at index: Int) throws(InputError) -> String? {
        let before = image.repairedTexts
        let name = try text(at: index)
        guard image.repairedTexts == before || image.isOfDamagedFile else {
            throw node.damaged("a name that is no valid UTF-8")
        }
        return name
    }

    /// Hands the bytes of an element to a function; nil where it is null.
    func withBytes<Result>(
        at index: Int, _ body: (UnsafeRawBufferPointer?) throws(InputError) -> Result
    ) throws(InputError) -> Result {
        guard index >= 0, index < count else { throw node.damaged("element \(index) of a leaf of \(count)") }
        switch form {
        case .short: return try body(try shortCell(at: index) ?? ifNull)
        case .medium(let ends, let blob, let nulls):
            if let nulls, (try nulls.integer(at: index) != 0) != zeroIsNull { return try body(ifNull) }
            let start = index == 0 ? 0 : try ends.integer(at: index - 1)
            let run = try run(start, try ends.integer(at: index), of: blob)
            if image.isOfDamagedFile, content == .string { try check(run, startingAt: Int(start), index, in: blob) }
            return try body(run)
        case .big:
            guard let blob = try image.child(index, of: node) else { return try body(ifNull) }
            return try withBlob(blob, body)
        case .enumerated: throw node.damaged("a leaf of strings holds numbers")
        }
    }

    /// Bytes that an element of the form `big` takes, from the headers of its nodes alone.
    func bigElementBytes(at index: Int) throws(InputError) -> Int {
        guard let ref = try node.reference(at: index) else { return 0 }
        let blob = try image.header(at: ref)
        guard blob.hasRefs, blob.width >= 8 else { return blob.payload.count }
        var total = 0
        for part in 0..<blob.count {
            guard let ref = try blob.reference(at: part) else { continue }
            total += try image.header(at: ref).payload.count
        }
        return total
    }

    /// Whether 0, not 1, marks a null, as for strings of formats before 10.
    private var zeroIsNull: Bool {
        content == .string && image.formatVersion < FormatVersion.clusters.lowerBound
    }

    private var ifNull: UnsafeRawBufferPointer? {
        nullIsEmpty ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
    }

    private func shortCell(at index: Int) throws(InputError) -> UnsafeRawBufferPointer? {
        let width = node.width
        guard width > 0 else { return nil }
        let padding = Int(node.payload[(index + 1) * width - 1])
        guard padding <= width else { throw node.damaged("the padding of a string") }
        if padding < width { try checkZeros(in: index * width..<(index + 1) * width - padding, of: node) }
        return padding == width ? nil : node.bytes(index * width..<(index + 1) * width - 1 - padding)
    }

    /// Whether the leaf has texts in a run of zeros, so that they have to be read one by one.
    var hasDoubtfulTexts: Bool { !zeros.isEmpty }

    /// Checks that a text ends where the next begins, as one of a file that is not damaged does.
    private func check(
        _ run: UnsafeRawBufferPointer, startingAt start: Int, _ index: Int, in blob: Node
    ) throws(InputError) {
        guard start >= index, start == 0 || blob.payload[start - 1] == 0, blob.payload[start + run.count] == 0 else {
            throw blob.damaged("a text that does not end with a zero")
        }
        try checkZeros(in: start..<start + run.count, of: blob)
    }

    /// - Throws: `InputError.Code.damaged` where some bytes of a text stand in a run of zeros that is longer than it is.
    private func checkZeros(in range: Range<Int>, of node: Node) throws(InputError) {
        guard !zeros.isEmpty, !range.isEmpty else { return }
        let start = node.offset + Node.headerBytes
        let place = start + range.lowerBound..<start + range.upperBound
        for run in zeros where run.overlaps(place) {
            // One long text of zeros alone, its end and that of the one before it included.
            if run.lowerBound >= place.lowerBound - 1, run.upperBound <= place.upperBound + 1 { continue }
            throw node.damaged("a text in a run of zeros")
        }
    }

    private func run(_ start: Int64, _ end: Int64, of blob: Node) throws(InputError) -> UnsafeRawBufferPointer {
        guard start >= 0, end >= 0, end <= blob.payload.count, start <= end - Int64(content.rawValue) else {
            throw node.damaged("the end of an element of a leaf of strings")
        }
        return blob.bytes(Int(start)..<Int(end) - content.rawValue)
    }

    private func withBlob<Result>(
        _ blob: Node, _ body: (UnsafeRawBufferPointer?) throws(InputError) -> Result
    ) throws(InputError) -> Result {
        guard blob.hasRefs else { return try body(try run(0, Int64(blob.payload.count), of: try asBlob(blob))) }
        var joined: [UInt8] = []
        for index in 0..<blob.count {
            joined += try asBlob(try image.requiredChild(index, of: blob, "a part of a long value")).payload
        }
        guard joined.count >= content.rawValue else { throw blob.damaged("the end of a long value") }
        joined.removeLast(content.rawValue)
        return try joined.withUnsafeBufferPointer { bytes throws(InputError) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }

    private func asBlob(_ node: Node) throws(InputError) -> Node {
        guard node.layout == .blob else { throw node.damaged("a value that is no run of bytes") }
        return node
    }
}
