import Columns
import RealmModel

/// Makes the calls of a `MigrationMachine`: by a host where migrations have a script, here where they have none.
public struct MigrationRunner: Sendable {
    private let host: any ScriptRunner
    private let app: UUID?
    private let rowGroups: RowGroupLimits
    private let division: ShareDivision
    private let isRehearsal: Bool

    /// Describes where migrations run.
    ///
    /// - Parameters:
    ///   - app: whose migrations they are, as for `ScriptRunner.run`.
    ///   - rowGroups: the size of the row groups that are written here; a host has its own.
    ///   - division: the size of the shares of migrations that declare independent classes.
    ///   - isRehearsal: whether migrations that run in shares run without them as well, and have to come to the same.
    public init(
        by host: any ScriptRunner, of app: UUID?, rowGroups: RowGroupLimits = .standard,
        division: ShareDivision = .standard, isRehearsal: Bool = false
    ) {
        self.isRehearsal = isRehearsal
        self.division = isRehearsal ? division.forRehearsal(rowGroups) : division
        self.host = host
        self.app = app
        self.rowGroups = rowGroups
    }

    /// Runs the realms of a slice to their ends.
    ///
    /// - Parameters:
    ///   - secondsLeft: the time that is left to the scripts; nil where each has the whole limit.
    ///   - surroundings: the store and the observer of a realm, by its place.
    ///   - told: is told the result of each step, and the realm after it.
    /// - Throws: what `told` throws; what a host throws for a call of several, which ends the slice.
    public func run(
        _ machine: inout MigrationMachine, secondsLeft: () -> Double? = { nil },
        in surroundings: (Int) -> (store: any SegmentStore, observer: any MigrationObserver),
        told: (Int, Result<MigrationResult, any Error>, MigrationMachine.Realm) throws -> Void
    ) throws {
        while let call = machine.next(secondsLeft: secondsLeft()) {
            let migrations = zip(call.places, call.requests).map { place, request in
                let (store, observer) = surroundings(place)
                return ScriptedMigration(request, store: store, observer: observer)
            }
            for (index, result) in try results(of: migrations, call.limits).enumerated() {
                let place = call.places[index]
                machine.take(result, of: place)
                if case .failure = result, !machine.realms[place].isOver { tellRepeat(migrations[index].observer) }
                try told(place, result, machine.realms[place])
            }
        }
    }

    /// Says why lines come again.
    private func tellRepeat(_ observer: any MigrationObserver) {
        observer.logged("The host of the script died. The step is run again, and logs its lines again.", level: .warn)
    }

    /// Runs one migration.
    ///
    /// - Throws: `MigrationError`; what the store throws.
    public func run(
        _ request: MigrationRequest, limits: ScriptLimits, store: any SegmentStore, observer: any MigrationObserver
    ) throws -> MigrationResult {
        try results(of: [ScriptedMigration(request, store: store, observer: observer)], limits)[0].get()
    }

    /// - Returns: the results of the first ones, of one at least.
    private func results(
        of migrations: [ScriptedMigration], _ limits: ScriptLimits
    ) throws -> [Result<MigrationResult, any Error>] {
        guard let first = migrations.first, first.request.migration.runnableScript != nil else {
            return migrations.map { migration in
                Result {
                    try Migration(migration.request, store: migration.store, limits: rowGroups)
                        .run(script: nil) { migration.observer.progressed(to: $0) }
                }
            }
        }
        // In a rehearsal each is compared by itself.
        let isCompared = isRehearsal && !first.request.migration.independent.isEmpty
        if isCompared || migrations.count == 1, let shared = shared(first, limits) { return [shared] }
        do {
            let results = try host.run(migrations, of: app, limits: limits)
            let none = MigrationError(nil, "The script host ran no migration.", script: .crash)
            guard !results.isEmpty else { return [.failure(none)] }
            return zip(results, migrations).map { result, migration in
                result.map { isCompared ? $0.noting(untried: migration.request) : $0 }.mapError { $0 }
            }
        } catch  where migrations.count == 1 {
            return [.failure(error)]
        }
    }

    /// Runs a migration in shares; nil where it has none, or no script to run.
    private func shared(_ migration: ScriptedMigration, _ limits: ScriptLimits) -> Result<MigrationResult, any Error>? {
        let count = division.shareCount(of: migration.request)
        guard count > 1, let host = host as? any ShareRunner,
            case .migrate = try? MigrationPlan(migration.request)
        else { return nil }
        return Result {
            try isRehearsal
                ? runBothWays(migration, shares: count, by: host, limits)
                : run(migration, shares: count, by: host, limits)
        }
    }

    private func run(
        _ migration: ScriptedMigration, shares count: Int, by host: any ShareRunner, _ limits: ScriptLimits
    ) throws -> MigrationResult {
        let (results, output) = try host.run(shares: count, of: migration, of: app, limits: limits)
        var result = try Migration(migration.request, store: migration.store, limits: rowGroups)
            .finish(results) { migration.observer.progressed(to: $0) }
        result.output = output
        return result
    }

    /// Runs a migration in shares and then without, and refuses a script that makes something else of it.
    private func runBothWays(
        _ migration: ScriptedMigration, shares count: Int, by shareHost: any ShareRunner, _ limits: ScriptLimits
    ) throws -> MigrationResult {
        let (heard, unheard) = (LineDigest(of: migration.observer), LineDigest(of: migration.observer, isHeard: false))
        var tried = migration
        tried.observer = heard
        let result = try run(tried, shares: count, by: shareHost, limits)
        tried.observer = unheard
        tried.request.migration.independent = []
        guard let other = try host.run([tried], of: app, limits: limits).first else { return result }
        let difference = try SnapshotComparison(store: migration.store)
            .firstDifference(result.snapshot, try other.get().snapshot)
        guard let differs = difference ?? (heard == unheard ? nil : "its log") else { return result }
        throw MigrationError.notIndependent("run as a whole it makes something else of \(differs)")
    }
}

extension MigrationResult {
    /// The result of a rehearsal that ran one way, with the note that it shows nothing of independence, where there was any to show.
    fileprivate func noting(untried request: MigrationRequest) -> MigrationResult {
        let classes = request.source.classes.filter { request.migration.isIndependent($0.schema.name) }
        guard scriptRan, request.quarantineLimit == nil, classes.contains(where: { $0.objectCount > 1 }) else {
            return self
        }
        var noted = self
        noted.findings.append(.untriedIndependence)
        return noted
    }
}
