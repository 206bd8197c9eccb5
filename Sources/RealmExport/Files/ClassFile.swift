import Columns
import RealmJSON
import RealmModel

/// A file with the objects of one class, in the making.
protocol ClassFile: AnyObject {
    /// The bytes before the objects.
    func begin() throws -> [UInt8]
    /// The objects of a row group; may be none yet.
    func write(group: Int, _ text: RowGroupText) throws -> [UInt8]
    /// The bytes behind the objects.
    func finish() throws -> [UInt8]
    /// The losses of the properties, by their names.
    var losses: [NameKey: Losses] { get }
    /// The names of properties in the file, by those in the realm, where they differ.
    var names: [NameKey: PlaceName] { get }
}

/// The parts that the file of a class is made of.
struct ClassFileContext {
    let source: ClassSource
    let maker: CellMaker
    let snapshot: Snapshot
    let store: any SegmentStore
    /// Nil where the format asks for none.
    let relations: NamedRelations?
}

/// A format of a file per class.
public struct ClassFileFormat: Sendable {
    /// The ending of its files' names.
    let ending: String
    /// Whether a file is worth being compressed.
    let isDeflated: Bool
    let rules: CellRules
    /// Whether its files are made by the relations of all classes.
    var needsRelations = false
    let make: @Sendable (ClassFileContext) throws -> any ClassFile

    /// Comma-separated values (RFC 4180).
    public static let csv = ClassFileFormat(ending: "csv", isDeflated: true, rules: .text) { try CSVFile($0) }
    /// Parquet, with nested lists, maps and structures.
    public static let parquet = ClassFileFormat(
        ending: "parquet", isDeflated: false, rules: .text, needsRelations: true
    ) { try ParquetFile($0) }
    /// MongoDB's Extended JSON, canonical, a line an object.
    public static let ejson = ClassFileFormat(ending: "ejson", isDeflated: true, rules: .text) { EJSONFile($0) }
}
