import Postgres
import RealmFleet
import RealmModel
import RealmSync

/// Why the store refused something; failures of the database itself are `PostgresError`.
public enum StoreError: Error, Hashable, Sendable {
    /// A kind of thing that can be missing.
    public enum Thing: String, Hashable, Sendable {
        case app
        case schemaVersion
        case realm
        case snapshot
        case job
        case apiKey
        case token
        case session
        case recovery
        case partner
        case upload
        case fleet
        case webhook
        case webhookDelivery
    }

    /// There is no such thing.
    case notFound(Thing, String)
    /// The schema of a version is fixed: a realm has reached it, or is about to.
    case schemaVersionInUse(UInt64)
    /// A realm exists as the other kind.
    case realmKindInUse(RealmKind)
    /// A synced realm that has a snapshot: its clients would lose what they wrote.
    case realmIsSynced
    /// A schema that Realm does not accept of a synced realm.
    case syncedSchemaInvalid([SchemaValidationError])
    /// A realm whose sync has to be terminated first.
    case syncNotTerminated
    /// A local realm, which no clients share.
    case realmNotSynced
    /// A synced realm that clients neither read nor write just now.
    case syncNotEnabled(SyncState)
    /// A migration of the realm is queued or running, so that nothing else may change it.
    case migrationActive(job: RealmModel.UUID)
    /// A job of the app, which may be one of a fleet, is queued or running, so that the app has to stay.
    case appActive(job: RealmModel.UUID, fleet: RealmModel.UUID?)
    /// The realm's current snapshot is not the one that was expected any more.
    case realmChanged
    /// A job that is no rehearsal, or none that has succeeded.
    case notRehearsed
    /// The job has set nothing aside, or has not succeeded.
    case nothingQuarantined
    /// The realm is not what the job made any more.
    case quarantineOutdated
    /// The snapshot that a rehearsal left is gone, as its time was over.
    case previewExpired
    /// Another attempt has taken the job, or the job has ended: nothing of this attempt counts.
    case leaseLost
    /// The draft took pauses so long that what it had staged was removed.
    case draftExpired
    /// A job in this state can't be cancelled or run again.
    case jobState(JobState)
    /// A job that waits or runs can't be removed.
    case jobActive(String)
    /// A job of a fleet can't be run again: what it had is another job's.
    case jobOfFleet(RealmModel.UUID)
    /// A partner's state does not permit what is asked for.
    ///
    /// - Parameter reason: what stands against it beside the state; nil where that is all.
    case partnerState(PartnerState, String?)
    /// A class has a partner on its way already.
    case partnerActive(className: String)
    /// A fleet's state does not permit what is asked for.
    case fleetState(FleetMachine.Refused)
    /// A fleet that selects none of the app's realms.
    ///
    /// - Parameter realms: the local ones that have a snapshot, counted up to `countedRealms`.
    case noRealmSelected(of: Int)
    /// An upload has come to another place than where bytes begin that are to be added.
    case uploadOffset(Int)
    /// An app keeps as much as the operator lets it.
    case quotaExceeded(String)
    /// A key has as many tokens as it may have at a time.
    case tokensFull(limit: Int)
    /// An app has as many webhooks as it may have.
    case webhooksFull(limit: Int)
    /// A webhook that is disabled: nothing is sent to it.
    case webhookDisabled
    /// Uploads that are not whole yet have all the bytes that they may have together.
    case uploadsFull(limit: Int)
    /// A snapshot that is its realm's current one or a running job's source can't be deleted.
    case snapshotInUse
    /// A cursor that this list did not give.
    case invalidCursor
    /// A name that such a thing can't have: see `ResourceName`.
    case invalidName(Thing)
    /// The database was brought up to date by a newer program.
    case databaseTooNew(found: Int, known: Int)
    /// The database was left behind by a program that is older than the last one whose tables this one takes over.
    case databaseTooOld(found: Int, needed: Int)
    /// The database holds tables of something else, and none of the service's.
    case databaseForeign
    /// The database holds something that can't be read.
    case damaged(String)
}

extension StoreError: CustomStringConvertible {
    /// Realms that are counted for an error, at most.
    package static let countedRealms = 1_000

    /// One sentence.
    public var description: String {
        switch self {
        case .notFound(let thing, let name): "There is no \(Self.noun(thing)) “\(name)”."
        case .schemaVersionInUse(let version):
            "A realm has a snapshot of schema version \(version), a job or fleet leads there, or a recovery keeps changes of it: its "
                + "schema is fixed."
        case .realmKindInUse(let kind): "The realm is \(kind.rawValue), and a realm stays of its kind."
        case .realmIsSynced:
            "The realm is synced and has a snapshot: it takes changes and additions to its schema, and neither uploads nor "
                + "restored snapshots, with which clients would lose what they wrote."
        case .syncedSchemaInvalid(let errors): SchemaValidationError.text(errors)
        case .syncNotTerminated:
            "Sync of the realm is enabled: terminate it first, which keeps its clients from reading and writing."
        case .realmNotSynced: "The realm is local, and changes by uploads and migrations: no clients share it."
        case .syncNotEnabled(.terminateRequired):
            "More objects lack a required value than the limit permits: fill them by backfills, or terminate sync and enable "
                + "it again."
        case .syncNotEnabled:
            "Sync of the realm was terminated: clients neither read nor write until it is enabled again."
        case .migrationActive(let job):
            "The migration job \(job) of the realm is queued or running: wait for its end, or cancel it."
        case .appActive(let job, nil):
            "The job \(job) of the app is queued or running: wait for its end, or cancel it."
        case .appActive(let job, let fleet?):
            "The job \(job) of the fleet \(fleet) is queued or running: cancel the fleet, and wait for the job's end."
        case .realmChanged: "The realm's current snapshot is not the one any more that was to be migrated."
        case .nothingQuarantined: "The job has no object in quarantine."
        case .quarantineOutdated:
            "The realm is not what the job made of it any more, so that its objects can't be retried."
        case .notRehearsed: "The job is no rehearsal (`dryRun`) that has succeeded."
        case .previewExpired: "The snapshot that the rehearsal left is not there any more: rehearse once more."
        case .leaseLost: "The job was taken over by another attempt or has ended."
        case .draftExpired: "The upload stood still for too long and was given up."
        case .jobState(let state):
            "The job is \(state.rawValue): queued and running jobs can be cancelled, failed and cancelled ones retried."
        case .jobActive(let state):
            "The job is \(state): one that has ended can be removed, and this one cancelled before."
        case .jobOfFleet(let fleet):
            "The job is one of the fleet \(fleet), which makes its jobs itself: `retry-failed` of the fleet tries its realms again."
        case .partnerState(let state, let reason):
            "The partner is in the state \(state.rawValue)"
                + (reason.map { ": \($0)" } ?? ", which does not permit that.")
        case .partnerActive(let name): "The class '\(name)' has a partner on its way already."
        case .noRealmSelected(let realms):
            realms == 0
                ? "The fleet selects no realm: the app has no local one that has a snapshot."
                : "The fleet selects no realm: none of the app's \(realms)\(realms < Self.countedRealms ? "" : " or more") local ones "
                    + "agrees with `select`."
        case .fleetState(let refused):
            "The fleet is in the state \(refused.state.rawValue)"
                + (refused.reason.map { ": \($0)." } ?? ", which does not permit to \(refused.verb.words).")
        case .uploadOffset(let offset): "The upload goes on at byte \(offset): ask with HEAD where it stands."
        case .quotaExceeded(let what): "The app may have no more than \(what): remove some, or ask the operator."
        case .tokensFull(let limit):
            "The key has \(limit) tokens, which is as many as it may have at a time: revoke some, let them expire, or make some "
                + "by another key."
        case .webhooksFull(let limit): "The app has \(limit) webhooks, which is as many as it may have: remove some."
        case .webhookDisabled: "The webhook is disabled: enable it first."
        case .uploadsFull(let limit):
            "Uploads that are not whole yet have as much as they may have: \(limit) bytes together, those of an app half of that "
                + "and those of a realm a quarter."
        case .snapshotInUse: "The snapshot is the realm's current one or is being migrated."
        case .invalidCursor: "The cursor is not one that this list gave."
        case .invalidName(let thing):
            "The name of the \(Self.noun(thing)) has to be \(ResourceName.rule(of: thing))."
        case .databaseTooNew(let found, let known):
            "The database is at version \(found) and this program knows versions up to \(known): "
                + "use the newer realmshift that upgraded it."
        case .databaseTooOld(let found, let needed):
            "The database is at version \(found), and this program takes over databases of version \(needed): start the last "
                + "realmshift of version \(needed) with it once, and then this one."
        case .databaseForeign:
            "The database holds tables of something else and none of realmshift's: nothing in it was changed. Give realmshift a "
                + "database of its own, or make a place for it in this one: CREATE SCHEMA \(DatabaseSchema.name)."
        case .damaged(let what): "The database holds something that can't be read: \(what)."
        }
    }

    private static func noun(_ thing: Thing) -> String {
        switch thing {
        case .app: "app"
        case .schemaVersion: "schema version"
        case .realm: "realm"
        case .snapshot: "snapshot"
        case .job: "job"
        case .apiKey: "API key"
        case .token: "token"
        case .session: "session"
        case .recovery: "recovery"
        case .partner: "partner"
        case .upload: "upload"
        case .fleet: "fleet"
        case .webhook: "webhook"
        case .webhookDelivery: "delivery"
        }
    }
}
