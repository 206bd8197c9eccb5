import MigrationAPI
import MigrationScript
import RealmMigration

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
                scripts: .init(count: min(workers, 4), memoryBytes: ScriptLimits().memoryBytes),
                decoders: .init(count: decodesUploads ? 2 : 0, memoryBytes: UploadLimits().memoryBytes)))
        pool.start()
        return pool
    }
}
