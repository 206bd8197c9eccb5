import Postgres
import RealmModel
import StoreCore

/// The form in which devices that leave Realm get the realms of an app.
public struct ExportPolicy: Hashable, Sendable {
    /// The name of a format.
    public var format: String
    /// The form of dates, by the name of the option.
    public var dates: String
    /// Whether embedded objects are columns of their owners.
    public var flattens: Bool
    /// The schema version that a realm is migrated to before; nil for the one that it has.
    public var targetVersion: UInt64?

    /// Says it.
    public init(format: String, dates: String, flattens: Bool, targetVersion: UInt64?) {
        self.format = format
        self.dates = dates
        self.flattens = flattens
        self.targetVersion = targetVersion
    }
}

extension SnapshotStore.Apps {
    /// The form in which devices that leave Realm get the app's realms; nil where none was set.
    ///
    /// - Throws: `StoreError.notFound`.
    public func exportPolicy(of name: String) throws -> ExportPolicy? {
        try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT export_format, export_dates, export_flattens, export_version FROM app
                WHERE name = \(name)
                """)
            guard let row = rows.first else { throw StoreError.notFound(.app, name) }
            guard let format = try row.optional("export_format", as: String.self) else { return nil }
            return ExportPolicy(
                format: format, dates: try row.value("export_dates"), flattens: try row.value("export_flattens"),
                targetVersion: try row.optional("export_version", as: StoredVersion.self)?.number)
        }
    }

    /// Says what realms of an app are given back as; nil for nothing.
    ///
    /// - Throws: `StoreError.notFound`.
    public func setExportPolicy(_ policy: ExportPolicy?, of name: String) throws {
        let changed = try pool.withConnection { connection in
            try connection.execute(
                """
                UPDATE app SET export_format = \(policy?.format), export_dates = \(policy?.dates),
                    export_flattens = \(policy?.flattens),
                    export_version = \(policy?.targetVersion.map { StoredVersion($0) })
                WHERE name = \(name)
                """)
        }
        guard changed == 1 else { throw StoreError.notFound(.app, name) }
    }
}
