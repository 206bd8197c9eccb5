import Columns
import Foundation
import RealmModel
import Testing

@testable import Sandbox

/// Hosts of the program beside the tests that do what a word says.
enum Probes {
    struct Missing: Error {}

    static let limits = HostLimits(timeoutSeconds: 20, memoryBytes: 64 << 20)
    static let profile = HostProfile("probing", memoryBytes: limits.memoryBytes)

    /// The program whose `host` command the tests run, built beside them.
    static func program() throws -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("SandboxTestHost").path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing() }
        return path
    }

    /// An order for a probe.
    static func order(
        _ what: String, limits: HostLimits = limits, of app: RealmModel.UUID? = nil,
        serving served: ServedStore = ServedStore(MemorySegmentStore(), source: nil)
    ) -> HostOrder {
        HostOrder("probing", Array(what.utf8), limits: limits, of: app, serving: served)
    }
}

extension HostPool {
    /// Has a host do what a word says.
    @discardableResult
    func probe(_ what: String, limits: HostLimits = Probes.limits, of app: RealmModel.UUID? = nil) throws -> HostAnswer
    {
        try perform(Probes.order(what, limits: limits, of: app)) { $0 }
    }
}

extension RealmModel.UUID {
    /// A UUID of a number.
    static func uuid(_ number: UInt64) -> RealmModel.UUID {
        RealmModel.UUID(bytes: (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) })
            ?? .zero
    }
}
