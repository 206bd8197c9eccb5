import Columns
import RealmModel

/// Decodes mixed values into the coding that columns have for them.
final class MixedDecoder: ColumnDecoder {
    private let image: Image
    private let classNames: [Int64: String]
    private let builder = ColumnBuilder(ColumnType(.mixed))
    private var leaf: MixedLeaf?

    init(in image: Image, classNames: [Int64: String]) {
        self.image = image
        self.classNames = classNames
    }

    var count: Int { builder.count }
    var byteCount: Int { builder.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let opened = try MixedLeaf(leaf, in: image, classNames: classNames)
        self.leaf = opened
        return opened.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int { ListDecoder.rowsAtOnce }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            let value = try leaf.value(at: row)
            do { try builder.append(value) } catch { throw .rowTooLarge }
        }
    }

    func take() -> ColumnArray { builder.finish() }
}
