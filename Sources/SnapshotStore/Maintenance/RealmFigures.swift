import Postgres
import RealmJSON
import RealmModel
import StoreCore

/// The steps of a chart.
public enum FigureStep: String, Hashable, Sendable, CaseIterable {
    case hour
    case day
}

/// The realms of an app, or of all apps, at some time.
public struct RealmFigures: Hashable, Sendable {
    /// The beginning of the hour or the day at whose end they stood so, or the time at which they were counted.
    public var at: Timestamp
    /// The realms.
    public var count: Int
    /// Bytes of their current snapshots.
    public var storedBytes: Int
    /// The realms that have a snapshot by its schema version, ascending, nil first: `[{"version", "count"}]`.
    public var versions: JSONValue
}

/// Counts of realms of one app.
struct RealmCounts: Hashable, Sendable {
    var realms = 0
    var storedBytes = 0
    private var versions: [UInt64?: Int] = [:]

    /// Counts a realm.
    ///
    /// - Parameter snapshot: its version and bytes; nil where it has none.
    mutating func count(_ snapshot: (version: UInt64?, bytes: Int)?) {
        realms += 1
        guard let snapshot else { return }
        storedBytes += snapshot.bytes
        versions[snapshot.version, default: 0] += 1
    }

    mutating func add(_ other: RealmCounts) {
        realms += other.realms
        storedBytes += other.storedBytes
        versions.merge(other.versions, uniquingKeysWith: +)
    }

    var versionsJSON: JSONValue {
        let ordered = versions.sorted { lhs, rhs in
            guard let left = lhs.key else { return rhs.key != nil }
            return rhs.key.map { left < $0 } ?? false
        }
        return .array(
            ordered.map { ["version": $0.key.map { JSONValue($0) } ?? .null, "count": .int(Int64($0.value))] })
    }
}

extension RealmCounts {
    /// The version and bytes of a row's current snapshot; nil where it has none.
    static func snapshot(of row: PostgresRow) throws -> (version: UInt64?, bytes: Int)? {
        guard let bytes = try row.optional("stored_bytes", as: Int.self) else { return nil }
        return (try row.optional("schema_version", as: StoredVersion.self)?.number, bytes)
    }
}
