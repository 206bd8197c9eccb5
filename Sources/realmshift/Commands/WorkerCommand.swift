import FoundationEssentials
import Glibc
import JobStore
import MigrationAPI
import MigrationJobs
import ScriptParent
import SnapshotStore

extension Command {
    /// `realmshift worker`: more workers for a service's database.
    static let worker = Command(
        name: "worker", summary: "run migrations for a service that shares its database",
        discussion: """
            Claims jobs from a service's database and runs them; any number of workers may share one. A worker that
            is killed loses nothing: another takes its job when the lease has run out.
            """,
        operands: [],
        options: [
            Option("--database-url", "URL", "the service's PostgreSQL; also REALMSHIFT_DATABASE_URL (required)"),
            Option("--workers", "N", "jobs run at once (default 2)"),
            Option(
                "--health", "HOST:PORT",
                "answer /livez and /readyz there, for a container's health check; port 0 for any that is free (default: none)"
            ),
            Option.lease,
        ] + Option.scriptLimits + [Option.logJobs],
        examples: ["worker --database-url postgresql://realmshift@db.internal/realmshift --workers 4"],
        run: { try run($0) })

    private static func run(_ arguments: Arguments) throws -> ExitStatus {
        guard let url = try ServiceDatabase.url(arguments, of: .worker) else {
            throw UsageError("A worker needs the service's database: --database-url.", command: .worker)
        }
        let workers = try arguments.integer("--workers", in: 1...256, of: .worker) ?? 2
        let address = try arguments["--health"].map { try ListenAddress($0, option: "--health", of: .worker) }
        ServiceSignals.prepare()
        ServiceMemory.prepare()
        let log = ServiceLog(logsRequests: false, logsJobs: arguments.logsJobs)
        let database = try ServiceDatabase(url: url, directory: "", connections: 6 + 2 * workers, log: log)
        defer { database.stop() }
        let jobs = JobStore(SnapshotStore(database.pool))
        let events = JobEvents(jobs, log: log)
        events.start()
        defer { events.stop() }
        let limits = try arguments.scriptLimits(of: .worker)
        let hosts = try ServiceHosts(workers: workers, limits: limits, decodesUploads: false, log: log)
        defer { hosts.close() }
        let pool = JobWorkers(
            jobs, events: events, host: hosts.scriptHost,
            configuration: WorkerConfiguration(
                workers: workers, lease: try arguments.lease(of: .worker), scriptLimits: limits), log: log)
        pool.start()
        defer { pool.stop(timeout: .seconds(8)) }
        let health = try address.map { address in
            try WorkerHealth(host: address.host, port: address.port, of: jobs.store) { pool.isAtWork }
        }
        defer { health?.stop() }
        if let address, let health { log.note("health is at http://\(address.authority(port: health.port))") }
        log.note("\(workers) workers are waiting for jobs")
        ServiceSignals.waitForEnd { log.note("SIGHUP: a worker has no certificate to read") }
        log.note("stopping")
        return .done
    }
}
