import RealmJSON
import RealmModel

extension Rehearsal {
    /// The report as clients see it.
    ///
    /// - Parameters:
    ///   - from: the schema before; has the names that its properties have for clients.
    ///   - to: the schema after.
    public func json(from: Schema, to: Schema) -> [JSONMember] {
        let counts = objectCounts
        return [
            JSONMember("fromVersion", fromVersion.map { JSONValue($0) } ?? .null),
            JSONMember("toVersion", toVersion.map { JSONValue($0) } ?? .null),
            JSONMember(
                "objects",
                [
                    "touched": .int(Int64(counts.touched)), "created": .int(Int64(counts.created)),
                    "deleted": .int(Int64(counts.deleted)),
                ]),
            JSONMember(
                "changes",
                ["schema": .array(schema.map(\.json)), "classes": .array(classes.map { $0.json(in: to) })]),
            JSONMember(
                "losses",
                .array(
                    losses.map { loss in
                        let names = PublicNames(of: loss.className, in: from)
                        return [
                            "class": .string(loss.className),
                            "property": loss.property.map { .string(names[$0]) } ?? .null,
                            "kind": .string(loss.kind.rawValue), "count": .int(Int64(loss.objects.count)),
                            "keys": .array(loss.objects.keys.map { .int($0) }),
                        ]
                    })),
        ]
    }
}
