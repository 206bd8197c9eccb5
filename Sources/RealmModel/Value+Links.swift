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

    /// The keys of all links to objects of a class, of those that name it and those that name none.
    package func linkedKeys(ofClass name: String) -> [ObjectKey] {
        switch self {
        case .typedLink(let className, let key): className.hasSameBytes(as: name) ? [key] : []
        case .link(let key): [key]
        case .list(let elements): elements.flatMap { $0.linkedKeys(ofClass: name) }
        case .dictionary(let entries): entries.flatMap { $0.value.linkedKeys(ofClass: name) }
        default: []
        }
    }
}
