import RealmModel

/// Whether there is more than one value among some.
struct FewValues {
    private var first: Value?
    /// The one that there is; nil where there is none, or several.
    var only: Value? { hasSeveral ? nil : first }
    private(set) var hasSeveral = false

    mutating func note(_ value: Value) {
        guard !hasSeveral else { return }
        guard let first else {
            first = value
            return
        }
        hasSeveral = first != value && !value.isSameWord(as: first)
    }
}

extension Value {
    /// Whether both are texts of the same letters.
    fileprivate func isSameWord(as other: Value) -> Bool {
        guard case (.string(let text), .string(let otherText)) = (self, other) else { return false }
        var (words, others) = (ValueWords(), ValueWords())
        words.add(text: text.utf8)
        others.add(text: otherText.utf8)
        return words.squeezed == others.squeezed
    }
}
