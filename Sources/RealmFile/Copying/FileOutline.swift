import Columns
import RealmModel

/// A realm file as a snapshot whose segments nobody has read: its classes, how many objects they have, and names for their columns.
///
/// A migration without a function asks for no values where it changes none. Its result then names columns that are here, and
/// constants; such a file can be copied.
struct FileOutline {
    /// The batch of the names.
    private static let batch = BatchID(high: 0, low: .max)
    /// The formats whose leaves the current one takes as they are.
    private static let copiedFormats = 23...24

    /// A column of the file.
    struct Place: Hashable {
        /// The class, by its place in the file.
        let classIndex: Int
        /// The column, by its place among the properties.
        let columnIndex: Int
    }

    let snapshot: Snapshot
    let schema: StoredSchema
    /// The columns by their names.
    private var places: [SegmentID: Place] = [:]
    /// The classes by the names of their keys.
    private var classIndexes: [SegmentID: Int] = [:]

    /// Describes a file without reading its objects.
    ///
    /// - Throws: `InputError`; `uncopied` where no leaf of the file's format can be copied.
    init(_ header: FileHeader, in image: Image) throws(InputError) {
        guard Self.copiedFormats.contains(header.formatVersion) else { throw .uncopied("the version of the format") }
        let group = try Group(topRef: header.topRef, of: image)
        guard Set(group.tables.map(\.key)).count == group.tables.count else { throw .uncopied("tables of one key") }
        let schema = try StoredSchema(group.tables, in: image)
        var next: Int32 = 0
        func name() -> SegmentID {
            defer { next += 1 }
            return SegmentID(batch: Self.batch, ordinal: next)
        }
        var classes: [StoredClass] = []
        for (classIndex, source) in schema.classes.enumerated() {
            guard source.schema.kind != .asymmetric else { throw .uncopied("an asymmetric class") }
            let (rowGroups, keys) = (name(), name())
            let columns = source.schema.properties.map { _ in name() }
            classIndexes[keys] = classIndex
            for (columnIndex, column) in columns.enumerated() {
                places[column] = Place(classIndex: classIndex, columnIndex: columnIndex)
            }
            classes.append(
                StoredClass(
                    schema: source.schema, nextSequence: source.table.nextSequence,
                    objectCount: try source.table.rowCount(in: image), rowGroups: rowGroups, keys: .segments(keys),
                    columns: columns.map { .segments($0) }))
        }
        self.schema = schema
        snapshot = Snapshot(
            schemaVersion: try SchemaVersion.read(group.tables, in: image),
            declared: Schema(schema.classes.map(\.schema)), classes: classes)
    }

    /// The class of the file that one of a result has its objects from; nil for a class without.
    func classIndex(of stored: StoredClass) -> Int? {
        guard case .segments(let keys) = stored.keys else { return nil }
        return classIndexes[keys]
    }

    /// The column of the file that a result names.
    func place(of name: SegmentID) -> Place? { places[name] }
}

extension InputError {
    /// Something that a file can't be copied with, which is no fault: it has to be decoded.
    ///
    /// - Parameter what: the thing.
    static func uncopied(_ what: String) -> InputError {
        InputError(.unsupportedFormat, "The file can't be copied leaf by leaf for \(what).")
    }
}
