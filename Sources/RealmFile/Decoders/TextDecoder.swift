import Columns
import RealmModel

/// Decodes strings and data in all forms of leaves.
final class TextDecoder: ColumnDecoder {
    private let content: ByteLeaf.Content
    private let image: Image
    private let enumeration: Enumeration?
    private var leaf: ByteLeaf?
    private var cells: TextCells

    init(_ content: ByteLeaf.Content, isRequired: Bool, in image: Image, enumeration: Enumeration?) {
        self.content = content
        self.image = image
        self.enumeration = enumeration
        cells = TextCells(isRequired: isRequired)
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let opened = try ByteLeaf(leaf, of: content, in: image)
        self.leaf = opened
        return opened.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int {
        guard let leaf else { return .max }
        switch (leaf.form, enumeration) {
        case (.big, _):
            return try rowsFitting(in: bytes, from: row, of: leaf.count) { index throws(InputError) in
                try leaf.bigElementBytes(at: index)
            }
        case (.enumerated, let enumeration?):
            return try rowsFitting(in: bytes, from: row, of: leaf.count) { index throws(InputError) in
                enumeration.byteCount(of: try leaf.node.integer(at: index))
            }
        default: return .max
        }
    }

    private func rowsFitting(
        in bytes: Int, from row: Int, of count: Int, _ size: (Int) throws(InputError) -> Int
    ) throws(InputError) -> Int {
        var left = bytes
        for index in row..<count {
            left -= try size(index)
            if left < 0 { return max(index - row, 1) }
        }
        return .max
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        switch leaf.form {
        case .short where UTF8Text.isASCII(leaf.node.payload) && !leaf.hasDoubtfulTexts:
            try cells.appendShort(rows, of: leaf.node)
        case .enumerated:
            guard let enumeration else { throw leaf.node.damaged("an enumerated column has no list of values") }
            try cells.appendEnumerated(rows, of: leaf.node, from: enumeration)
        default: try cells.appendEach(rows, of: leaf)
        }
    }

    func take() -> ColumnArray { cells.take() }
}
