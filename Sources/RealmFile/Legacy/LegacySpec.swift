import RealmModel

/// The columns of a table of a format before 10, REALM_FORMAT section 20.
struct LegacySpec {
    private static let subtable: Int64 = 5
    private static let indexedBit: Int64 = 1
    /// The hidden column of synchronised files.
    private static let hiddenName = "!OID"

    private(set) var columns: [StoredColumn] = []
    private(set) var trees: [LegacyTree] = []
    private var columnNames: Set<NameKey> = []

    private let types: Node
    private let names: ByteLeaf
    private let attributes: Node
    private let subspecs: Node?
    private let enumerations: Node?
    private let image: Image
    /// The next entry of the arrays that have none for every column.
    private var nextSubspec = 0
    private var nextEnumeration = 0

    /// Reads a spec and finds the tree of each of its columns.
    init(_ spec: Node, columns refs: Node, in image: Image) throws(InputError) {
        self.image = image
        types = try image.integers(0, of: spec, "the list of column types")
        names = try ByteLeaf(
            image.requiredChild(1, of: spec, "the list of column names"), of: .string, in: image, nullIsEmpty: true)
        attributes = try image.integers(2, of: spec, "the list of column attributes")
        subspecs = try image.child(3, of: spec)?.asIntegers("the list of subtables")
        enumerations = try image.child(4, of: spec)?.asIntegers("the list of enumerated columns")
        guard attributes.count == types.count else {
            throw spec.damaged("the lists of a spec are of different lengths")
        }
        guard types.count <= StoredColumn.countLimit else {
            throw spec.damaged("a table of \(types.count) columns")
        }
        var entry = 0
        for index in 0..<types.count {
            try readColumn(index, root: try refs.reference(at: entry))
            entry += try attributes.integer(at: index) & Self.indexedBit == 0 ? 1 : 2
        }
    }

    private mutating func readColumn(_ index: Int, root: Int64?) throws(InputError) {
        let code = try types.integer(at: index)
        if code == StoredColumn.TypeCode.backlink {
            nextSubspec += 2
            return
        }
        let name = try uniqueName(index)
        let content = try content(of: code, named: name)
        let attributes = ColumnAttributes(rawValue: try attributes.integer(at: index))
        let target = content == .link || content == .linkList ? try takeTarget() : nil
        let enumeration = content == .enumeratedString ? try takeEnumeration() : nil
        if name.hasSameBytes(as: Self.hiddenName) { return }
        guard let root else { throw types.damaged("a column has no values") }
        _ = columnNames.insert(name: name)
        columns.append(
            Self.column(
                name, content, attributes, key: ColumnKey(value: Int64(index)), enumeration: enumeration,
                target: target))
        trees.append(LegacyTree(content: content, root: root))
    }

    private static func column(
        _ name: String, _ content: LegacyTree.Content, _ attributes: ColumnAttributes, key: ColumnKey,
        enumeration: Int64?, target: Int64?
    ) -> StoredColumn {
        var collection = CollectionKind.none
        var attributes = attributes
        switch content {
        case .linkList: collection = .list
        case .list(_, let isNullable):
            collection = .list
            attributes = isNullable ? .nullable : []
        default: break
        }
        return StoredColumn(
            name: name, type: content.propertyType, collection: collection, attributes: attributes, key: key,
            enumeration: enumeration, targetTable: target)
    }

    /// The name of a column, as Realm's upgrade makes it where it is empty or there already.
    private func uniqueName(_ index: Int) throws(InputError) -> String {
        let name = index < names.count ? try names.name(at: index) ?? "" : ""
        if name.isEmpty { return "col_\(index)" }
        return columnNames.contains(name: name) ? "\(name)_\(index)" : name
    }

    private mutating func content(of code: Int64, named name: String) throws(InputError) -> LegacyTree.Content {
        if code == Self.subtable { return try takeSubtable(named: name) }
        guard let content = LegacyTree.Content(typeCode: code) else {
            throw .unsupported(
                "A column is of type \(code), which no property has.", at: types.offset, property: name)
        }
        return content
    }

    private mutating func takeTarget() throws(InputError) -> Int64 {
        guard let target = try subspecs?.tagged(at: nextSubspec) else { throw types.damaged("a link has no target") }
        nextSubspec += 1
        return target
    }

    private mutating func takeEnumeration() throws(InputError) -> Int64 {
        guard let root = try enumerations?.reference(at: nextEnumeration) else {
            throw types.damaged("an enumerated column has no list of values")
        }
        nextEnumeration += 1
        return root
    }

    /// A subtable of one column is a list; no SDK made others.
    private mutating func takeSubtable(named name: String) throws(InputError) -> LegacyTree.Content {
        guard let subspecs else { throw types.damaged("a subtable has no spec") }
        let spec = try image.integers(nextSubspec, of: subspecs, "the spec of a subtable")
        nextSubspec += 1
        let types = try image.integers(0, of: spec, "the list of column types")
        let attributes = try image.integers(2, of: spec, "the list of column attributes")
        guard types.count == 1, let content = LegacyTree.Content(typeCode: try types.integer(at: 0)),
            ![.link, .linkList, .enumeratedString].contains(content)
        else { throw .unsupported("A column holds tables.", at: spec.offset, property: name) }
        let isNullable = ColumnAttributes(rawValue: try attributes.integer(at: 0)).contains(.nullable)
        return .list(of: content, isNullable: isNullable)
    }
}
