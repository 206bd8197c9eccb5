import AccessStore
import RealmJSON

extension RealmToken {
    /// The token as clients see it; its secret nobody knows.
    var json: JSONValue {
        [
            "id": id.json, "app": .string(app), "realms": .array(realms.elements.map { .string($0) }),
            "scopes": .array(Self.scopes.filter(scopes.contains).map { .string($0.rawValue) }),
            "maker": ["id": maker.json, "name": .string(makerName)], "createdAt": createdAt.json,
            "expiresAt": expiresAt.json,
        ]
    }
}
