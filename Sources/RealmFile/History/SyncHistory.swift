import RealmModel

/// A sync client's record of its exchange with the server, in its file, REALM_FORMAT section 26.
struct SyncHistory {
    /// The schemas of histories that are laid out as this reads them.
    private static let schemas: ClosedRange<Int64> = 11...12
    /// Where the root keeps the version up to which the server has acknowledged this client's changes.
    private static let uploadCursorSlot = 7
    private static let changesetsSlot = 13
    /// Whose a changeset is: 0 is this client, and any other number came from the server.
    private static let originsSlot = 16

    /// The changesets made in this file that no server has acknowledged.
    let unsentChangesets: Int

    /// Reads a history; nil where it is none of a sync client, or one of another layout.
    ///
    /// - Parameter snapshotVersion: the number of the transaction that wrote it last.
    /// - Throws: `InputError.Code.damaged`.
    init?(at place: HistoryPlace, snapshotVersion: Int64, in image: Image) throws(InputError) {
        guard place.isOfSyncClient, Self.schemas.contains(place.schema) else { return nil }
        guard let ref = place.syncRef else {
            unsentChangesets = 0
            return
        }
        let root = try image.node(at: ref).asIntegers("the history")
        guard let changesets = try image.child(Self.changesetsSlot, of: root),
            let origins = try image.child(Self.originsSlot, of: root)
        else {
            unsentChangesets = 0
            return
        }
        let count = try Self.count(of: origins)
        let firstVersion = snapshotVersion - count
        let sent = max(try root.tagged(at: Self.uploadCursorSlot) ?? 0, firstVersion) - firstVersion
        unsentChangesets = try Self.count(changesets, after: sent, origins: origins, in: image)
    }

    /// The number of elements that a B+tree of integers says it has.
    private static func count(of root: Node) throws(InputError) -> Int64 {
        guard root.isInner else { return Int64(root.count) }
        return max(try root.tagged(at: root.count - 1) ?? 0, 0)
    }

    /// Counts what this client made and what is not empty, behind the first `sent` entries.
    private static func count(
        _ changesets: Node, after sent: Int64, origins: Node, in image: Image
    ) throws(InputError) -> Int {
        var changes = LeafCursor(root: changesets, in: image)
        var owners = LeafElements(LeafCursor(root: origins, in: image))
        var (position, unsent) = (Int64(0), 0)
        while let node = try changes.next() {
            let leaf = try ByteLeaf(node, of: .data, in: image)
            guard leaf.count <= BPlusTree.leafLimit else { throw node.damaged("a leaf of \(leaf.count) changesets") }
            for index in 0..<leaf.count {
                guard let owner = try owners.next() else {
                    throw node.damaged("a changeset of which nothing says whose it is")
                }
                position += 1
                guard position > sent, owner == 0 else { continue }
                let isEmpty = try leaf.withBytes(at: index) { $0?.isEmpty ?? true }
                unsent += isEmpty ? 0 : 1
            }
        }
        guard try owners.next() == nil else { throw changesets.damaged("a changeset is missing") }
        return unsent
    }

    /// The integers of a B+tree, one by one.
    private struct LeafElements {
        private var leaves: LeafCursor
        private var leaf: Node?
        private var index = 0

        init(_ leaves: LeafCursor) {
            self.leaves = leaves
        }

        mutating func next() throws(InputError) -> Int64? {
            while leaf.map({ index == $0.count }) ?? true {
                guard let next = try leaves.next()?.asIntegers("the owners of changesets") else { return nil }
                guard next.count <= BPlusTree.leafLimit else {
                    throw next.damaged("a leaf of \(next.count) owners of changesets")
                }
                (leaf, index) = (next, 0)
            }
            defer { index += 1 }
            return try leaf?.integer(at: index)
        }
    }
}
