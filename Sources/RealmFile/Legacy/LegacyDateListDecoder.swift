import Columns
import RealmModel

/// Decodes lists of points in time of formats before 10, each a pair of B+trees.
///
/// To the list the pair is a leaf of its own, with all elements.
final class LegacyDateListDecoder: ColumnDecoder {
    private let isNullable: Bool
    private let image: Image
    private let seconds = IntegerDecoder(isNullable: true)
    private let nanoseconds = NanosecondDecoder()

    init(isNullable: Bool, in image: Image) {
        self.isNullable = isNullable
        self.image = image
    }

    var count: Int { nanoseconds.count }
    var byteCount: Int { seconds.byteCount + nanoseconds.byteCount }
    var leafLimit: Int { .max }

    /// Reads both trees at once; what is counted is what they hold.
    func open(_ leaf: Node) throws(InputError) -> Int {
        let leaf = try leaf.asIntegers("a list of dates")
        let whole = try append(
            image.requiredChild(0, of: leaf, "the seconds of a list of dates"), to: seconds)
        let fractions = try append(
            image.requiredChild(1, of: leaf, "the nanoseconds of a list of dates"), to: nanoseconds)
        guard whole == fractions else { throw leaf.damaged("the parts of a list of dates do not agree") }
        return whole
    }

    /// Nothing is left to append.
    func append(_ rows: Range<Int>) throws(InputError) {}

    func take() -> ColumnArray {
        .dates(seconds: seconds.take(), nanoseconds: nanoseconds.take(), isRequired: !isNullable)
    }

    private func append(_ root: Node, to decoder: any ColumnDecoder) throws(InputError) -> Int {
        try BPlusTree.forEachLeaf(of: root, in: image) { leaf throws(InputError) in
            let count = try decoder.open(leaf)
            guard count <= BPlusTree.leafLimit else { throw leaf.damaged("a leaf of \(count) elements") }
            try decoder.append(0..<count)
            guard decoder.byteCount <= Int(Int32.max) else { throw .rowTooLarge }
            return count
        }
    }
}
