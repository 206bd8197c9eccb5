import RealmJSON
import RealmModel

/// A value of an example, as it is shown: a long one is cut.
enum ExampleValue {
    private static let characterLimit = 200
    private static let elementLimit = 10

    /// The value in Realm JSON; a link is the key of its object.
    static func json(_ value: Value) -> JSONValue {
        switch value {
        case .string(let text):
            .string(text.count > characterLimit ? text.prefix(characterLimit) + "…" : text)
        case .data(let bytes): DefaultJSON.encode(.data(Array(bytes.prefix(characterLimit))))
        case .link(let key), .typedLink(_, let key): .int(key.value)
        case .list(let elements):
            .array(elements.prefix(elementLimit).map(json) + (elements.count > elementLimit ? ["…"] : []))
        case .dictionary(let entries):
            .object(entries.prefix(elementLimit).map { JSONMember($0.key, json($0.value)) })
        default: DefaultJSON.encode(value)
        }
    }
}
