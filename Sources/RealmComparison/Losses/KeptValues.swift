import RealmModel

/// Values that are others now, without a loss that could be told: how many are not among the new ones.
struct KeptValues {
    /// Values of which none is found, after which no more are looked for.
    private static let patience = 1_000

    /// Those that are not found in their object.
    private(set) var replaced = 0
    private var carried = 0
    private var recoding = Recoding()

    var isLookedAt: Bool { carried > 0 || replaced < Self.patience }
    var maySeeRecoding: Bool { !recoding.isBroken }

    mutating func add(isCarried: Bool) {
        if isCarried { carried += 1 } else { replaced += 1 }
    }

    mutating func note(_ before: Value, _ after: Value) { recoding.note(before, after) }

    /// Whether each value became another one in all objects that were changed.
    var isRecoded: Bool { recoding.isOfMost && !recoding.areExchanged && !recoding.areParts }

    /// Whether each value became another one in all objects: they say what they said.
    func isRecoding(of changed: Int, among total: Int) -> Bool { changed == total && isRecoded }
}
