import RealmModel

/// A link of an object, by its place.
struct PlacedLink {
    let key: Int64
    /// A hash of the property, and of the key in a dictionary.
    private(set) var place: UInt64
    /// The key in a dictionary.
    var name: String?
    /// Where it stands in a list that has several.
    var spot: ElementSpot?

    /// The link as one of an object that another link leads to.
    func below(_ other: PlacedLink) -> PlacedLink {
        var link = self
        link.place = PlacedValues.below(other.place, place)
        (link.name, link.spot) = (name ?? other.name, spot ?? other.spot)
        return link
    }

    /// The links of a property.
    static func all(_ value: Value, of property: Property) -> [PlacedLink] {
        let root = PlacedValues.below(0, property.name)
        switch value {
        case .list(let elements):
            let hasOrder = property.collection != .set && elements.count > 1
            return elements.flatMap(\.linkedKeys).enumerated().map { number, key in
                PlacedLink(key: key, place: root, spot: hasOrder ? ElementSpot(number, in: root) : nil)
            }
        case .dictionary(let entries):
            return entries.flatMap { entry in
                entry.value.linkedKeys.map {
                    PlacedLink(key: $0, place: PlacedValues.below(root, entry.key), name: entry.key)
                }
            }
        default: return value.linkedKeys.map { PlacedLink(key: $0, place: root) }
        }
    }
}
