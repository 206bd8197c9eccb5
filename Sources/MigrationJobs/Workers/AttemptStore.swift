import Columns
import RealmMigration
import SnapshotStore

/// The segments of an attempt, which stop being read and written when the attempt is to stop.
///
/// So that a migration without a script, which asks nobody, can be cancelled too.
final class AttemptStore: SegmentStore {
    private let segments: PostgresSegmentStore
    private let attempt: JobAttempt

    init(_ segments: PostgresSegmentStore, _ attempt: JobAttempt) {
        self.segments = segments
        self.attempt = attempt
    }

    func write(segment bytes: [UInt8]) throws -> SegmentID {
        try check()
        return try segments.write(segment: bytes)
    }

    func read(segment id: SegmentID) throws -> [UInt8] {
        try check()
        return try segments.read(segment: id)
    }

    func write(column list: [Segment]) throws -> SegmentID {
        try check()
        return try segments.write(column: list)
    }

    func read(column id: SegmentID) throws -> [Segment] {
        try check()
        return try segments.read(column: id)
    }

    private func check() throws {
        if attempt.isCancelled { throw MigrationError(nil, "The migration was stopped.", script: .cancelled) }
    }
}
