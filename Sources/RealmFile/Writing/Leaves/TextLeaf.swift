/// One leaf of strings or data while its values come.
///
/// Short values are held until the leaf is appended. With the first that is long the leaf is one of references, and
/// every value goes to the file at once; so a leaf takes no more memory than its longest value, however many it has.
struct TextLeaf {
    private let output: NodeOutput
    private let content: ByteLeaf.Content
    private var offsets: [Int32] = [0]
    private var bytes: [UInt8] = []
    private var nulls: [Bool] = []
    /// The references to the values; nil while they are held.
    private var references: [Int64]?
    /// The number of values.
    private(set) var count = 0

    init(of content: ByteLeaf.Content, to output: NodeOutput) {
        self.content = content
        self.output = output
    }

    /// Takes the next value; nil is null.
    mutating func append(_ value: UnsafeRawBufferPointer?) {
        count += 1
        if references == nil, let value, value.count > NodeOutput.mediumLimit(of: content) { appendHeld() }
        if references != nil {
            references?.append(value.map { output.append(value: $0, of: content) } ?? 0)
        } else {
            if let value { bytes.append(contentsOf: value) }
            offsets.append(Int32(bytes.count))
            nulls.append(value == nil)
        }
    }

    /// Appends the leaf.
    func finish() -> Int64 {
        if let references { return output.append(longValues: references) }
        return withRuns { output.append(leaf: $0, of: content) }
    }

    private mutating func appendHeld() {
        references = withRuns { runs in
            (0..<runs.count).map { nulls[$0] ? 0 : output.append(value: runs.bytes(at: $0), of: content) }
        }
        (offsets, bytes, nulls) = ([0], [], [])
    }

    private func withRuns<Result>(_ body: (NodeOutput.Runs) -> Result) -> Result {
        offsets.withUnsafeBufferPointer { offsets in
            bytes.withUnsafeBytes { bytes in body(NodeOutput.Runs(offsets: offsets, bytes: bytes) { nulls[$0] }) }
        }
    }
}
