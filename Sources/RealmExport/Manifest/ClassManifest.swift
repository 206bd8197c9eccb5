import RealmJSON
import RealmModel

/// What an export has of one class.
struct ClassManifest {
    let className: String
    let table: String
    let objectCount: Int
    /// SHA-256 of the class's lines as NDJSON writes them, in hexadecimal; nil of an embedded class, which has none.
    let digest: String?
    /// What its properties lost, in declared order.
    let losses: [(property: String, losses: Losses)]

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
