import Columns
import RealmModel

/// Decodes strings and data in all forms of leaves.
final class TextDecoder: ColumnDecoder {
    private let content: ByteLeaf.Content
    private let isRequired: Bool
    private let image: Image
    private let enumeration: Enumeration?
    private var leaf: ByteLeaf?
    private var cells = CellBuffer<UInt8>()
    private var ends = CellBuffer<Int32>()
    private var validity = ValidityBuffer()

    init(_ content: ByteLeaf.Content, isRequired: Bool, in image: Image, enumeration: Enumeration?) {
        self.content = content
        self.isRequired = isRequired
        self.image = image
        self.enumeration = enumeration
    }

    var count: Int { ends.count }
    var byteCount: Int { cells.count + ends.count * 4 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let opened = try ByteLeaf(leaf, of: content, in: image)
        self.leaf = opened
        return opened.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int {
        guard let leaf, case .big = leaf.form else { return .max }
        var left = bytes
        for index in row..<leaf.count {
            left -= try leaf.bigElementBytes(at: index)
            if left < 0 { return max(index - row, 1) }
        }
        return .max
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        switch leaf.form {
        case .short where UTF8Text.isASCII(leaf.node.payload): try appendShort(rows, of: leaf.node)
        case .enumerated: try appendEnumerated(rows, of: leaf.node)
        default: try appendEach(rows, of: leaf)
        }
    }

    func take() -> ColumnArray {
        ColumnArray(
            count: count, validity: validity.take(),
            values: .variable(offsets: ends.takeOffsets(), bytes: cells.take()))
    }

    /// Appends cells of ASCII: a tight loop without checks of the text.
    private func appendShort(_ rows: Range<Int>, of node: Node) throws(InputError) {
        let width = node.width
        guard width > 0, let source = node.payload.baseAddress else { return try appendNulls(rows.count) }
        try checkRoom(for: rows.count * width)
        for row in rows {
            let cell = source + row * width
            let padding = Int(cell.load(fromByteOffset: width - 1, as: UInt8.self))
            guard padding <= width else { throw node.damaged("the padding of a string") }
            if padding < width {
                cells.append(contentsOf: UnsafeRawBufferPointer(start: cell, count: width - 1 - padding))
            }
            endRow(isNull: padding == width)
        }
    }

    private func appendEnumerated(_ rows: Range<Int>, of node: Node) throws(InputError) {
        guard let enumeration else { throw node.damaged("an enumerated column has no list of values") }
        for row in rows {
            guard let isValid = enumeration.append(try node.integer(at: row), to: &cells) else {
                throw node.damaged("the number of an enumerated string")
            }
            try checkRoom(for: 0)
            endRow(isNull: !isValid)
        }
    }

    private func appendEach(_ rows: Range<Int>, of leaf: ByteLeaf) throws(InputError) {
        for row in rows {
            try leaf.withBytes(at: row) { run throws(InputError) in
                guard let run else { return endRow(isNull: true) }
                // A repair makes at most three bytes of one.
                try checkRoom(for: run.count * 3)
                if content == .string {
                    UTF8Text.append(run, to: &cells)
                } else {
                    cells.append(contentsOf: run)
                }
                endRow(isNull: false)
            }
        }
    }

    private func appendNulls(_ count: Int) throws(InputError) {
        for _ in 0..<count { endRow(isNull: true) }
    }

    private func endRow(isNull: Bool) {
        ends.append(Int32(truncatingIfNeeded: cells.count))
        validity.append(isRequired || !isNull)
    }

    private func checkRoom(for added: Int) throws(InputError) {
        guard cells.count + added <= Int(Int32.max) else { throw .rowTooLarge }
    }
}
