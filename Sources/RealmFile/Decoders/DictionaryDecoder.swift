import Columns
import RealmModel

/// Decodes dictionaries, whose values are stored as mixed values whatever type the property declares.
final class DictionaryDecoder: ColumnDecoder {
    private let column: StoredColumn
    private let image: Image
    private let targets: LinkTargets
    private let builder: ColumnBuilder
    private var leaf: Node?

    init(_ column: StoredColumn, in image: Image, targets: LinkTargets) {
        self.column = column
        self.image = image
        self.targets = targets
        builder = ColumnBuilder(ColumnType(column.type, .dictionary))
    }

    var count: Int { builder.count }
    var byteCount: Int { builder.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asIntegers("a leaf of dictionaries")
        return leaf.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int { ListDecoder.rowsAtOnce }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            var entries: [DictionaryEntry] = []
            if let root = try image.child(row, of: leaf) {
                entries = try DictionaryTree(root, in: image, targets: targets).entries(depth: 0)
                for index in entries.indices { try Self.declare(&entries[index].value, as: column, in: root) }
            }
            try append(entries, in: leaf)
        }
    }

    func take() -> ColumnArray { builder.finish() }

    /// Turns a mixed value into one of the property's type.
    static func declare(_ value: inout Value, as column: StoredColumn, in root: Node) throws(InputError) {
        switch (value, column.type) {
        case (_, .mixed): return
        case (.typedLink(_, let key), .object): value = .link(key)
        case (.null, _) where !column.attributes.contains(.nullable) && column.type != .object:
            throw root.damaged("a value of a dictionary is null")
        default: return
        }
    }

    private func append(_ entries: [DictionaryEntry], in leaf: Node) throws(InputError) {
        do {
            try builder.append(.dictionary(entries))
        } catch .rowGroupTooLarge {
            throw .rowTooLarge
        } catch {
            throw leaf.damaged("a value of a dictionary is of another type than its property")
        }
    }
}
