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

    /// The source of a schema's classes.
    ///
    /// - Parameter flattens: whether the export that records are to fit has embedded objects in their owners' columns.
    /// - Throws: `tooLarge` where the export itself is refused for its size.
    public func source(of schema: Schema, flattens: Bool = false) throws(InputError) -> String {
        switch self {
        case .realmSwift: RealmSwiftModels(schema).text
        case .realmKotlin: RealmKotlinModels(schema).text
        case .realmJS: RealmJSModels(schema).text
        case .realmDotnet: RealmDotnetModels(schema).text
        case .realmDart: RealmDartModels(schema).text
        case .grdb: try GRDBModels(schema, flattens: flattens).text
        case .room: try RoomModels(schema, flattens: flattens).text
        }
    }
}
