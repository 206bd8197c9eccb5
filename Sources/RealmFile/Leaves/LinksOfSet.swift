import RealmModel

extension [Value] {
    /// Brings the links of a set of mixed values, which stand together, into an order.
    mutating func sortLinks(by precedes: (Value, Value) -> Bool) {
        guard let first = firstIndex(where: \.isTypedLink), let last = lastIndex(where: \.isTypedLink) else { return }
        self[first...last].sort(by: precedes)
    }
}

extension Value {
    fileprivate var isTypedLink: Bool {
        if case .typedLink = self { true } else { false }
    }
}
