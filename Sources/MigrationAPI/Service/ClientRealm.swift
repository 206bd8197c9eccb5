import HTTPServer
import JobStore
import RealmModel
import RealmSync
import SnapshotStore
import StoreCore
import SyncedRealms

extension ClientRealm {
    /// The request field that names the schema version which the client was built with.
    static let versionField = "Realm-Schema-Version"
}

extension APIRequest {
    /// The realm of the path, as the schema version that the client names shows it; all of its schema where it names none.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet); `syncNotEnabled`;
    ///   `APIError.invalidField`, `APIError.clientVersionUnknown`; `ClientResetError`.
    func clientRealm(in jobs: JobStore) throws -> ClientRealm {
        let (app, name) = (try app(), try realm())
        _ = try clientVersion()
        let (realm, opened) = try jobs.store.snapshots.openRealm(name, in: app)
        try requireSync(of: realm, in: jobs.store)
        let view = try schemaView(of: opened.snapshot.declared, realm, in: jobs.store)
        if let version = view.version { try jobs.partners.saw(version, declaring: view.shown, by: realm) }
        return ClientRealm(realm: realm, opened: opened, view: view)
    }

    /// Refuses a synced realm whose sync is not enabled.
    ///
    /// - Throws: `StoreError.syncNotEnabled`.
    func requireSync(of realm: Realm, in store: SnapshotStore) throws {
        if let state = realm.sync?.state(unsyncedLimit: store.unsyncedLimit), state != .enabled {
            throw StoreError.syncNotEnabled(state)
        }
    }

    /// The part of a server-side schema that the client's schema version shows; all of it where the client names none.
    ///
    /// - Throws: `APIError.invalidField`, `clientVersionUnknown`; `ClientResetError`.
    func schemaView(of server: Schema, _ realm: Realm, in store: SnapshotStore) throws -> SchemaView {
        guard let version = try clientVersion() else { return SchemaView(server: server) }
        let declared: DeclaredVersion
        do {
            declared = try store.schemaVersions.find(version, of: realm)
        } catch StoreError.notFound(.schemaVersion, _) {
            throw APIError.clientVersionUnknown(version)
        }
        do {
            return try SchemaView(
                server: server, retired: try Self.retired(of: realm, in: store), version: version,
                declared: declared.schema,
                renames: declared.migration?.schemaRenames ?? [])
        } catch let error as SchemaViewError {
            throw ClientResetError(view: error, recovery: realm.sync?.recovery)
        }
    }

    /// The schema version that the client has to name.
    func requiredClientVersion() throws(APIError) -> UInt64 {
        guard let version = try clientVersion() else {
            throw .invalidField(name: ClientRealm.versionField, message: "has to be the schema version of the client.")
        }
        return version
    }

    /// The part that left a realm's schema when sync was enabled with another one, or partners stood in for it.
    private static func retired(of realm: Realm, in store: SnapshotStore) throws -> Schema {
        var retired = try store.recoveries.retired(of: realm)
        for gone in realm.sync?.retired.classes ?? [] {
            if let index = retired.classes.firstIndex(where: { $0.name.hasSameBytes(as: gone.name) }) {
                retired.classes[index].properties += gone.properties
            } else {
                retired.classes.append(gone)
            }
        }
        return retired
    }

    /// The schema version that the client names.
    private func clientVersion() throws(APIError) -> UInt64? {
        guard let text = head.fields[ClientRealm.versionField] else { return nil }
        guard let version = SchemaVersionNumber.parse(text) else {
            throw .invalidField(
                name: ClientRealm.versionField, message: "has to be a schema version, an integer from 0.")
        }
        return version
    }
}

/// A client has to start over, with another schema version than the one that it names.
struct ClientResetError: Error {
    let view: SchemaViewError
    /// The recovery that takes the changes that the client had not sent; nil where the realm never had another schema.
    let recovery: RealmModel.UUID?
}
