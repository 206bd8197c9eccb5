import AccessStore
import Columns
import HTTPServer
import JobStore
import MigrationJobs
import RealmFormats
import RealmMigration
import RealmModel
import SnapshotStore
import SyncedRealms

/// Puts the resources together, by topic.
struct APIResources {
    let jobs: JobStore
    let access: AccessStore
    let queue: JobQueue
    let events: JobEvents
    let configuration: APIConfiguration
    let scripts: any ScriptChecker & FunctionRunner
    let log: any APILog

    private var store: SnapshotStore { jobs.store }
    private var waiting: JobWaiting {
        JobWaiting(jobs: jobs, events: events, longestSeconds: configuration.longestWaitSeconds)
    }
    private var check: DeclarationCheck { DeclarationCheck(scripts: scripts) }

    /// Apps, their keys, and the record of changes.
    ///
    /// - Parameters:
    ///   - flushAudit: writes the entries that wait.
    ///   - forgetApp: is told of an app that is gone, by name.
    ///   - forgetKey: is told of a key, a token or a session that is gone.
    func ofAccess(
        flushAudit: @escaping @Sendable () throws -> Void, forgetApp: @escaping @Sendable (String) -> Void,
        forgetKey: @escaping @Sendable (RealmModel.UUID) -> Void
    ) -> [APIRoute] {
        let resources: [[APIRoute]] = [
            AppResource(store: store, removed: forgetApp).routes,
            SchemaVersionResource(store: store, check: check).routes,
            KeyResource(access: access, removed: forgetKey).routes,
            TokenResource(access: access, removed: forgetKey).routes,
            SessionResource(
                access: access,
                cookie: SessionCookie(
                    publicOrigin: configuration.publicOrigin, speaksTLS: configuration.speaksTLS),
                removed: forgetKey
            ).routes,
            AuditResource(access: access, flush: flushAudit).routes,
        ]
        return resources.flatMap(\.self)
    }

    /// Realms with their snapshots, and the objects in those.
    func ofRealms(
        decoder: any RealmDecoder, spool: SpoolDirectory,
        makeScratch: @escaping @Sendable () throws -> any SegmentStore, makeFile: (@Sendable () throws -> String)?
    ) -> [APIRoute] {
        let exports = RealmExports(queue: queue, waiting: waiting, makeFile: makeFile)
        let upload = UploadResource(
            store: store, decoder: decoder, limits: configuration.decodingLimits,
            slots: Slots(configuration.concurrentUploads, spare: max(1, configuration.concurrentUploads / 2)),
            quota: configuration.quota, exports: exports)
        let resources: [[APIRoute]] = [
            RealmResource(jobs: jobs).routes, upload.routes,
            ExportPolicyResource(store: store, exports: exports).routes,
            PartialUploadResource(store: store, upload: upload, configuration: configuration, spool: spool).routes,
            SnapshotResource(jobs: jobs, makeScratch: makeScratch, makeFile: makeFile).routes,
            ObjectResource(store: store).routes, FacetResource(store: store).routes,
            RealmObjectResource(jobs: jobs).routes,
            DifferenceResource(store: store).routes,
        ]
        return resources.flatMap(\.self)
    }

    /// Changes of synced realms, and their partners.
    func ofSyncedRealms() -> [APIRoute] {
        let realmEvents = RealmEvents(store) { [log] in log.failed("/v1/apps/{app}/realms/{realm}/changes", $0) }
        let partnerTools = PartnerTools(jobs, functions: scripts)
        let partners = PartnerWriter(partnerTools)
        let resources: [[APIRoute]] = [
            ChangeResource(jobs: jobs, partners: partners, events: realmEvents).routes,
            ChangeFeedResource(jobs: jobs, realmEvents: realmEvents).routes,
            PartnerResource(jobs: jobs, keeper: PartnerKeeper(partnerTools)).routes,
            SyncResource(store: store, queue: queue, waiting: waiting).routes,
            RecoveryResource(jobs: jobs, partners: partners).routes,
        ]
        return resources.flatMap(\.self)
    }

    /// Migrations, rehearsals and fleets, the jobs that they are, and who is told of them.
    func ofJobs() -> [APIRoute] {
        let resources: [[APIRoute]] = [
            MigrationResource(queue: queue, waiting: waiting, quota: configuration.quota).routes,
            RehearsalResource(queue: queue, waiting: waiting).routes,
            FleetResource(jobs: jobs, events: events, check: check, quota: configuration.quota).routes,
            FiguresResource(jobs: jobs).routes,
            WebhookResource(webhooks: jobs.webhooks, addresses: configuration.webhookAddresses).routes,
            AppEventResource(jobs: jobs, events: events).routes,
            JobResource(
                jobs: jobs, queue: queue, events: events, waiting: waiting, log: log, version: configuration.version
            ).routes,
        ]
        return resources.flatMap(\.self)
    }
}
