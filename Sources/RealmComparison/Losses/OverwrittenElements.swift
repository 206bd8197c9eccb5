import RealmModel

/// The elements of lists and sets for which others stand: whether one and the same stands for several, or few for many.
///
/// An element that became another one may say the same in other words. Holds a sample of the different ones.
struct OverwrittenElements {
    private static let few = 5
    private static let many = (values: 20, times: 5)

    private(set) var lost = LostValues()
    private var before = ValueSample()
    private var after = ValueSample()

    /// Adds a list or a set that lost elements and got others, of which none has the words of those.
    mutating func add(_ old: [Value], _ new: [Value], of key: Int64) {
        let missing = old.filter { !$0.isHollow }.without(new)
        let others = new.without(old)
        guard !missing.isEmpty, !others.isEmpty else { return }
        var words = ValueWords()
        for value in new { words.add(value) }
        guard !words.missing(missing, exactDates: true).isEmpty else { return }
        for value in missing { before.add(value.hash) }
        for value in others { after.add(value.hash) }
        lost.add(key, .list(old), .list(new))
    }

    /// Whether there may be something to tell.
    var areSuspicious: Bool { before.count > 1 && after.count * Self.many.times <= max(before.count, Self.many.times) }

    /// Whether other elements are far fewer than those for which they stand.
    ///
    /// - Parameter filled: the lists and sets that had elements.
    func areFewer(of filled: Int) -> Bool {
        if after.count == 1, before.count > 1 { return before.count >= Self.few || lost.objects.count == filled }
        return before.count >= Self.many.values && before.count >= Self.many.times * after.count
    }
}
