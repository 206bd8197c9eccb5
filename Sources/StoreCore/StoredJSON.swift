import FoundationEssentials
import Postgres
import Problems
import RealmJSON

/// The document in a column of type `json`; written and read for every job, so that it goes without a coder.
package protocol StoredDocument {
    /// The JSON that is stored.
    var json: JSONValue { get }
    /// Reads what `json` made, of this program or of an older one.
    ///
    /// - Throws: `StoreError.damaged`.
    init(json: JSONValue) throws(StoreError)
}

/// JSON in columns of type `json`.
package enum StoredJSON {
    package static func encode(_ document: some StoredDocument) -> PostgresJSON {
        PostgresJSON(String(decoding: document.json.encoded(), as: UTF8.self))
    }

    /// - Throws: `StoreError.damaged`.
    package static func document<Document: StoredDocument>(_ json: PostgresJSON) throws -> Document {
        do {
            return try Document(json: try JSONValue.parse(Array(json.text.utf8)))
        } catch {
            throw StoreError.damaged("the JSON of \(Document.self)")
        }
    }

    package static func encode(_ value: some Encodable) throws -> PostgresJSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return PostgresJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    package static func encode(_ problem: ProblemDocument) -> PostgresJSON {
        PostgresJSON(String(decoding: problem.json().encoded(), as: UTF8.self))
    }

    /// - Throws: `StoreError.damaged`.
    package static func problem(_ json: PostgresJSON) throws -> ProblemDocument {
        do {
            return try ProblemDocument(json: try JSONValue.parse(Array(json.text.utf8)))
        } catch {
            throw StoreError.damaged("the problem of a job")
        }
    }

    /// - Throws: `StoreError.damaged`.
    package static func decode<Value: Decodable>(_ json: PostgresJSON, as type: Value.Type = Value.self) throws -> Value
    {
        do {
            return try JSONDecoder().decode(type, from: Data(json.text.utf8))
        } catch {
            throw StoreError.damaged("the JSON of \(type)")
        }
    }
}

extension JSONValue {
    /// A member that has to be there.
    ///
    /// - Throws: `StoreError.damaged`.
    package func stored<Kept>(_ name: String, _ read: (JSONValue) -> Kept?) throws(StoreError) -> Kept {
        guard let kept = try storedIfAny(name, read) else { throw .damaged("a stored \(name)") }
        return kept
    }

    /// A member that may be left out, or null.
    ///
    /// - Throws: `StoreError.damaged` where it is something else.
    package func storedIfAny<Kept>(_ name: String, _ read: (JSONValue) -> Kept?) throws(StoreError) -> Kept? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let kept = read(member) else { throw .damaged("a stored \(name)") }
        return kept
    }
}

extension PostgresRow {
    /// The document of a column.
    package func document<Document: StoredDocument>(_ column: String, as type: Document.Type = Document.self) throws
        -> Document
    {
        try StoredJSON.document(try value(column))
    }

    /// The document of a column that may be null.
    package func optionalDocument<Document: StoredDocument>(
        _ column: String, as type: Document.Type = Document.self
    ) throws -> Document? {
        try optional(column, as: PostgresJSON.self).map { try StoredJSON.document($0) }
    }

    /// The value of a column of type `json`.
    package func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        try StoredJSON.decode(try value(column))
    }

    /// The value of a column of type `json` that may be null.
    package func optionalJSON<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value? {
        try optional(column, as: PostgresJSON.self).map { try StoredJSON.decode($0) }
    }
}
