import Columns
import RealmModel

/// A library that a schema's classes are written for as source: an SDK of Realm, or one that opens the SQLite export.
public enum ModelTarget: String, Hashable, Sendable, CaseIterable {
    case realmSwift = "realm-swift"
    case realmKotlin = "realm-kotlin"
    case realmJS = "realm-js"
    case realmDotnet = "realm-dotnet"
    case realmDart = "realm-dart"
    /// Records of GRDB (Swift), which fit the tables of the SQLite export.
    case grdb
    /// Entities of Room (Kotlin), which fit the tables of the SQLite export.
    case room

    /// The name of the file that the source is to be in.
    public var fileName: String {
        switch self {
        case .realmSwift, .grdb: "Models.swift"
        case .realmKotlin, .room: "Models.kt"
        case .realmJS: "models.ts"
        case .realmDotnet: "Models.cs"
        case .realmDart: "models.dart"
        }
    }

    /// The source of a snapshot's classes.
    ///
    /// - Parameters:
    ///   - store: where the snapshot's segments are: a record has what the tables have, which depends on values as well.
    ///   - options: those of the export that records are to fit.
    /// - Throws: `InputError.tooLarge` where the export itself is refused for its size; what the store throws.
    public func source(
        of snapshot: Snapshot, in store: any SegmentStore, options: ExportOptions = ExportOptions()
    ) throws -> String {
        let schema = snapshot.declared
        return switch self {
        case .realmSwift: RealmSwiftModels(schema).text
        case .realmKotlin: RealmKotlinModels(schema).text
        case .realmJS: RealmJSModels(schema).text
        case .realmDotnet: RealmDotnetModels(schema).text
        case .realmDart: RealmDartModels(schema).text
        case .grdb: GRDBModels(try SQLiteShape(snapshot, store: store, options)).text
        case .room: RoomModels(try SQLiteShape(snapshot, store: store, options)).text
        }
    }

    /// Whether the source is of records for the tables of an export, whose options they have to fit.
    public var fitsTables: Bool { self == .grdb || self == .room }
}
