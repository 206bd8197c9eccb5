import RealmModel

extension Timestamp {
    /// The same point in time with both parts of one sign, as Realm writes them and damaged files may not.
    ///
    /// - Parameter nanoseconds: less than a second either way.
    init(normalizing seconds: Int64, _ nanoseconds: Int32) {
        switch (seconds.signum(), nanoseconds.signum()) {
        case (1, -1): self.init(seconds: seconds - 1, nanoseconds: nanoseconds + 1_000_000_000)
        case (-1, 1): self.init(seconds: seconds + 1, nanoseconds: nanoseconds - 1_000_000_000)
        default: self.init(seconds: seconds, nanoseconds: nanoseconds)
        }
    }
}
