import Foundation
import Postgres
import Problems
import RealmJSON

/// JSON in columns of type `json`.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> PostgresJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return PostgresJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    static func encode(_ problem: ProblemDocument) -> PostgresJSON {
        PostgresJSON(String(decoding: problem.json().encoded(), as: UTF8.self))
    }

    /// - Throws: `StoreError.damaged`.
    static func problem(_ json: PostgresJSON) throws -> ProblemDocument {
        do {
            return try ProblemDocument(json: try JSONValue.parse(Array(json.text.utf8)))
        } catch {
            throw StoreError.damaged("the problem of a job")
        }
    }

    /// - Throws: `StoreError.damaged`.
    static func decode<Value: Decodable>(_ json: PostgresJSON, as type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json.text.utf8))
        } catch {
            throw StoreError.damaged("the JSON of \(type)")
        }
    }
}

extension PostgresRow {
    /// The value of a column of type `json`.
    func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        try StoredJSON.decode(try value(column))
    }

    /// The value of a column of type `json` that may be null.
    func optionalJSON<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
        try optional(column, as: PostgresJSON.self).map { try StoredJSON.decode($0) }
    }
}
