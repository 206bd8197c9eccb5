import Postgres
import RealmJSON
import RealmModel
import StoreCore

/// An object whose callback threw in a migration that sets such objects aside.
public struct QuarantinedObject: Hashable, Sendable {
    /// Bytes of an object that are kept at most.
    public static let objectBytes = 64 << 10

    /// Its place in the job's quarantine, from 1.
    public var ordinal: Int
    /// The problem, with the object's class and key.
    public var item: ProblemItem
    /// The object in the source, in Realm JSON; nil where the source has it not, or it is longer than is kept.
    public var object: [UInt8]?

    /// Describes an object.
    public init(ordinal: Int, item: ProblemItem, object: [UInt8]?) {
        self.ordinal = ordinal
        self.item = item
        self.object = object
    }
}

extension QuarantinedObject {
    init(row: PostgresRow) throws {
        ordinal = try row.value("ordinal")
        do {
            item = try ProblemItem(
                json: try JSONValue.parse(Array(try row.value("item", as: PostgresJSON.self).text.utf8)))
        } catch is InputError {
            throw StoreError.damaged("an object in quarantine")
        }
        object = try row.optional("object", as: PostgresJSON.self).map { Array($0.text.utf8) }
    }
}
