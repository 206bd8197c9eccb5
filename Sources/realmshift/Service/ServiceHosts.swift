import MigrationAPI
import RealmDecoding
import RealmMigration
import Sandbox
import ScriptParent
import SwiftParent

/// The children in which a service runs scripts, reads Swift, and reads uploads.
struct ServiceHosts {
    /// Read uploads.
    let decoders: HostPool
    private let scripts: HostPool
    /// As many as there are workers: what no job takes is free for migrations that run side by side.
    private let slots: HostSlots
    /// Kept for an app once it has sent some Swift.
    private let swift: SwiftFrontEnd

    /// Starts them: a spare for each worker, one for a large realm, and two for uploads.
    ///
    /// - Parameters:
    ///   - workers: jobs that are run at once.
    ///   - limits: what scripts may use at most.
    ///   - decodesUploads: whether this process takes uploads too.
    ///   - log: is told what the machine does not give to keep them apart.
    init(workers: Int, limits: ScriptLimits, decodesUploads: Bool, log: ServiceLog) throws {
        slots = HostSlots(workers)
        let profile = HostProfile.scripts(memoryBytes: limits.memoryBytes)
        scripts = HostPool(
            runningScripts: HostPool.Policy(
                kept: 2 * workers,
                spares: [profile: min(workers, 4), .longScripts(memoryBytes: limits.memoryBytes): 1]))
        let decoding = HostProfile.decoding(memoryBytes: APIConfiguration().decodingLimits.memoryBytes)
        decoders = HostPool(
            policy: decodesUploads ? HostPool.Policy(kept: 4, spares: [decoding: 2]) : .none)
        swift = SwiftFrontEnd(keeping: HostPool.Policy(kept: min(workers, 4)))
        scripts.start()
        decoders.start()
        swift.start()
        let missing = try scripts.isolation(of: profile).missing
        if !missing.isEmpty {
            log.note("scripts and uploads run without \(missing.joined(separator: ", ")): the system does not give it")
        }
    }

    /// Runs the service's scripts.
    var scriptHost: SandboxedScriptRunner { SandboxedScriptRunner(hosts: scripts, slots: slots, swift: swift) }

    /// Ends those that wait.
    func close() {
        scripts.close()
        decoders.close()
        swift.close()
    }
}
