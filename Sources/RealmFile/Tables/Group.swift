import RealmModel

/// The top array of a file, REALM_FORMAT section 6: the tables, and what the file says about itself.
struct Group {
    /// Where a top array has the number of the transaction that wrote it.
    static let versionSlot = 6
    /// The transactions in which free space became free.
    static let freeVersionsSlot = 5

    /// The tables that have not been removed, in the order of the file.
    let tables: [Table]
    /// The number of the transaction that wrote the file last.
    let snapshotVersion: Int64
    /// The history kept in the file.
    let history: HistoryPlace
    /// Bytes of the file that no node takes.
    let freeBytes: Int

    /// Reads the tables' descriptions; no object is read.
    init(topRef: Int64, of image: Image) throws(InputError) {
        let top = try image.node(at: topRef).asIntegers("the top array")
        guard [2, 3, 5, 7, 9, 10, 11, 12].contains(top.count) else {
            throw top.damaged("a top array of \(top.count) entries")
        }
        try Self.checkSize(top, of: image)
        snapshotVersion = max(try top.tagged(at: Self.versionSlot) ?? 1, 1)
        history = try HistoryPlace(top)
        freeBytes = try Self.freeBytes(top, of: image)
        tables = try Self.readTables(top, of: image)
    }

    private static func checkSize(_ top: Node, of image: Image) throws(InputError) {
        let size = try top.tagged(at: 2) ?? 0
        guard size <= image.bytes.count else {
            throw .truncated("it has \(image.bytes.count) of its \(size) bytes", at: image.bytes.count)
        }
    }

    private static func freeBytes(_ top: Node, of image: Image) throws(InputError) -> Int {
        guard let lengths = try image.child(4, of: top)?.asIntegers("the list of free space") else { return 0 }
        var total: Int64 = 0
        for index in 0..<lengths.count {
            let length = try lengths.integer(at: index)
            guard length >= 0, length <= image.bytes.count else { throw lengths.damaged("a length of free space") }
            total += length
        }
        return Int(min(total, Int64(image.bytes.count)))
    }

    private static func readTables(_ top: Node, of image: Image) throws(InputError) -> [Table] {
        let names = try ByteLeaf(
            image.requiredChild(0, of: top, "the list of table names"), of: .string, in: image, nullIsEmpty: true)
        let refs = try image.integers(1, of: top, "the list of tables")
        guard names.count == refs.count else {
            throw refs.damaged("\(refs.count) tables and \(names.count) names")
        }
        var tables: [Table] = []
        var columnCount = 0
        for index in 0..<refs.count {
            // A tagged element is a table that was removed.
            if try refs.integer(at: index) & 1 == 1 { continue }
            let name = try names.name(at: index) ?? ""
            do {
                tables.append(
                    try table(named: name, image.requiredChild(index, of: refs, "a table"), at: index, of: image))
            } catch {
                throw error.within(className: Table.className(ofTable: name) ?? name)
            }
            columnCount += tables.last?.columns.count ?? 0
            if let violation = SchemaLimit.violation(classCount: tables.count, propertyCount: columnCount) {
                throw InputError(.tooLarge, ProblemItem(violation))
            }
        }
        if isLegacy(image) { try LegacyPrimaryKeys.assign(to: &tables, in: image) }
        return tables
    }

    private static func table(
        named name: String, _ top: Node, at index: Int, of image: Image
    ) throws(InputError) -> Table {
        isLegacy(image)
            ? try Table(name: name, top, legacyAt: index, in: image) : try Table(name: name, top, in: image)
    }

    private static func isLegacy(_ image: Image) -> Bool { image.formatVersion < FormatVersion.clusters.lowerBound }
}
