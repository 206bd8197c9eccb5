import Postgres
import RealmJSON
import StoreCore

/// The labels of a realm as their column holds them.
package struct RealmLabels {
    let labels: [String: String]

    package init(_ labels: [String: String]) { self.labels = labels }

    /// - Throws: `StoreError.damaged`.
    init(json: PostgresJSON) throws {
        guard json.text != "{}" else {
            labels = [:]
            return
        }
        guard let members = try? JSONValue.parse(Array(json.text.utf8)).members else {
            throw StoreError.damaged("the labels of a realm")
        }
        labels = Dictionary(members.map { ($0.name, $0.value.string ?? "") }) { $1 }
    }

    /// A document with the labels by their names.
    package var json: PostgresJSON { PostgresJSON(String(decoding: Self.document(labels).encoded(), as: UTF8.self)) }

    /// The labels as clients see them, by their names.
    package static func document(_ labels: [String: String]) -> JSONValue {
        .object(labels.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) })
    }
}

extension Realm {
    /// The labels as clients see them.
    public var labelsJSON: JSONValue { RealmLabels.document(labels) }
}
