extension Value {
    /// The keys of all links that name no class: of a link, or of a collection of links.
    package var linkedKeys: [ObjectKey] {
        switch self {
        case .link(let key): [key]
        case .list(let elements): elements.flatMap(\.linkedKeys)
        case .dictionary(let entries): entries.flatMap(\.value.linkedKeys)
        default: []
        }
    }
}
