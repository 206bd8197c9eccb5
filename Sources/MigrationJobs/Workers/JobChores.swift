import JobStore
import SyncedRealms

/// The chores of workers besides jobs that are short: each looks for what is due, and does it.
struct JobChores {
    private let jobs: JobStore
    private let runner: JobRunner
    private let partners: PartnerKeeper?
    private let log: any WorkerLog

    init(_ tools: JobTools, runner: JobRunner, log: any WorkerLog) {
        (jobs, self.runner, self.log) = (tools.jobs, runner, log)
        partners = tools.functions.map { PartnerKeeper(PartnerTools(tools.jobs, functions: $0)) }
    }

    /// Queues jobs again whose workers are lost; where that fails, it is told, and left for the next time.
    func requeueLost() {
        do {
            let running = try jobs.workers()
            let dead = running.names.filter { WorkerProcess($0)?.isKnownToHaveEnded == true }
            guard running.haveExpired || !dead.isEmpty else { return }
            for lost in try jobs.requeueLost(of: dead) { runner.tell(AttemptEvent(lost)) }
        } catch {
            log.failed("jobs whose workers are lost were not queued again", error)
        }
    }

    /// Does what else is due: says that the process is there, goes on with fleets, cuts over; what fails is told, and left for the next time.
    ///
    /// - Parameter slots: jobs that it runs at once.
    func doAll(slots: Int) {
        saveFigures()
        do {
            if let name = WorkerProcess.current?.name { try jobs.note(worker: name, slots: slots) }
        } catch {
            log.failed("it was not noted that workers are here", error)
        }
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
    }

    /// Saves what was counted of jobs, and says that the process has no workers any more.
    func leave() {
        saveFigures()
        do {
            if let name = WorkerProcess.current?.name { try jobs.forget(worker: name) }
        } catch {
            // It is not counted for long.
            log.failed("it was not noted that workers are gone", error)
        }
    }

    private func saveFigures() {
        do {
            try runner.counter.save(in: jobs)
        } catch {
            // They are kept, and saved with the next.
            log.failed("what was counted of jobs was not saved", error)
        }
    }
}
