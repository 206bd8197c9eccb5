import Columns
import RealmModel

/// The work of a script for realms of several old versions, found by running it on one without objects at each of them.
///
/// Nothing but the version differs between the runs, so that a difference in what the script asks for is a branch of it.
public struct BranchSurvey: Sendable {
    /// Versions that are tried at most: those next to the target.
    public static let versionLimit = 32

    /// How often the script asked for objects or changed anything, by version; versions at which it failed are left out.
    public private(set) var operationCounts: [UInt64: Int] = [:]

    /// Runs a script at some versions.
    ///
    /// - Parameters:
    ///   - request: of the migration that is rehearsed, with its script.
    ///   - versions: those below the target are tried.
    ///   - store: is not read.
    public init(
        of request: MigrationRequest, at versions: some Sequence<UInt64>,
        by runner: MigrationRunner, limits: ScriptLimits, store: any SegmentStore
    ) throws {
        guard request.mode == .automatic || request.mode == .manual else { return }
        var limits = limits
        limits.timeoutSeconds = min(limits.timeoutSeconds, Self.timeoutSeconds)
        for version in Set(versions).filter({ $0 < request.targetVersion }).sorted().suffix(Self.versionLimit) {
            var tried = request
            tried.source = Snapshot(
                schemaVersion: version, declared: request.source.declared,
                classes: request.source.classes.map { StoredClass(empty: $0.schema) })
            do {
                operationCounts[version] = try runner.run(tried, limits: limits, store: store, observer: Silence())
                    .operationCount
            } catch is MigrationError {
                // A script that needs objects can't be tried without.
            }
        }
    }

    private static let timeoutSeconds = 5.0

    /// The versions at which the script does nothing, although it does something at a later one.
    ///
    /// A script that does nothing for the last versions has nothing to do for them; one that leaves out an earlier one has
    /// forgotten it.
    public var missingBranches: [UInt64] {
        let last = operationCounts.filter { $0.value > 0 }.keys.max() ?? 0
        return operationCounts.filter { $0.value == 0 && $0.key < last }.keys.sorted()
    }

    /// Whether the script makes no difference between two versions.
    public func isSame(at version: UInt64, as other: UInt64) -> Bool {
        guard let count = operationCounts[version], let otherCount = operationCounts[other] else { return false }
        return count == otherCount
    }
}

/// Hears nothing, and never stops.
private final class Silence: MigrationObserver {
    func progressed(to progress: MigrationProgress) {}
    func logged(_ line: String, level: LogLevel) {}
    var isCancelled: Bool { false }
}
