import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

/// One share of a migration, as a host does it; runs on a thread of its own.
struct ShareTask: Sendable {
    let share: MigrationShare
    let request: MigrationRequest
    let script: ScriptSource
    let app: UUID?
    let limits: ScriptLimits
    let runner: SandboxedScriptRunner
    let mailbox: ShareMailbox

    /// Has a host do the share, and tells how that ends.
    func run() {
        var line: Int?
        let result = Result { try migrated { line = $0 } }
        mailbox.post(.ended(share.index, ShareEnd(result: result, line: line)))
    }

    private func migrated(placed: @escaping (Int) -> Void) throws -> MigrationResult {
        let served = ServedStore(
            MailboxStore(mailbox), source: request.source, byteLimit: limits.outputLeft.writtenBytes)
        var request = request
        request.share = share
        let task = MigrationTask(
            rowGroups: runner.rowGroups, script: script, createdLimit: limits.outputLeft.createdCount,
            usesColumns: runner.usesColumns, parts: [MigrationTask.Part(request: request)])
        let objectCount = request.source.classes.reduce(0) { $0 + $1.objectCount }
        var order = SandboxedScriptRunner.order(
            .migrate(task), of: app, limits: limits, at: ScriptPace(objectCount: objectCount), serving: served)
        order.isCancelled = { [mailbox, share] in mailbox.isToEnd(share.index) }
        order.reported = { report in
            switch try ScriptReport(report) {
            case .progress(let progress): mailbox.post(.report(share.index, .progress(progress)))
            case .line(let line, let level): mailbox.post(.report(share.index, .line(line, level)))
            case .enumerating(let className): mailbox.post(.report(share.index, .enumerating(className)))
            case .place(let line): placed(line)
            case .created: throw MigrationError(exceeding: .createdCount, of: limits)
            case .exceeded, .checking, .migrated, .refused:
                throw ColumnError.damaged(what: "a report of a share", offset: 0)
            }
        }
        return try runner.hosts.perform(order) { answer in
            try answer.result { bytes in
                var result = try MigrationCoding.decodeResult(bytes)
                result.snapshot = try served.named(result.snapshot)
                result.output = ScriptOutput(writtenBytes: served.writtenBytes)
                return result
            }
        }.get()
    }
}
