import JobStore
import SyncedRealms

/// The chores of workers besides jobs: each looks for what is due, does it, and holds no thread of its own.
struct JobChores {
    private let jobs: JobStore
    private let configuration: WorkerConfiguration
    private let runner: JobRunner
    private let partners: PartnerKeeper?
    private let log: any WorkerLog

    init(_ tools: JobTools, _ configuration: WorkerConfiguration, runner: JobRunner, log: any WorkerLog) {
        (jobs, self.configuration, self.runner, self.log) = (tools.jobs, configuration, runner, log)
        partners = tools.functions.map { PartnerKeeper(PartnerTools(tools.jobs, functions: $0)) }
    }

    /// Does what is due: queues lost jobs again, goes on with fleets, cuts over, sweeps; what fails is told, and left for the next time.
    func doAll() {
        do {
            let running = try jobs.workers()
            let dead = running.names.filter { WorkerProcess($0)?.isKnownToHaveEnded == true }
            if running.haveExpired || !dead.isEmpty {
                for lost in try jobs.requeueLost(of: dead) { runner.tell(AttemptEvent(lost)) }
            }
        } catch {
            log.failed("jobs whose workers are lost were not queued again", error)
        }
        saveFigures()
        do {
            try jobs.fleets.heal()
        } catch {
            log.failed("fleets whose jobs are gone did not go on", error)
        }
        do {
            _ = try partners?.cutOverDue { [log] in log.failed("partner \($0.id) was not cut over to", $1) }
        } catch {
            log.failed("partners whose time has come were not found", error)
        }
        do {
            _ = try jobs.store.maintenance.removeOldIfDue(every: configuration.sweepInterval)
            _ = try jobs.store.maintenance.sweepIfDue(every: configuration.sweepInterval)
        } catch {
            log.failed("the store was not swept", error)
        }
    }

    /// Saves what was counted of jobs.
    func saveFigures() {
        do {
            try runner.counter.save(in: jobs)
        } catch {
            // They are kept, and saved with the next.
            log.failed("what was counted of jobs was not saved", error)
        }
    }

    /// Folds the patches of a realm that has piled up most of them.
    ///
    /// - Returns: how long to wait before the next; zero where there may be another.
    func fold() -> Duration {
        do {
            return try jobs.store.maintenance.foldPatches() ? .zero : configuration.foldInterval
        } catch {
            log.failed("patches were not folded", error)
            // Damage stays; a database that is away comes back.
            return configuration.foldInterval * 60
        }
    }
}
