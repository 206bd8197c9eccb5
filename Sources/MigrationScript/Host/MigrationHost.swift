import Columns
import RealmMigration
import RealmModel

/// Runs one migration with its script inside a locked host.
struct MigrationHost {
    private let task: MigrationTask
    private let channel: HostChannel

    init(_ task: MigrationTask, channel: HostChannel) {
        self.task = task
        self.channel = channel
    }

    func run() throws -> Frame {
        // The virtual machine reserves address space and starts threads, which the lock would not let it.
        let script = try JavaScriptMigration(
            memoryBytes: task.limits.memoryBytes, usesColumns: task.usesColumns
        ) { line in
            try? channel.send(Frame(.log, Array(line.utf8)))
        }
        try HostMain.lock(task.limits, channel: channel)
        do {
            guard task.script.language == "javascript" else {
                throw MigrationError(
                    nil, "Scripts in '\(task.script.language)' are not supported.", script: .syntax)
            }
            try script.load(task.script.source)
            return Frame(.migrated, MigrationCoding.encode(try migrate(script)))
        } catch let error as MigrationError {
            return Frame(.migrationFailed, MigrationCoding.encode(error))
        } catch let closed as HostChannel.Closed {
            throw closed
        } catch {
            return HostMain.failed(error)
        }
    }

    private func migrate(_ script: JavaScriptMigration) throws -> MigrationResult {
        let store = PipeSegmentStore(channel: channel)
        let migration = Migration(task.request, store: store, limits: task.limits.rowGroups)
        var throttle = ProgressThrottle()
        // Of a migration that failed as well: nothing may come behind the answer.
        defer { try? store.finish() }
        let result = try migration.run(script: { try script.run($0) }) { progress in
            guard throttle.admits(progress) else { return }
            try? channel.send(Frame(.progress, MigrationCoding.encode(progress)))
        }
        try store.finish()
        return result
    }
}

/// Lets some reports of progress a second pass, and every change of phase or class.
private struct ProgressThrottle {
    private static let interval: UInt64 = 100_000_000
    private var last: MigrationProgress?
    private var nextTime: UInt64 = 0

    mutating func admits(_ progress: MigrationProgress) -> Bool {
        let now = MonotonicClock.now
        guard now >= nextTime || progress.phase != last?.phase || progress.className != last?.className else {
            return false
        }
        last = progress
        nextTime = now + Self.interval
        return true
    }
}
