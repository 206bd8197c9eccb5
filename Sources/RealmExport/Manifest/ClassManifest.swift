import RealmJSON
import RealmModel

/// The part of an export's manifest about one class.
struct ClassManifest {
    let className: String
    /// The table or the file with the objects; nil of a class whose objects are columns of their owners.
    let place: String?
    let objectCount: Int
    /// SHA-256 of the class's lines as NDJSON writes them, in hexadecimal; nil of an embedded class, which has none.
    let digest: String?
    /// The statistics of the persisted properties, in declared order.
    let properties: [PropertyStatistics]
    /// The losses of its properties, in declared order.
    let losses: [(property: String, losses: Losses)]
    /// The names of properties in the export, by those in the realm, where they differ.
    let names: [NameKey: PlaceName]

    /// Nulls and extremes, property by property, and the name in the export where it is another.
    var propertiesJSON: JSONValue {
        .array(
            properties.map { statistics in
                guard let name = names[name: statistics.name] else { return statistics.json }
                return .object((statistics.json.members ?? []) + [JSONMember(name.kind.rawValue, .string(name.name))])
            })
    }

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

/// The name of a property in an export.
struct PlaceName: Hashable {
    /// The kind of its place.
    enum Kind: String {
        case table
        case column
        /// A member of a document.
        case member
    }

    let kind: Kind
    let name: String

    /// The name, where it is not what the property would be called by itself.
    init?(_ kind: Kind, _ name: String, insteadOf wanted: String) {
        guard !name.hasSameBytes(as: wanted) else { return nil }
        self.kind = kind
        self.name = name
    }
}
