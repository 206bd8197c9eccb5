import RealmModel

extension Value {
    /// The value with links that say their class: objects of two classes have the same keys.
    ///
    /// - Parameter className: the class that they lead to; nil where it has no links of one class.
    func linking(to className: String?) -> Value {
        guard let className else { return self }
        return switch self {
        case .link(let key): .typedLink(className: className, key)
        case .list(let elements): .list(elements.map { $0.linking(to: className) })
        case .dictionary(let entries):
            .dictionary(entries.map { DictionaryEntry($0.key, $0.value.linking(to: className)) })
        default: self
        }
    }
}

extension Value {
    /// The keys of the objects that it links to.
    var linkedKeys: [Int64] {
        switch self {
        case .link(let key), .typedLink(_, let key): [key.value]
        case .list(let elements): elements.flatMap(\.linkedKeys)
        case .dictionary(let entries): entries.flatMap(\.value.linkedKeys)
        default: []
        }
    }
}

extension Value {
    /// Whether it has a link to an object of a class, as far as links say their classes.
    func links(to className: String) -> Bool {
        leaves.contains { leaf in
            if case .typedLink(let name, _) = leaf { name.hasSameBytes(as: className) } else { false }
        }
    }
}

extension Property {
    /// The class that its links lead to; nil where it has none.
    var linkTarget: String? { type == .object ? objectType : nil }
}
