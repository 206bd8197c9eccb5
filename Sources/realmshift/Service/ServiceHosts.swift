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
    ///   - decodesUploads: whether this process takes uploads too.
    static func start(workers: Int, decodesUploads: Bool) -> HostPool {
        let pool = HostPool(
            policy: HostPool.Policy(
                kept: 2 * workers + 4,
                spares: [
                    .scripts(memoryBytes: ScriptLimits().memoryBytes): min(workers, 4),
                    .decoding(memoryBytes: APIConfiguration().decodingLimits.memoryBytes): decodesUploads ? 2 : 0,
                ]))
        pool.start()
        return pool
    }
}
