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

extension Property {
    /// The class that its links lead to; nil where it has none.
    var linkTarget: String? { type == .object ? objectType : nil }
}
