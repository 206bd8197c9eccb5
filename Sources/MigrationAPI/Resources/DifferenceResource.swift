import Columns
import HTTPServer
import RealmComparison
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// `/v1/snapshots/{snapshot}/diff/{other}`: what differs between two snapshots of a realm.
struct DifferenceResource: Sendable {
    let store: SnapshotStore

    var routes: [APIRoute] {
        let path = "/v1/snapshots/{snapshot}/diff/{other}"
        return [
            APIRoute(
                "GET", path, "diffSnapshots", requires: .read, tokens: .snapshots(["snapshot", "other"]), query: [],
                respond: counts),
            APIRoute(
                "GET", "\(path)/objects", "listDifferences", requires: .read,
                tokens: .snapshots(["snapshot", "other"]), query: ["class"] + .page,
                respond: objects),
        ]
    }

    private func counts(_ request: APIRequest) throws -> HTTPResponse {
        let pair = try SnapshotPair(request, in: store)
        let differences = try pair.comparison.classNames.map { try pair.comparison.compare($0) }.filter { difference in
            let isShared = [pair.from, pair.to].allSatisfy { $0.snapshot.declared[difference.className] != nil }
            return !difference.isEmpty || !isShared
        }
        let classes = differences.map { $0.json(in: pair.to.snapshot.declared) }
        let changes = SchemaChangeReport.compare(
            existing: pair.from.snapshot.declared, target: pair.to.snapshot.declared)
        return .json(["schema": .array(changes.map(\.json)), "classes": .array(classes)])
    }

    private func objects(_ request: APIRequest) throws -> HTTPResponse {
        let page = try request.head.page()
        let after = try page.cursor.map { cursor in
            guard let key = ObjectCursor.decode(cursor) else { throw StoreError.invalidCursor }
            return key.value
        }
        let pair = try SnapshotPair(request, in: store)
        guard let name = request.head.queryValue("class") else {
            throw APIError.invalidParameter(name: "class", message: "has to be the name of a class.")
        }
        guard pair.comparison.classNames.contains(where: { $0.hasSameBytes(as: name) }) else {
            throw APIError.notFound(.objectClass, name)
        }
        let found = Found(after: after, limit: page.limit)
        _ = try pair.comparison.compare(name, report: { found.take($0) })
        let items = try found.items.map { try pair.json(of: $0, in: name) }
        let next = found.hasMore ? found.items.last.map { ObjectCursor.encode(ObjectKey($0.key)) } : nil
        return Self.list(items, next: next)
    }

    /// The objects are text already, so the list is put together as text.
    private static func list(_ items: [[UInt8]], next: String?) -> HTTPResponse {
        let next = next.map { "\"\($0)\"" } ?? "null"
        let bytes =
            Array("{\"items\":[".utf8) + items.joined(separator: [UInt8(ascii: ",")])
            + Array("],\"next\":\(next)}\n".utf8)
        return HTTPResponse(status: 200, fields: ["Content-Type": MediaType.json], body: .bytes(bytes))
    }

    /// The objects of one page, as they are found.
    private final class Found {
        private(set) var items: [ObjectDifference] = []
        /// Whether there is one more behind them.
        private(set) var hasMore = false
        private let after: Int64?
        private let limit: Int

        init(after: Int64?, limit: Int) {
            self.after = after
            self.limit = limit
        }

        /// Takes an object; says whether more are wanted.
        func take(_ object: ObjectDifference) -> Bool {
            if let after, object.key <= after { return true }
            guard items.count < limit else {
                hasMore = true
                return false
            }
            items.append(object)
            return true
        }
    }
}

/// The two snapshots that a path names.
private struct SnapshotPair {
    let from: OpenSnapshot
    let to: OpenSnapshot
    let comparison: SnapshotComparison

    init(_ request: APIRequest, in store: SnapshotStore) throws {
        from = try request.openSnapshot(in: store)
        to = try request.openSnapshot("other", in: store)
        guard from.info.isOfSameRealm(as: to.info) else {
            throw APIError.invalidParameter(name: "other", message: "has to be a snapshot of the same realm.")
        }
        comparison = SnapshotComparison(
            from.snapshot, to.snapshot, delta: try Self.delta(from.info, to.info, store), store: to.store)
    }

    /// The changes between both, where one came of the other by changes that were noted.
    private static func delta(
        _ from: SnapshotInfo, _ to: SnapshotInfo, _ store: SnapshotStore
    ) throws -> SnapshotDelta? {
        let realm = try store.realms.find(from.realm, in: from.app)
        // A difference is one in both directions, whichever snapshot is later.
        let links =
            try store.snapshots.deltas(from: from.id, to: to.id, of: realm)
            ?? store.snapshots.deltas(from: to.id, to: from.id, of: realm)
        guard let links else { return nil }
        var whole = SnapshotDelta()
        for link in links {
            guard let delta = link.delta else { return nil }
            whole.merge(delta)
        }
        return whole
    }

    /// An object as either snapshot has it; null where it has it not.
    func json(of object: ObjectDifference, in name: String) throws -> [UInt8] {
        let sides = try [from, to].map { side -> [UInt8] in
            guard side.snapshot.declared[name] != nil else { return Array("null".utf8) }
            let objects = ObjectJSON(side.snapshot, from: side.store, includesEmbedded: true)
            return try objects.object(ObjectKey(object.key), ofClass: name)?.bytes ?? Array("null".utf8)
        }
        return Array("{\"key\":\(object.key),\"before\":".utf8) + sides[0] + Array(",\"after\":".utf8) + sides[1]
            + Array("}".utf8)
    }
}
