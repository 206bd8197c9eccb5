import Columns
import RealmModel

/// Turns the leaves of one column, one after the other, into the array of a row group.
///
/// Leaves are those of clusters, or those of the B+tree of a collection. A decoder belongs to one column of one class.
protocol ColumnDecoder: AnyObject {
    /// The rows appended since the last `take`.
    var count: Int { get }
    /// Bytes of memory that these rows take, near enough for a budget.
    var byteCount: Int { get }

    /// Starts on a leaf and checks that its parts agree.
    ///
    /// - Returns: the number of its elements.
    func open(_ leaf: Node) throws(InputError) -> Int

    /// How many elements of the leaf, from one on, fit into so many bytes; at least 1. Small elements all do.
    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int

    /// The most elements that a leaf of a collection may have.
    var leafLimit: Int { get }

    /// Appends elements of the leaf that was opened last.
    ///
    /// - Parameter rows: inside the number that `open` returned.
    func append(_ rows: Range<Int>) throws(InputError)

    /// The array of all rows; the decoder is empty again afterwards.
    func take() -> ColumnArray
}

extension ColumnDecoder {
    var leafLimit: Int { BPlusTree.leafLimit }

    func rowsFitting(in bytes: Int, from row: Int) throws(InputError) -> Int { .max }
}

/// Makes the decoder that fits a column.
struct ColumnDecoderFactory {
    let image: Image
    /// The classes that links lead to.
    let targets: LinkTargets

    /// The decoder of a column's leaves in clusters.
    func decoder(of column: StoredColumn) throws(InputError) -> any ColumnDecoder {
        let isRequired = !column.attributes.contains(.nullable)
        switch column.collection {
        case .none: return try single(column, isRequired: isRequired, isElement: false)
        case .list: return ListDecoder(try elements(of: column), in: image)
        case .set: return try set(column)
        case .dictionary: return DictionaryDecoder(column, in: image, targets: targets)
        }
    }

    /// The decoder of the leaves that the elements of a list or of a set are in.
    func elements(of column: StoredColumn) throws(InputError) -> any ColumnDecoder {
        column.type == .mixed && column.collection == .set
            ? MixedDecoder(isInSet: true, in: image, targets: targets)
            : try single(column, isRequired: !column.attributes.contains(.nullable), isElement: true)
    }

    private func set(_ column: StoredColumn) throws(InputError) -> any ColumnDecoder {
        let elements = try elements(of: column)
        let isSorted = image.formatVersion >= FormatVersion.bytewiseSets
        switch column.type {
        case .string where !isSorted, .data where !isSorted, .mixed:
            return ReorderedSetDecoder(elements, of: column.type, isSorted: isSorted, in: image)
        case .decimal128 where column.attributes.contains(.nullable):
            return ReorderedSetDecoder(elements, of: column.type, isSorted: true, in: image)
        default: return ListDecoder(elements, in: image, isSet: true)
        }
    }

    private func single(
        _ column: StoredColumn, isRequired: Bool, isElement: Bool
    ) throws(InputError) -> any ColumnDecoder {
        switch column.type {
        case .int: IntegerDecoder(isNullable: !isRequired)
        case .bool: BoolDecoder(isRequired: isRequired)
        case .float: FloatingPointDecoder<Float>(isNullable: !isRequired)
        case .double: FloatingPointDecoder<Double>(isNullable: !isRequired)
        case .string:
            TextDecoder(.string, isRequired: isRequired, in: image, enumeration: try enumeration(of: column))
        case .data: TextDecoder(.data, isRequired: isRequired, in: image, enumeration: nil)
        case .date: DateDecoder(isRequired: isRequired, in: image)
        case .decimal128: DecimalDecoder(isRequired: isRequired)
        case .objectId: IdentifierDecoder(width: ObjectId.byteCount, isRequired: isRequired)
        case .uuid: IdentifierDecoder(width: UUID.byteCount, isRequired: isRequired)
        case .mixed: MixedDecoder(in: image, targets: targets)
        case .object: LinkDecoder(to: targets[column.targetTable], isElement: isElement)
        case .linkingObjects: throw .damaged("linking objects have no column", at: 0)
        }
    }

    private func enumeration(of column: StoredColumn) throws(InputError) -> Enumeration? {
        guard let root = column.enumeration else { return nil }
        return try Enumeration(root: image.node(at: root), in: image)
    }
}
