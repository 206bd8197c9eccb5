import Columns
import RealmModel

/// The strings or data of a row group under way.
///
/// A value of its own, so that the loops over a leaf have it to themselves and nothing is checked for each cell.
struct TextCells: ~Copyable {
    private let isRequired: Bool
    private var bytes = CellBuffer<UInt8>()
    private var ends = CellBuffer<Int32>()
    private var validity = ValidityBuffer()

    /// - Parameter isRequired: whether nulls become empty values.
    init(isRequired: Bool) {
        self.isRequired = isRequired
    }

    var count: Int { ends.count }
    var byteCount: Int { bytes.count + ends.count * 4 }

    /// Appends padded cells of ASCII, which need no check of their text.
    mutating func appendShort(_ rows: Range<Int>, of node: Node) throws(InputError) {
        let width = node.width
        guard width > 0, let source = node.payload.baseAddress else {
            for _ in rows { endRow(isNull: true) }
            return
        }
        try checkRoom(for: rows.count * width)
        for row in rows {
            let cell = source + row * width
            let padding = Int(cell.load(fromByteOffset: width - 1, as: UInt8.self))
            guard padding <= width else { throw node.damaged("the padding of a string") }
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: cell, count: max(width - 1 - padding, 0)))
            endRow(isNull: padding == width)
        }
    }

    /// Appends elements one by one, strings repaired where they are no valid UTF-8.
    mutating func appendEach(_ rows: Range<Int>, of leaf: ByteLeaf) throws(InputError) {
        for row in rows {
            try leaf.withBytes(at: row) { run throws(InputError) in try append(run, of: leaf) }
        }
    }

    /// Appends values of a list of distinct ones.
    mutating func appendEnumerated(
        _ rows: Range<Int>, of node: Node, from enumeration: Enumeration
    ) throws(InputError) {
        for row in rows {
            guard let isValid = enumeration.append(try node.integer(at: row), to: &bytes) else {
                throw node.damaged("the number of an enumerated string")
            }
            try checkRoom(for: 0)
            endRow(isNull: !isValid)
        }
    }

    /// The array of all rows; empty again afterwards.
    mutating func take() -> ColumnArray {
        ColumnArray(
            count: count, validity: validity.take(),
            values: .variable(offsets: ends.takeOffsets(), bytes: bytes.take()))
    }

    private mutating func append(
        _ run: UnsafeRawBufferPointer?, of leaf: ByteLeaf
    ) throws(InputError) {
        guard let run else { return endRow(isNull: true) }
        // A repair makes at most three bytes of one.
        try checkRoom(for: run.count * 3)
        if leaf.content == .string {
            if !UTF8Text.append(run, to: &bytes) { leaf.image.countRepairedText() }
        } else {
            bytes.append(contentsOf: run)
        }
        endRow(isNull: false)
    }

    private mutating func endRow(isNull: Bool) {
        ends.append(Int32(truncatingIfNeeded: bytes.count))
        validity.append(isRequired || !isNull)
    }

    private func checkRoom(for added: Int) throws(InputError) {
        guard bytes.count + added <= Int(Int32.max) else { throw .rowTooLarge }
    }
}
