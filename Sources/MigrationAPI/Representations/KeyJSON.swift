import AccessStore
import RealmJSON

extension APIKey {
    /// The key as clients see it; its secret nobody knows.
    var json: JSONValue {
        let apps: JSONValue =
            switch apps {
            case .all: .null
            case .named(let names): .array(names.sorted().map { .string($0) })
            }
        return [
            "id": id.json, "name": .string(name),
            "scopes": .array(KeyScope.allCases.filter(scopes.contains).map { .string($0.rawValue) }),
            "apps": apps, "createdAt": createdAt.json, "expiresAt": expiresAt?.json ?? .null,
        ]
    }
}
