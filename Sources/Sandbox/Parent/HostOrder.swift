import Columns
import RealmModel

/// A task, and its claims on the host that does it.
public struct HostOrder {
    /// The host that it needs.
    public let profile: HostProfile
    /// The task's bytes, in the role's own form.
    public let task: [UInt8]
    /// Its limits.
    public let limits: HostLimits
    /// Whose task it is; nil for a new host that does no other.
    public var app: RealmModel.UUID?
    /// A descriptor that the host is to read its input from; stays the caller's.
    public var input: Int32?
    /// The segments that the host may read, and where those go that it writes, at the moment at which it is asked.
    public var served: () -> ServedStore
    /// Asked some times a second; true stops the host.
    public var isCancelled: () -> Bool = { false }
    /// Hears how many tasks the host has done before.
    public var begins: (_ earlierTasks: Int) -> Void = { _ in }
    /// Called once the host has the task, beside its work on that; what it throws ends the host.
    public var meanwhile: () throws -> Void = {}
    /// Takes what the host reports; a `ColumnError` from here is the end of a host that talks nonsense.
    public var reported: ([UInt8]) throws -> Void = { _ in }
    /// Asked after each report: whether the time limit begins anew, as the host has come to the next part of the task.
    public var beginsAnew: () -> Bool = { false }
    /// The turn that it waited for, which ends with the order.
    private var turn: AnyObject?

    /// Describes an order that nobody cancels, and whose reports nobody hears.
    public init(
        _ role: String, _ task: [UInt8], limits: HostLimits, of app: RealmModel.UUID?,
        serving served: ServedStore
    ) {
        profile = HostProfile(role, memoryBytes: limits.memoryBytes)
        self.task = task
        self.limits = limits
        self.app = app
        self.served = { served }
    }

    /// Ends the task with a budget: that of a request, where it is done for one.
    ///
    /// - Returns: says what the budget ended it for; nil where it did not.
    public mutating func end(with budget: WorkBudget?) -> () -> WorkBudget.Excess? {
        guard let budget else { return { nil } }
        var excess: WorkBudget.Excess?
        isCancelled = { [isCancelled] in
            do throws(WorkBudget.Excess) { try budget.look() } catch { excess = error }
            return excess != nil || isCancelled()
        }
        return { excess }
    }

    /// Waits for a turn that a budget has for hosts, and keeps it as long as the order.
    ///
    /// - Throws: `WorkBudget.Excess` where the budget ends meanwhile.
    public mutating func waitForTurn(of budget: WorkBudget?) throws { turn = try budget?.waitForHost() }
}
