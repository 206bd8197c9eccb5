import AccessStore
import JobStore
import RealmModel
import SnapshotStore
import StoreCore

/// Finds the things that the path names, as far as the key may see them; there is no other way from a path to an id or a
/// name.
extension APIRequest {
    /// The app; a name that none can have names nothing.
    func app() throws(APIError) -> String {
        let app = parameter("app")
        guard ResourceName.isValid(app, of: .app), access.sees(app) else { throw .notFound(.app, app) }
        return app
    }

    /// The app that the operation makes where it is not there yet.
    func newApp() throws -> String {
        let app = try newName(.app)
        guard access.sees(app) else { throw APIError.notFound(.app, app) }
        return app
    }

    /// The realm, of an app that `app` has found to be visible; a name that none can have names nothing.
    func realm() throws(APIError) -> String {
        let realm = parameter("realm")
        guard ResourceName.isValid(realm, of: .realm) else { throw .notFound(.realm, realm) }
        return realm
    }

    /// The job.
    func job(in jobs: JobStore) throws -> Job {
        let id = try id("job", of: .job)
        let job = try jobs.find(id)
        guard access.sees(job.app) else { throw StoreError.notFound(.job, "\(id)") }
        return job
    }

    /// The id of the job, which is there unless the key sees all apps: then nobody has looked.
    func jobID(in jobs: JobStore) throws -> RealmModel.UUID {
        access.apps == .all ? try id("job", of: .job) : try job(in: jobs).id
    }

    /// The id of a job that is to be shown, which is there unless the key may read all jobs: then nobody has looked.
    func shownJobID(in jobs: JobStore) throws -> RealmModel.UUID {
        if access.apps == .all, access.scopes.contains(.read) { return try id("job", of: .job) }
        let job = try job(in: jobs)
        guard access.sees(job) else { throw StoreError.notFound(.job, "\(job.id)") }
        return job.id
    }

    /// The id that the path gives of a job which the caller asks `Access.sees` about when it was read.
    func uncheckedJobID() throws(APIError) -> RealmModel.UUID { try id("job", of: .job) }

    /// The snapshot.
    func snapshot(in store: SnapshotStore) throws -> SnapshotInfo {
        try visible(try store.snapshots.find(id("snapshot", of: .snapshot)))
    }

    /// The snapshot that a parameter names, to be read.
    func openSnapshot(_ parameter: String = "snapshot", in store: SnapshotStore) throws -> OpenSnapshot {
        let opened = try store.snapshots.open(id(parameter, of: .snapshot))
        _ = try visible(opened.info)
        return opened
    }

    private func visible(_ snapshot: SnapshotInfo) throws -> SnapshotInfo {
        guard access.sees(snapshot.app) else { throw StoreError.notFound(.snapshot, "\(snapshot.id)") }
        return snapshot
    }

    /// The key that the path names, which gives access to no app that the request's own key has not.
    func apiKey(in store: AccessStore) throws -> APIKey {
        let key = try store.keys.find(id("apiKey", of: .apiKey))
        guard access.apps.contains(allOf: key.apps) else { throw StoreError.notFound(.apiKey, "\(key.id)") }
        return key
    }

    /// The token that the path names, of those that the key may see.
    func token(in store: AccessStore) throws -> RealmToken {
        try store.tokens.find(id("token", of: .token), among: access.visibleTokens())
    }

    /// The upload in parts, of the realm of an app that `app` has found to be visible.
    func partialUpload(in store: SnapshotStore) throws -> PartialUpload {
        let (app, realm) = (try app(), try realm())
        return try store.uploads.find(id("upload", of: .upload), for: realm, in: app)
    }

    /// The id of the fleet, of an app that `app` has found to be visible.
    func fleetID() throws(APIError) -> RealmModel.UUID { try id("fleet", of: .fleet) }

    /// The id of the webhook, of an app that `app` has found to be visible.
    func webhookID() throws(APIError) -> RealmModel.UUID { try id("webhook", of: .webhook) }

    /// The id of the delivery, of an app that `app` has found to be visible.
    func deliveryID() throws(APIError) -> RealmModel.UUID { try id("delivery", of: .delivery) }

    /// A parameter that is an id; what is none names nothing.
    private func id(_ name: String, of thing: MissingThing) throws(APIError) -> RealmModel.UUID {
        guard let id = RealmModel.UUID(parameter(name)) else { throw .notFound(thing, parameter(name)) }
        return id
    }
}

/// The checks that a token has to pass before its operation is asked.
extension APIRequest {
    /// Whether `check` has to ask the database.
    func asksDatabase(for bound: TokenBound) -> Bool {
        guard access.token != nil else { return false }
        return switch bound {
        case .refused, .realm, .list: false
        case .snapshots, .job: true
        }
    }

    /// Refuses a token an operation that is about anything else than its realms; what is of another realm is not there.
    ///
    /// - Throws: `APIError.notForTokens`, `APIError.notFound`, `StoreError.notFound`.
    func check(_ bound: TokenBound, in jobs: JobStore) throws {
        guard let realms = access.realms else { return }
        switch bound {
        case .refused: throw APIError.notForTokens
        case .list: if parameters["app"] != nil { _ = try app() }
        case .realm:
            _ = try app()
            let realm = parameter("realm")
            guard realms.names.contains(realm) else { throw APIError.notFound(.realm, realm) }
        case .snapshots(let names):
            for name in names {
                let id = try id(name, of: .snapshot)
                try require(try jobs.store.snapshots.place(of: id), in: realms, else: .notFound(.snapshot, "\(id)"))
            }
        case .job:
            let id = try id("job", of: .job)
            try require(try jobs.place(of: id), in: realms, else: .notFound(.job, "\(id)"))
        }
    }

    /// The snapshots whose jobs a token may not see: jobs of a fleet have other realms, too.
    func hiddenJobs(of snapshots: [SnapshotInfo], in jobs: JobStore) throws -> Set<RealmModel.UUID> {
        guard access.realms != nil else { return [] }
        let made = snapshots.compactMap { info -> (snapshot: RealmModel.UUID, job: RealmModel.UUID)? in
            if case .migration(let job) = info.createdBy { (info.id, job) } else { nil }
        }
        let shown = try jobs.ofOneRealm(among: Set(made.map(\.job)))
        return Set(made.filter { !shown.contains($0.job) }.map(\.snapshot))
    }

    private func require(
        _ place: (app: String, realm: String)?, in realms: VisibleRealms, else missing: StoreError
    ) throws(StoreError) {
        guard let place, place.app == realms.app, realms.names.contains(place.realm) else { throw missing }
    }
}
