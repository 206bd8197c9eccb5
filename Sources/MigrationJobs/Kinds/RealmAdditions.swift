import Columns
import JobStore
import RealmModel
import RealmSync
import SnapshotStore

/// Makes what a migration adds to the schema of a synced realm, and what follows from that for partners.
///
/// Belongs to one thread.
final class RealmAdditions {
    private let appliesDefaults: Bool
    private let tools: JobTools
    private let attempt: JobAttempt
    private let segments: PostgresSegmentStore
    private let grow: (Snapshot) throws -> Snapshot?

    /// The last additions, and their source: mostly nobody has changed the realm when the job ends, and nobody waits.
    private var last: (source: Snapshot, partners: [Partner], made: MigrationOutcome.Additions?)?

    /// - Parameters:
    ///   - appliesDefaults: whether the objects that are there are given the defaults of what is added.
    ///   - segments: takes what is written of partners.
    ///   - grow: a snapshot with the additions; nil where it has them. Reads and writes no columns.
    init(
        appliesDefaults: Bool, tools: JobTools, attempt: JobAttempt, segments: PostgresSegmentStore,
        grow: @escaping (Snapshot) throws -> Snapshot?
    ) {
        self.appliesDefaults = appliesDefaults
        self.tools = tools
        self.attempt = attempt
        self.segments = segments
        self.grow = grow
    }

    /// A realm's current snapshot with the additions; nil where it has them.
    func made(of source: Snapshot, _ realm: Realm) throws -> MigrationOutcome.Additions? {
        let partners = appliesDefaults ? try tools.jobs.partners.writingBoth(of: realm) : []
        if let last, last.source == source, last.partners == partners { return last.made }
        let made = try make(of: source, partners)
        last = (source, partners, made)
        return made
    }

    private func make(of source: Snapshot, _ partners: [Partner]) throws -> MigrationOutcome.Additions? {
        guard let grown = try grow(source) else { return nil }
        var additions = MigrationOutcome.Additions(
            grown, delta: SnapshotDelta(schemaOf: source, to: grown, appliesDefaults: appliesDefaults))
        guard appliesDefaults else { return additions }
        let given = try GivenDefaults(from: source, to: grown, in: segments)
        for index in additions.delta.classes.indices {
            // Clients with an older base are refused where they name one of these objects alone.
            guard case .these(let keys) = given.objects(of: additions.delta.classes[index].className),
                keys.count <= PartnerDefaults.namedObjects
            else { continue }
            additions.delta.classes[index].keepsValues = true
            additions.delta.classes[index].upserted = keys
        }
        for partner in partners {
            try PartnerDefaults(
                partner, given: given, to: source, tools: tools, attempt: attempt, segments: segments
            ).follow(&additions)
        }
        if !additions.books.isEmpty { try segments.flushUnlessSmall() }
        return additions
    }
}
