import Postgres
import RealmFleet
import RealmModel
import SnapshotStore
import StoreCore

/// Which realms a list shows: those that agree with everything that is set.
public struct RealmFilter: Hashable, Sendable {
    /// The schema version of the current snapshot.
    public var version: VersionCondition?
    /// Labels that they have.
    public var labels: [String: String]
    /// The realms that the list may show; nil for all.
    public var names: RealmNames?
    /// How they are shared.
    public var kind: RealmKind?
    /// A part of the name, whatever the case of its letters.
    public var part: String?
    /// Where the last job stands; empty for all realms.
    public var lastJob: Set<LastJobState>

    /// What a realm's last job did to the realm.
    public enum LastJobState: String, Hashable, Sendable, CaseIterable {
        case queued
        case running
        case succeeded
        case failed
        case cancelled
        /// The realm is what it was: it was what it should be, or the job was a rehearsal whose preview was not promoted.
        case unchanged
        /// A fleet migrated it, and put it back.
        case undone
        /// A fleet migrated it, and could not put it back.
        case kept
        /// There is none.
        case none
    }

    /// All, unless something is set.
    public init(
        version: VersionCondition? = nil, labels: [String: String] = [:], among names: RealmNames? = nil,
        kind: RealmKind? = nil, part: String? = nil, lastJob: Set<LastJobState> = []
    ) {
        self.version = version
        self.labels = labels
        self.names = names
        self.kind = kind
        self.part = part
        self.lastJob = lastJob
    }

    /// Whether the snapshots need not be read to know which realms there are.
    var isOfFew: Bool { version == nil || isOfVersionsAlone || !labels.isEmpty || !lastJob.isEmpty || part != nil }

    /// Whether nothing but versions tells which realms there are.
    var isOfVersionsAlone: Bool {
        version != nil && labels.isEmpty && names == nil && kind == nil && lastJob.isEmpty && part == nil
    }

    /// Whether the jobs lead to the realms: few realms have a last job in another state than these.
    var isByJob: Bool { !lastJob.isEmpty && lastJob.isDisjoint(with: [.succeeded, .unchanged, .undone, .none]) }

    /// Whether nothing but names tells which realms there are.
    var isOfNamesAlone: Bool {
        version == nil && labels.isEmpty && names == nil && kind == nil && lastJob.isEmpty
    }

    /// The most realms that a page looks at, in the list's order; nil where an index leads to those that fit, or nothing is looked for.
    func lookLimit(by order: RealmOrder) -> Int? {
        guard labels.isEmpty, names == nil, !isByJob else { return nil }
        // Names are in the index that has their order.
        if part != nil { return order.isByName ? 100_000 : 20_000 }
        return kind == nil ? nil : 20_000
    }
}

/// The order of a list of realms.
public enum RealmOrder: String, Hashable, Sendable, CaseIterable {
    case name
    case nameReversed = "-name"
    case createdAt
    case createdAtReversed = "-createdAt"

    var isByName: Bool { self == .name || self == .nameReversed }

    private var isReversed: Bool { self == .nameReversed || self == .createdAtReversed }

    /// The column whose order it is: ids are given one after the other.
    var column: StaticString { isByName ? "name" : "realm_id" }

    /// The same with the direction, as ORDER BY has it.
    var columnAndDirection: StaticString {
        switch self {
        case .name: "name"
        case .nameReversed: "name DESC"
        case .createdAt: "realm_id"
        case .createdAtReversed: "realm_id DESC"
        }
    }

    /// The comparison with the key before, which those that follow pass.
    var comparison: StaticString { isReversed ? " < " : " > " }
}
