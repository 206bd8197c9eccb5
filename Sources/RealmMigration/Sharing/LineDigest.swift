import RealmModel

/// Follows a migration, and keeps of its lines what tells two runs apart.
final class LineDigest: MigrationObserver, Equatable {
    private let observer: any MigrationObserver
    private let isHeard: Bool
    private var hasher = Hasher()

    /// - Parameter isHeard: whether the observer hears of the migration.
    init(of observer: any MigrationObserver, isHeard: Bool = true) {
        self.observer = observer
        self.isHeard = isHeard
    }

    static func == (one: LineDigest, other: LineDigest) -> Bool { one.hasher.finalize() == other.hasher.finalize() }

    func progressed(to progress: MigrationProgress) {
        if isHeard { observer.progressed(to: progress) }
    }

    func logged(_ line: String, level: LogLevel) {
        hasher.combine(line)
        hasher.combine(level)
        if isHeard { observer.logged(line, level: level) }
    }

    var isCancelled: Bool { observer.isCancelled }
}
