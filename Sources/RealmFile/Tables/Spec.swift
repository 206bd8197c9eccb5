import RealmModel

/// The description of a table's columns, REALM_FORMAT section 8.
struct Spec {
    private let types: Node
    private let names: ByteLeaf
    private let attributes: Node
    private let keys: Node
    private let enumerations: Node?
    /// Whether two columns have one place in clusters, so that one of them is not where its values are; of a file that may
    /// be damaged.
    let sharesPlaces: Bool

    /// Reads the arrays of a spec and checks that they agree.
    init(_ spec: Node, in image: Image) throws(InputError) {
        types = try image.integers(0, of: spec, "the list of column types")
        names = try ByteLeaf(
            image.requiredChild(1, of: spec, "the list of column names"), of: .string, in: image, nullIsEmpty: true)
        attributes = try image.integers(2, of: spec, "the list of column attributes")
        enumerations = try image.child(4, of: spec)?.asIntegers("the list of enumerated columns")
        keys = try image.integers(5, of: spec, "the list of column keys")
        guard attributes.count == types.count, keys.count == types.count, names.count <= types.count else {
            throw spec.damaged("the lists of a spec are of different lengths")
        }
        guard types.count <= StoredColumn.countLimit else {
            throw spec.damaged("a table of \(types.count) columns")
        }
        var places: Set<Int> = []
        for index in 0..<keys.count { places.insert(ColumnKey(value: try keys.integer(at: index)).leafIndex) }
        sharesPlaces = places.count < keys.count
        guard !sharesPlaces || image.isOfDamagedFile else { throw keys.damaged("two columns at one place in clusters") }
    }

    /// The columns that are properties.
    ///
    /// - Parameter targets: the tables that links lead to, by leaf index.
    func columns(targets: Node?) throws(InputError) -> [StoredColumn] {
        var columns: [StoredColumn] = []
        for index in 0..<types.count {
            let code = try types.integer(at: index) & 0xffff
            if code == StoredColumn.TypeCode.backlink { continue }
            guard index < names.count, let name = try names.name(at: index) else {
                throw types.damaged("a column has no name")
            }
            columns.append(try column(index, named: name, code: code, targets: targets))
        }
        guard columns.count == names.count else { throw types.damaged("a column that is a backlink has a name") }
        return columns
    }

    private func column(
        _ index: Int, named name: String, code: Int64, targets: Node?
    ) throws(InputError) -> StoredColumn {
        guard let type = StoredColumn.TypeCode.propertyType(code) else {
            throw .unsupported(
                "A column is of type \(code), which no property has.", at: types.offset, property: name)
        }
        let attributes = ColumnAttributes(rawValue: try self.attributes.integer(at: index))
        let key = ColumnKey(value: try keys.integer(at: index))
        let isLink = type == .object
        return StoredColumn(
            name: name, type: type,
            collection: try Self.collection(attributes, code: code, types),
            attributes: attributes, key: key,
            enumeration: try enumerations?.reference(at: index),
            targetTable: isLink ? try targets?.asIntegers("the targets of links").integer(at: key.leafIndex) : nil)
    }

    private static func collection(
        _ attributes: ColumnAttributes, code: Int64, _ types: Node
    ) throws(InputError) -> CollectionKind {
        switch attributes.intersection([.list, .set, .dictionary]) {
        case []: code == StoredColumn.TypeCode.linkList ? .list : .none
        case .list: .list
        case .set: .set
        case .dictionary: .dictionary
        default: throw types.damaged("a column is more than one kind of collection")
        }
    }
}
