// swift-format-ignore-file
// The interface of GRDB that generated records use, to compile them against: no line of it is GRDB's.
public protocol TableRecord { static var databaseTableName: String { get } }
public protocol FetchableRecord {}
public protocol PersistableRecord: TableRecord {}

public struct ForeignKey: Sendable {
    public init(_ columns: [String], to destination: [String]) {}
}
public struct BelongsToAssociation<Origin, Destination>: Sendable {}

extension TableRecord {
    public static func belongsTo<Destination: TableRecord>(
        _ destination: Destination.Type, using foreignKey: ForeignKey
    ) -> BelongsToAssociation<Self, Destination> { BelongsToAssociation() }
    public static var databaseSelection: [String] { [] }
    public static func all() -> [Self] { [] }
}
