import MigrationAPI
import MigrationScript
import RealmDecoding
import RealmMigration
import Sandbox

/// The children in which a service runs scripts and reads uploads.
enum ServiceHosts {
    /// Starts them: a spare for each worker, and two for uploads.
    ///
    /// - Parameters:
    ///   - workers: jobs that are run at once.
    ///   - limits: what scripts may use at most.
    ///   - decodesUploads: whether this process takes uploads too.
    ///   - log: is told what the machine does not give to keep them apart.
    static func start(
        workers: Int, limits: ScriptLimits, decodesUploads: Bool, log: ServiceLog
    ) throws -> HostPool {
        let scripts = HostProfile.scripts(memoryBytes: limits.memoryBytes)
        let pool = HostPool(
            policy: HostPool.Policy(
                kept: 2 * workers + 4,
                spares: [
                    scripts: min(workers, 4),
                    .decoding(memoryBytes: APIConfiguration().decodingLimits.memoryBytes): decodesUploads ? 2 : 0,
                ]))
        pool.start()
        let missing = try pool.isolation(of: scripts).missing
        if !missing.isEmpty {
            log.note("scripts and uploads run without \(missing.joined(separator: ", ")): the system does not give it")
        }
        return pool
    }
}
