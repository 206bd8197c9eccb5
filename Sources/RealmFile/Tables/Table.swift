import RealmModel

/// A table's description, REALM_FORMAT sections 7 and 8; no object is read for it.
struct Table {
    /// The prefix of the tables that are classes.
    private static let classPrefix = "class_"
    /// Entries of the top array in formats before 10; interrupted upgrades have more.
    private static let legacyEntries = 2

    /// Where the values are.
    enum Layout {
        /// Formats 10 and later: the root of a tree of clusters.
        case clusters(root: Int64)
        /// Formats before 10: a tree for each column.
        case trees([LegacyTree])
    }

    /// Bytes from the start of the file to the top array.
    let offset: Int
    let name: String
    let key: Int64
    let kind: ClassKind
    /// The columns in spec order, backlinks left out.
    let columns: [StoredColumn]
    /// Whether values of a column may be another's, as `Spec.sharesPlaces` says.
    let sharesPlaces: Bool
    /// The column that is the primary key; formats before 10 keep it in a table of its own.
    var primaryKey: ColumnKey?
    /// The number that the next object's key is made of.
    let nextSequence: Int64
    let layout: Layout

    /// The class that the table holds; nil for Realm's own tables.
    var className: String? { Self.className(ofTable: name) }

    /// The class that a table of a name holds; nil for Realm's own tables.
    static func className(ofTable name: String) -> String? {
        // By bytes: a name that begins with a combining mark is one character with the prefix's last.
        name.utf8.starts(with: classPrefix.utf8)
            ? String(decoding: name.utf8.dropFirst(classPrefix.utf8.count), as: UTF8.self) : nil
    }

    /// The name of the table that holds a class.
    static func tableName(ofClass name: String) -> String { classPrefix + name }

    /// Reads a table's top array and spec.
    init(name: String, _ top: Node, in image: Image) throws(InputError) {
        let top = try top.asIntegers("a table")
        guard let spec = try image.child(0, of: top)?.asIntegers("the spec of a table") else {
            throw top.damaged("a table has no spec")
        }
        guard try top.reference(at: 1) == nil else {
            throw .unsupported(
                "A table has columns of formats before 10: an upgrade of the file was interrupted.", at: top.offset)
        }
        guard let clusters = try top.reference(at: 2) else { throw top.damaged("a table has no objects") }
        self.name = name
        offset = top.offset
        layout = .clusters(root: clusters)
        key = try top.tagged(at: 3) ?? 0
        nextSequence = max(try top.tagged(at: 9) ?? 0, 0)
        primaryKey = try top.tagged(at: 11).map { ColumnKey(value: $0) }
        kind = try Self.kind(try top.tagged(at: 12) ?? 0, of: top)
        let description = try Spec(spec, in: image)
        columns = try description.columns(targets: image.child(7, of: top))
        sharesPlaces = description.sharesPlaces
    }

    /// Reads a table of a format before 10.
    ///
    /// - Parameter index: the table's position, which is its key.
    init(name: String, _ top: Node, legacyAt index: Int, in image: Image) throws(InputError) {
        let top = try top.asIntegers("a table")
        guard top.count == Self.legacyEntries else {
            throw .unsupported(
                "A table has parts of formats before 10 and of later ones: an upgrade of the file was interrupted.",
                at: top.offset)
        }
        let spec = try LegacySpec(
            image.integers(0, of: top, "the spec of a table"),
            columns: image.integers(1, of: top, "the columns of a table"), in: image)
        self.name = name
        offset = top.offset
        key = Int64(index)
        kind = .topLevel
        nextSequence = 0
        columns = spec.columns
        sharesPlaces = false
        layout = .trees(spec.trees)
    }

    private static func kind(_ flags: Int64, of top: Node) throws(InputError) -> ClassKind {
        switch flags & 3 {
        case 0: .topLevel
        case 1: .embedded
        case 2: .asymmetric
        default: throw top.damaged("the type of a table")
        }
    }
}
