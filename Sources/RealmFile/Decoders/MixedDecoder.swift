import Columns
import RealmModel

/// Decodes mixed values into the coding that columns have for them.
///
/// A link to a tombstone (REALM_FORMAT, 13.4) is null, and no element of a set: there a null of its own may stand, and
/// two would be one too many.
final class MixedDecoder: ColumnDecoder {
    private let image: Image
    private let targets: LinkTargets
    private let isInSet: Bool
    private let builder = ColumnBuilder(ColumnType(.mixed))
    private var leaf: MixedLeaf?

    init(isInSet: Bool = false, in image: Image, targets: LinkTargets) {
        self.image = image
        self.targets = targets
        self.isInSet = isInSet
    }

    var count: Int { builder.count }
    var byteCount: Int { builder.byteCount }

    func open(_ leaf: Node) throws(InputError) -> Int {
        let opened = try MixedLeaf(leaf, in: image, targets: targets)
        self.leaf = opened
        return opened.count
    }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int { ListDecoder.rowsAtOnce }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        for row in rows {
            if isInSet, try leaf.isUnresolvedLink(at: row) { continue }
            let value = try leaf.value(at: row)
            do { try builder.append(value) } catch { throw .rowTooLarge }
        }
    }

    func take() -> ColumnArray { builder.finish() }
}
