import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension SandboxedScriptRunner: CheckRunner {
    /// Runs assertions about a realm before and after a migration in a host and waits for what they say.
    public func check(
        _ checks: RealmChecks, of app: UUID?, limits: ScriptLimits, store: any SegmentStore,
        observer: any MigrationObserver
    ) throws -> [RealmCheckResult] {
        let served = ServedStore(store, source: checks.old, and: checks.new, byteLimit: 0)
        let task = CheckTask(programs: checks.programs, old: checks.old, new: checks.new, rowGroups: rowGroups)
        var order = Self.order(.runChecks(task), of: app, limits: limits, serving: served)
        order.isCancelled = { observer.isCancelled }
        var begun: [RealmCheckResult] = []
        order.reported = { report in
            switch try ScriptReport(report) {
            case .line(let line, let level): observer.logged(line, level: level)
            case .progress, .place: break
            case .checking(let results): begun = try CheckResultCoding.decode(results)
            case .created, .exceeded, .migrated, .refused, .enumerating:
                throw ColumnError.damaged(what: "a report of checks", offset: 0)
            }
        }
        do {
            return Self.namedApart(
                try hosts.perform(order) { answer in
                    switch answer {
                    case .done(let bytes): try CheckResultCoding.decode(bytes)
                    case .refused(let bytes): throw try MigrationCoding.decodeError(bytes)
                    }
                })
        } catch let failure as HostFailure {
            guard failure == .timeLimit, var last = begun.popLast() else {
                throw MigrationError(failure, limits: limits)
            }
            last.message =
                "The check had not ended when \(limits.timeoutSeconds) seconds were over; checks after it were not run."
            return Self.namedApart(begun + [last])
        }
    }

    /// Gives results of one name numbers.
    private static func namedApart(_ results: [RealmCheckResult]) -> [RealmCheckResult] {
        var counts: [String: Int] = [:]
        return results.map { result in
            counts[result.name, default: 0] += 1
            var result = result
            if let count = counts[result.name], count > 1 { result.name += " \(count)" }
            return result
        }
    }
}
