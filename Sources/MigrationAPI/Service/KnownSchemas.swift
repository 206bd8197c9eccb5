import RealmMigration
import RealmModel
import SnapshotStore

/// The schemas that realms of an app may have when they are migrated to a version: those that are declared below it, and those
/// of the realms that there are.
struct KnownSchemas {
    /// Versions that realms stand at, of which one is looked at, at most: those next to the target.
    private static let realmLimit = 100

    /// The versions that are declared below the target, ascending.
    let declared: [DeclaredVersion]
    /// The schema of the newest realm of each version up to the target, ascending; nil first, for none.
    private let ofRealms: [(version: UInt64?, schema: Schema)]
    /// How many local realms stand at which version below the target, ascending; nil first, for none.
    let counts: [(version: UInt64?, count: Int)]
    private let target: UInt64

    init(before target: UInt64, of app: String, in store: SnapshotStore) throws {
        self.target = target
        declared = try Self.declared(before: target, of: app, in: store)
        let snapshots = try store.realms.newestSnapshots(in: app)
        counts = snapshots.filter { $0.version.map { $0 < target } ?? true }.map { ($0.version, $0.realmCount) }
        ofRealms = try snapshots.filter { $0.version.map { $0 <= target } ?? true }
            .suffix(Self.realmLimit).map { ($0.version, try store.snapshots.open($0.snapshot).snapshot.declared) }
    }

    /// Takes the versions that are declared now, and the realms of a moment ago.
    init(_ recent: KnownSchemas, of app: String, in store: SnapshotStore) throws {
        (target, counts, ofRealms) = (recent.target, recent.counts, recent.ofRealms)
        declared = try Self.declared(before: target, of: app, in: store)
    }

    private static func declared(
        before target: UInt64, of app: String, in store: SnapshotStore
    ) throws -> [DeclaredVersion] {
        try store.schemaVersions.way(from: nil, to: target, of: app).filter { $0.version < target }
    }

    /// The schema that realms that come to the target have had so far: the one declared next to it, or the one of realms
    /// next to it.
    ///
    /// - Returns: nil where nothing is known.
    var newest: (version: UInt64, schema: Schema)? {
        let next = declared.last.map { ($0.version, $0.schema) }
        guard let realm = ofRealms.last, declared.isEmpty || (realm.version ?? 0) < target else { return next }
        let version = realm.version ?? 0
        return next.map { $0.0 >= version } ?? false ? next : (version, realm.schema)
    }

    /// The changes that lead from `newest` to a version.
    func changes(to version: DeclaredVersion) -> [SchemaChangeReport] {
        SchemaChangeReport.between(newest, and: version.version, version.schema, version.migration)
    }

    // MARK: Renames

    /// The problem of the first rename of a class or a property that no version has; nil where there is none, or nothing is
    /// known.
    func problem(of migration: DeclaredMigration) -> String? {
        let schemas = declared.map(\.schema) + ofRealms.filter { $0.version.map { $0 < target } ?? true }.map(\.schema)
        guard !schemas.isEmpty else { return nil }
        for rename in migration.classRenames where !schemas.contains(where: { $0[rename.from] != nil }) {
            return unknownClass(rename.from, in: schemas)
        }
        for (index, rename) in migration.renames.enumerated() {
            let before = migration.classRenames.filter { $0.to.hasSameBytes(as: rename.className) }.map(\.from)
            let names = [rename.className] + before
            let classes = schemas.flatMap { schema in names.compactMap { schema[$0] } }
            guard !classes.isEmpty else {
                return unknownClass(rename.className, in: schemas)
            }
            // A name that an earlier rename made can be renamed on.
            let made = migration.renames[..<index].contains {
                $0.className.hasSameBytes(as: rename.className) && $0.to.hasSameBytes(as: rename.from)
            }
            guard !made, !classes.contains(where: { $0.property(named: rename.from) != nil }) else { continue }
            return UnknownName.message(
                rename.from, kind: "property",
                of: "The rename can't be done: class '\(rename.className)' below version \(target)",
                known: Self.sorted(classes.flatMap { $0.persistedProperties.map(\.name) }))
        }
        return nil
    }

    private func unknownClass(_ name: String, in schemas: [Schema]) -> String {
        UnknownName.message(
            name, kind: "class", of: "The rename can't be done: the app below version \(target)",
            known: Self.sorted(schemas.flatMap { $0.classes.map(\.name) }))
    }

    private static func sorted(_ names: [String]) -> [String] {
        var known: Set<NameKey> = []
        return names.filter { known.insert(NameKey($0)).inserted }.sorted()
    }
}
