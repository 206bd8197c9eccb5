import RealmJSON
import RealmModel
import StoreCore

/// The origin of a snapshot.
public enum SnapshotOrigin: Hashable, Sendable {
    /// A client uploaded the realm.
    case upload
    /// A batch of changes to a synced realm.
    case changes
    /// A migration job.
    case migration(job: RealmModel.UUID)
}

/// The metadata of a snapshot, known without reading it.
public struct SnapshotInfo: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The app's name.
    public var app: String
    /// The realm's name.
    public var realm: String
    /// The realm's kind.
    public var realmKind: RealmKind
    /// The schema version; nil where the realm was never given one.
    public var schemaVersion: UInt64?
    /// The snapshot that was current when this one was made; nil for the first.
    public var parent: RealmModel.UUID?
    /// Its origin.
    public var createdBy: SnapshotOrigin
    /// The objects of each declared class, in the schema's order, embedded classes included.
    public var objectCounts: [ClassCount]
    /// Bytes of the segments that it names, those that it shares with other snapshots included.
    public var storedBytes: Int
    /// When it was committed.
    public var createdAt: Timestamp

    /// The app, whatever is called by its name later.
    public let appID: RealmModel.UUID
    package let realmID: RealmModel.UUID

    /// The number of objects of one class.
    public struct ClassCount: Hashable, Sendable {
        /// The class.
        public var className: String
        /// Its objects.
        public var count: Int
    }
}

/// The counts as the column `object_counts` holds them: an array, because a schema has an order.
package struct StoredCounts: StoredDocument {
    package let counts: [SnapshotInfo.ClassCount]

    init(_ counts: [SnapshotInfo.ClassCount]) { self.counts = counts }

    package init(json: JSONValue) throws(StoreError) {
        guard let elements = json.elements else { throw .damaged("stored counts of objects") }
        var counts: [SnapshotInfo.ClassCount] = []
        for element in elements {
            counts.append(
                SnapshotInfo.ClassCount(
                    className: try element.stored("className", \.string),
                    count: Int(try element.stored("count", \.int))))
        }
        self.counts = counts
    }

    package var json: JSONValue {
        .array(counts.map { ["className": .string($0.className), "count": .int(Int64($0.count))] })
    }
}

extension SnapshotInfo {
    /// Whether both are of one realm: a realm that was deleted and made again is another one.
    public func isOfSameRealm(as other: SnapshotInfo) -> Bool { appID == other.appID && realmID == other.realmID }
}
