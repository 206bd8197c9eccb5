import RealmModel

extension Duration {
    /// Seconds with a fraction, for intervals.
    package var inSeconds: Double { self / .seconds(1) }

    /// From one moment to a later one.
    package static func between(_ start: Timestamp, _ end: Timestamp) -> Duration {
        .seconds(end.seconds - start.seconds) + .nanoseconds(Int64(end.nanoseconds - start.nanoseconds))
    }
}
