import Columns
import RealmModel

/// Writes objects of a snapshot as Realm JSON, as the declared schema shows them.
final class ObjectWriter {
    /// How deep embedded objects may nest, so that what is written can be read again.
    private static let depthLimit = 240

    let snapshot: Snapshot
    let store: any SegmentStore
    private let cache: RowGroupCache
    private var views: [NameKey: ClassView] = [:]
    private var depth = 0
    /// Whether texts are to be compared with another realm's, which has other object keys: links to the object whose primary key is null
    /// do not say its key, and sets have links in the order of their texts.
    var isForComparing = false
    /// Whether the reader is a client of a synced realm, who is shown no link to an object that it can't have.
    private let hidesLinks: Bool
    /// Whether the reader gets the objects of the declared classes alone, so that a link to another class leads nowhere.
    let hidesUndeclared: Bool

    /// - Parameters:
    ///   - hidesLinks: whether links to objects that lack a required value, or are of a class that is not declared, count as links to
    ///     nothing.
    ///   - hidesUndeclared: whether a mixed value that links to a class that is not declared is null.
    init(
        _ snapshot: Snapshot, store: any SegmentStore, hidesLinks: Bool = false, hidesUndeclared: Bool = false,
        cacheByteLimit: Int = 64 << 20
    ) {
        self.hidesLinks = hidesLinks
        self.hidesUndeclared = hidesUndeclared
        self.snapshot = snapshot
        self.store = store
        cache = RowGroupCache(byteLimit: cacheByteLimit)
    }

    /// A class of the snapshot; nil where it has none of the name.
    ///
    /// A class that the declared schema leaves out shows as it is stored: mixed values may still link to it.
    func view(of name: String) throws -> ClassView? {
        if let view = views[name: name] { return view }
        guard let stored = snapshot[name] else { return nil }
        let view = try ClassView(snapshot.declared[name] ?? stored.schema, stored, store: store)
        views[name: name] = view
        return view
    }

    /// The row group and row of an object; nil where there is none of the key.
    func find(_ key: Int64, in view: ClassView) throws -> (group: RowGroupView, row: Int)? {
        guard let number = view.group(of: key) else { return nil }
        let group = cache.group(number, of: view)
        return try group.row(of: key).map { (group, $0) }
    }

    /// Whether a link is not shown.
    func hidesLink(to key: Int64, of className: String) throws -> Bool {
        guard hidesLinks else { return false }
        guard let declared = snapshot.declared[className], let view = try view(of: className) else { return true }
        guard !declared.isEmbedded, view.reader.stored.unsyncedCount > 0 else { return false }
        guard let (group, row) = try find(key, in: view) else { return true }
        return try group.unsyncedRows()?[row] == true
    }

    /// Appends an object.
    func append(row: Int, of group: RowGroupView, to out: inout [UInt8]) throws {
        let schema = group.view.schema
        out.append(UInt8(ascii: "{"))
        var isFirst = true
        if schema.primaryKey == nil, !schema.isEmbedded {
            JSONText.append("\"_key\":", to: &out)
            DecimalDigits.append(try group.keys()[row], to: &out)
            isFirst = false
        }
        for property in group.view.properties {
            if group.view.hasUnsynced, try group.isAbsent(property, row) { continue }
            if !isFirst { out.append(UInt8(ascii: ",")) }
            isFirst = false
            out.append(contentsOf: property.label)
            try append(try group.column(property), row, property, to: &out)
        }
        out.append(UInt8(ascii: "}"))
    }

    /// Appends an object as a line of NDJSON, end of line included.
    func append(line row: Int, of group: RowGroupView, to out: inout [UInt8]) throws {
        JSONText.append("{\"class\":", to: &out)
        JSONText.append(string: group.view.schema.name, to: &out)
        JSONText.append(",\"object\":", to: &out)
        try append(row: row, of: group, to: &out)
        JSONText.append("}\n", to: &out)
    }

    /// Appends an embedded object.
    func append(embedded key: Int64, of view: ClassView, to out: inout [UInt8]) throws {
        guard depth < Self.depthLimit else {
            throw InputError(
                .tooLarge,
                ProblemItem(
                    "Objects of \(view.schema.name) nest deeper than \(Self.depthLimit) levels.",
                    className: view.schema.name, key: ObjectKey(key)))
        }
        guard let (group, row) = try find(key, in: view) else { return JSONText.append("null", to: &out) }
        try ask(out.count)
        depth += 1
        defer { depth -= 1 }
        try append(row: row, of: group, to: &out)
    }

    /// Bytes of one text from which on a budget is asked with each further object: what links lead to may be long.
    private static let longText = 1 << 20

    private func ask(_ byteCount: Int) throws {
        if byteCount > Self.longText { try WorkBudget.current?.checkRoom(for: byteCount) }
    }

    /// Appends what a link to an object is written as: its primary key, or its object key.
    func append(link key: Int64, to view: ClassView, to out: inout [UInt8]) throws {
        guard let property = view.primaryKey else { return DecimalDigits.append(key, to: &out) }
        guard let (group, row) = try find(key, in: view) else { return JSONText.append("null", to: &out) }
        let column = try group.column(property)
        try ask(out.count)
        guard column.isNull(row) else { return try append(column, row, property, to: &out) }
        guard !isForComparing else { return JSONText.append("{\"$key\":null}", to: &out) }
        JSONText.append("{\"$key\":", to: &out)
        DecimalDigits.append(key, to: &out)
        out.append(UInt8(ascii: "}"))
    }
}
