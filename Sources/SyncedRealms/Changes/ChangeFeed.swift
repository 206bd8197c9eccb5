import Columns
import RealmJSON
import RealmModel
import RealmSync
import SnapshotStore

/// The changes of a synced realm, as one client sees them: lines of JSON, a batch after the other.
///
/// A batch leads from the snapshot that the client has to the realm's current one: its deletions, then the objects as they are
/// now, then the snapshot that the client has by now. Where many snapshots lie between, an object is told of once.
package final class ChangeFeed {
    /// One line.
    package enum Line {
        /// A change of an object or a schema.
        case change([UInt8])
        /// The end of a batch.
        case snapshot(RealmModel.UUID)
    }

    /// Objects that are looked up at once.
    private static let objectsAtOnce = 256

    private let store: SnapshotStore
    private let open: () throws -> ClientRealm
    /// The snapshot that the client has; nil where it has nothing.
    private var position: RealmModel.UUID?
    private var batch: Batch?

    /// Follows a realm.
    ///
    /// - Parameters:
    ///   - since: the snapshot that the client has; nil where it has nothing.
    ///   - open: the realm as it is now, as the client sees it.
    package init(since: RealmModel.UUID?, in store: SnapshotStore, open: @escaping () throws -> ClientRealm) {
        self.store = store
        self.open = open
        position = since
    }

    /// The next lines; nil where the client has everything for now.
    ///
    /// - Throws: `SnapshotGone` where nobody knows any more what changed since; what `open` throws.
    package func next() throws -> [Line]? {
        if batch == nil { batch = try begin() }
        guard let batch else { return nil }
        if let lines = try batch.next() { return lines }
        self.batch = nil
        position = batch.snapshot
        return [.snapshot(batch.snapshot)]
    }

    private func begin() throws -> Batch? {
        let client = try open()
        let (snapshot, current) = (client.opened.info.id, client.opened.snapshot)
        guard position != snapshot else { return nil }
        guard let position else { return Batch(client, delta: .whole(current), changes: []) }
        guard let chain = try store.snapshots.deltas(from: position, to: snapshot, of: client.realm) else {
            throw SnapshotGone(id: position)
        }
        var delta = SnapshotDelta()
        for link in chain {
            // Changes that are not known can't be told: deletions, for one.
            guard let known = link.delta else { throw SnapshotGone(id: position) }
            delta.merge(known)
        }
        guard delta.changesSchema else { return Batch(client, delta: delta, changes: []) }
        let before = try store.snapshots.open(position, in: client.realm.appID).snapshot.declared
        let changes = SchemaChangeReport.compare(existing: before, target: current.declared)
        return Batch(client, delta: delta, changes: changes)
    }

    /// The lines that lead from a snapshot to another.
    private final class Batch {
        let snapshot: RealmModel.UUID
        private let shown: Schema
        private let stored: Snapshot
        private let store: PostgresSegmentStore
        private let objects: ObjectJSON
        /// The same with what lacks a value, which no client is shown.
        private let all: ObjectJSON
        private var rest: [SnapshotDelta.ClassDelta]
        private var changes: [SchemaChangeReport]
        private var place = Place.deletions

        private enum Place {
            case deletions
            case objects(after: ObjectKey?)
            case keys(Int)
            case unsynced(group: Int)
        }

        init(_ client: ClientRealm, delta: SnapshotDelta, changes: [SchemaChangeReport]) {
            snapshot = client.opened.info.id
            shown = client.view.shown
            stored = client.view(client.opened.snapshot)
            store = client.opened.store
            objects = ObjectJSON(stored, from: store, leavesOutUnsynced: true)
            all = ObjectJSON(stored, from: store)
            self.changes = changes
            let (shown, stored) = (shown, stored)
            rest = delta.classes.filter { changed in
                guard let seen = shown[changed.className], !seen.isEmbedded else { return false }
                return stored[changed.className] != nil
            }
        }

        /// The next lines; nil behind the last.
        func next() throws -> [Line]? {
            if !changes.isEmpty {
                defer { changes = [] }
                return [.change((["schema": .array(changes.map(\.json))] as JSONValue).encoded())]
            }
            while let changed = rest.first {
                let lines = try step(changed)
                if !lines.isEmpty { return lines }
            }
            return nil
        }

        private func step(_ changed: SnapshotDelta.ClassDelta) throws -> [Line] {
            let name = changed.className
            switch place {
            case .deletions:
                // Before the objects: one that was made anew under the same primary key is there.
                place = changed.isWhole ? .objects(after: nil) : .keys(0)
                return changed.deleted.map { .change(Self.deletion(name, JSONValue($0.primaryKey))) }
            case .objects(let after):
                let found = try objects.objects(ofClass: name, after: after, limit: ChangeFeed.objectsAtOnce) ?? []
                place = found.last.map { .objects(after: $0.key) } ?? .unsynced(group: 0)
                return found.map { .change(Self.object(name, $0.bytes)) }
            case .keys(let first):
                let keys = changed.upserted.dropFirst(first).prefix(ChangeFeed.objectsAtOnce)
                guard !keys.isEmpty else {
                    goOn()
                    return []
                }
                place = .keys(first + keys.count)
                return try keys.compactMap { key in
                    if let found = try objects.object(ObjectKey(key), ofClass: name) {
                        return .change(Self.object(name, found.bytes))
                    }
                    return try hidden(ObjectKey(key), name)
                }
            case .unsynced(let group): return try unsynced(name, inGroup: group)
            }
        }

        private func goOn() {
            rest.removeFirst()
            place = .deletions
        }

        /// Objects that lack a value are gone for clients, which may have had them.
        private func unsynced(_ name: String, inGroup group: Int) throws -> [Line] {
            guard let stored = stored[name], stored.unsyncedCount > 0 else {
                goOn()
                return []
            }
            let reader = try ClassReader(stored, store: store)
            guard reader.rowGroups.indices.contains(group) else {
                goOn()
                return []
            }
            place = .unsynced(group: group + 1)
            guard let rows = try reader.unsyncedRows(inGroup: group) else { return [] }
            let keys = try reader.keys(inGroup: group)
            return try keys.indices.filter { rows[$0] && reader.rowGroups[group].deleted?[$0] != true }.compactMap {
                try hidden(ObjectKey(keys[$0]), name)
            }
        }

        /// That an object is not to be seen; nil where it is not there at all, and was deleted since the batch began.
        private func hidden(_ key: ObjectKey, _ name: String) throws -> Line? {
            guard let found = try all.object(key, ofClass: name), let primaryKey = shown[name]?.primaryKeyProperty,
                let value = try JSONValue.parse(found.bytes)[primaryKey.publicName]
            else { return nil }
            return .change(Self.deletion(name, value))
        }

        private static func deletion(_ name: String, _ key: JSONValue) -> [UInt8] {
            (["class": .string(name), "key": key, "deleted": true] as JSONValue).encoded()
        }

        private static func object(_ name: String, _ object: [UInt8]) -> [UInt8] {
            var line = Array("{\"class\":".utf8) + JSONValue.string(name).encoded() + Array(",\"object\":".utf8)
            line += object
            line.append(UInt8(ascii: "}"))
            return line
        }
    }
}

/// Nobody knows any more what changed since a snapshot that a client has.
package struct SnapshotGone: Error {
    /// The snapshot.
    package let id: RealmModel.UUID
}
