import Columns
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore

/// Checks a migration when it is declared, as far as that can be done without a realm.
struct DeclarationCheck: Sendable {
    /// The script's own text takes no time, but a busy machine may; the memory is that of the hosts that wait for jobs.
    static let limits = ScriptLimits(timeoutSeconds: 15)

    let scripts: any ScriptChecker

    /// Refuses a migration that is sure to fail, or sure never to run.
    ///
    /// - Parameters:
    ///   - body: the document with the member `migration`.
    ///   - before: the declared version before, nil where there is none. Realms come from there, and from elsewhere.
    ///   - known: the schemas that realms may have.
    /// - Throws: `APIError.migrationNeverRuns`, `scriptInvalid`, `renameUnknown`; `MigrationError` with Realm's text.
    func check(
        _ version: UInt64, _ schema: Schema, _ migration: DeclaredMigration?, in body: JSONBody,
        after before: DeclaredVersion?, known: KnownSchemas, of app: App
    ) throws {
        try Self.checkRuns(migration, at: version, in: body)
        try check(migration, in: body, of: app)
        try checkWay(to: version, schema, migration, in: body, after: before, known: known)
    }

    /// Refuses a migration that no realm is below.
    ///
    /// - Throws: `APIError.migrationNeverRuns`.
    static func checkRuns(_ migration: DeclaredMigration?, at version: UInt64, in body: JSONBody) throws(APIError) {
        guard version == 0, let migration, migration.script != nil || !migration.schemaRenames.isEmpty else { return }
        throw .migrationNeverRuns(pointer: body.pointer(to: "migration"))
    }

    /// Refuses a migration that fails whatever its script does.
    ///
    /// - Throws: `APIError.renameUnknown`; `MigrationError` with Realm's text.
    func checkWay(
        to version: UInt64, _ schema: Schema, _ migration: DeclaredMigration?, in body: JSONBody,
        after before: DeclaredVersion?, known: KnownSchemas
    ) throws {
        let problem = migration.flatMap(known.problem)
        do {
            if let before { try migrateEmpty(from: before, to: schema, at: version, migration) }
        } catch var error as MigrationError {
            // Realm's words do not say which name was probably meant.
            if let problem { error.details.append(ProblemItem(problem)) }
            throw error
        }
        if let problem { throw Self.unknown(problem, body) }
    }

    /// Refuses a migration whose script is none, or that renames what no version has.
    ///
    /// - Parameters:
    ///   - known: the schemas that realms may have.
    ///   - body: the document with the member `migration`.
    /// - Throws: `APIError.scriptInvalid`, `renameUnknown`.
    func check(_ migration: DeclaredMigration?, known: KnownSchemas, in body: JSONBody, of app: App) throws {
        try check(migration, in: body, of: app)
        if let problem = migration.flatMap(known.problem) { throw Self.unknown(problem, body) }
    }

    private static func unknown(_ problem: String, _ body: JSONBody) -> APIError {
        .renameUnknown(problem, pointer: body.pointer(to: "migration") + "/renames")
    }

    /// Refuses a migration whose script is none.
    ///
    /// - Parameter body: the document with the member `migration`.
    /// - Throws: `APIError.scriptInvalid`.
    func check(_ migration: DeclaredMigration?, in body: JSONBody, of app: App) throws {
        guard let script = migration?.script else { return }
        let member = script.language == .swift ? "/sources" : "/source"
        try checkScript(script, of: app, at: body.pointer(to: "migration") + member)
    }

    private func checkScript(_ script: ScriptSource, of app: App, at pointer: String) throws {
        do {
            try scripts.check(script, of: app.id, limits: Self.limits)
        } catch let error as MigrationError where error.script != .crash && error.script != .unavailable {
            throw APIError.scriptInvalid(error, pointer: pointer)
        }
    }

    /// Migrates a realm without objects, which shows what no realm of the version before is spared.
    ///
    /// Where there is a script it stops there: what would be left for the script to do is nobody's to say.
    private func migrateEmpty(
        from before: DeclaredVersion, to schema: Schema, at version: UInt64, _ migration: DeclaredMigration?
    ) throws {
        let store = MemorySegmentStore()
        let nothing = Snapshot(schemaVersion: nil, declared: Schema(), classes: [])
        let empty = try Migration(
            MigrationRequest(source: nothing, target: before.schema, targetVersion: before.version), store: store
        ).run(script: nil)
        let request = MigrationRequest(
            source: empty.snapshot, target: schema, targetVersion: version,
            migration: DeclaredMigration(renames: migration?.renames ?? [], classRenames: migration?.classRenames ?? [])
        )
        do {
            let script: (MigrationTransaction) throws -> Void = { _ in throw ScriptReached() }
            _ = try Migration(request, store: store).run(script: migration?.script == nil ? nil : script)
        } catch is ScriptReached {
            return
        }
    }

    private struct ScriptReached: Error {}
}
