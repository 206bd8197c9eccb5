import MigrationAPI
import MigrationScript
import RealmDecoding
import RealmMigration
import Sandbox
import SwiftScripts

/// The children in which a service runs scripts, reads Swift, and reads uploads.
struct ServiceHosts {
    /// Run scripts and read uploads.
    let pool: HostPool
    /// Read Swift: hosts of the other program, which are kept for an app once it has sent some.
    private let swift: SwiftFrontEnd

    /// Starts them: a spare for each worker, and two for uploads.
    ///
    /// - Parameters:
    ///   - workers: jobs that are run at once.
    ///   - limits: what scripts may use at most.
    ///   - decodesUploads: whether this process takes uploads too.
    ///   - log: is told what the machine does not give to keep them apart.
    init(workers: Int, limits: ScriptLimits, decodesUploads: Bool, log: ServiceLog) throws {
        let scripts = HostProfile.scripts(memoryBytes: limits.memoryBytes)
        pool = HostPool(
            policy: HostPool.Policy(
                kept: 2 * workers + 4,
                spares: [
                    scripts: min(workers, 4),
                    .decoding(memoryBytes: APIConfiguration().decodingLimits.memoryBytes): decodesUploads ? 2 : 0,
                ]))
        swift = SwiftFrontEnd(keeping: HostPool.Policy(kept: min(workers, 4)))
        pool.start()
        swift.start()
        let missing = try pool.isolation(of: scripts).missing
        if !missing.isEmpty {
            log.note("scripts and uploads run without \(missing.joined(separator: ", ")): the system does not give it")
        }
    }

    /// Runs the service's scripts.
    var scriptHost: SandboxedScriptHost { SandboxedScriptHost(hosts: pool, swift: swift) }

    /// Ends those that wait.
    func close() {
        pool.close()
        swift.close()
    }
}
