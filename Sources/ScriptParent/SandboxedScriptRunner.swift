import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire
import SwiftParent

/// Runs migrations with a script in child processes that have no file system, no network and bounded memory.
public struct SandboxedScriptRunner: ScriptRunner, ScriptChecker {
    let hosts: HostPool
    let rowGroups: RowGroupLimits
    let usesColumns: Bool
    let suppliesSegments: Bool
    /// Hosts that run scripts at once.
    let slots: HostSlots
    /// Makes of Swift what hosts run.
    let swift: SwiftFrontEnd

    /// Runs scripts in a pool's hosts; by default each in a new one.
    ///
    /// - Parameters:
    ///   - hosts: run the scripts.
    ///   - slots: how many hosts run scripts at once, where migrations run side by side.
    ///   - rowGroups: the size of new row groups.
    ///   - swift: reads Swift scripts.
    public init(
        hosts: HostPool = HostPool(runningScripts: .none), slots: HostSlots = HostSlots(1),
        rowGroups: RowGroupLimits = .standard, swift: SwiftFrontEnd = SwiftFrontEnd()
    ) {
        self.init(
            hosts: hosts, slots: slots, rowGroups: rowGroups, usesColumns: true, suppliesSegments: true, swift: swift)
    }

    /// Runs scripts by longer ways, for comparison.
    ///
    /// - Parameters:
    ///   - usesColumns: false makes scripts read and write value by value.
    ///   - suppliesSegments: false makes hosts ask for the segments of small realms too.
    init(
        hosts: HostPool, slots: HostSlots = HostSlots(1), rowGroups: RowGroupLimits = .standard, usesColumns: Bool,
        suppliesSegments: Bool, swift: SwiftFrontEnd = SwiftFrontEnd()
    ) {
        self.slots = slots
        self.swift = swift
        self.hosts = hosts
        self.rowGroups = rowGroups
        self.usesColumns = usesColumns
        self.suppliesSegments = suppliesSegments
    }

    /// Checks a script in a host and waits for the answer.
    public func check(_ script: ScriptSource, of app: UUID?, limits: ScriptLimits) throws {
        let lowered = try LoweredSwift(script, by: swift, of: app, timeoutSeconds: limits.timeoutSeconds)
        let served = ServedStore(MemorySegmentStore(), source: nil)
        var order = Self.order(.check(lowered.script), of: app, limits: limits, serving: served)
        try order.waitForTurn(of: .current)
        let excess = order.end(with: .current)
        var line: Int?
        order.reported = { report in
            if case .place(let place) = try ScriptReport(report) { line = place }
        }
        do {
            let failure: MigrationError? = try hosts.perform(order) { answer in
                switch answer {
                case .done: nil
                case .refused(let bytes): try MigrationCoding.decodeError(bytes)
                }
            }
            if let failure { throw lowered.placed(failure) }
        } catch let failure as HostFailure {
            if let excess = excess() { throw excess }
            throw lowered.placed(MigrationError(failure, limits: limits, line: line))
        }
    }

    static func order(
        _ task: ScriptTask, of app: UUID?, limits: ScriptLimits, parts: Int = 1,
        at pace: ScriptPace = .brief, serving served: ServedStore
    ) -> HostOrder {
        HostOrder(
            pace.roleName, task.bytes,
            limits: HostLimits(
                timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes, parts: parts), of: app,
            serving: served)
    }
}
