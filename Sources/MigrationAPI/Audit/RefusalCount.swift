import RealmModel

/// Bounds how many refused requests of a key the audit log takes: a page elsewhere can send them without end.
struct RefusalCount: Sendable {
    /// Entries of a key in a minute.
    static let most = 10
    private static let window = Duration.seconds(60)

    private var began: ContinuousClock.Instant?
    private var counts: [RealmModel.UUID: Int] = [:]

    /// Whether the next one of a key is noted.
    mutating func takes(_ key: RealmModel.UUID, at now: ContinuousClock.Instant) -> Bool {
        if began.map({ now - $0 >= Self.window }) ?? true { (began, counts) = (now, [:]) }
        counts[key, default: 0] += 1
        return counts[key, default: 0] <= Self.most
    }
}
