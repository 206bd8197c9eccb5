import RealmJSON
import RealmModel

/// What an export has of one class.
struct ClassManifest {
    let className: String
    /// The table or the file with the objects; nil of a class whose objects are columns of their owners.
    let place: String?
    let objectCount: Int
    /// SHA-256 of the class's lines as NDJSON writes them, in hexadecimal; nil of an embedded class, which has none.
    let digest: String?
    /// Of the persisted properties, in declared order.
    let properties: [PropertyStatistics]
    /// What its properties lost, in declared order.
    let losses: [(property: String, losses: Losses)]

    /// Nulls and extremes, property by property.
    var propertiesJSON: JSONValue { .array(properties.map(\.json)) }

    /// `[{"property", "reason", "count"}]`, empty where nothing was lost.
    var lossesJSON: JSONValue {
        .array(
            losses.flatMap { property, losses in
                Loss.allCases.compactMap { loss -> JSONValue? in
                    guard let count = losses.counts[loss] else { return nil }
                    return [
                        "property": .string(property), "reason": .string(loss.rawValue), "count": .int(Int64(count)),
                    ]
                }
            })
    }
}
