import RealmModel

/// The place and kind of a file's history, as its top array gives them, REALM_FORMAT section 6.
struct HistoryPlace {
    /// The kind of history that a client of Realm's sync keeps.
    private static let syncClient: Int64 = 3
    private static let typeSlot = 7
    private static let refSlot = 8
    private static let schemaSlot = 9

    /// The kind of history, 0 … 4.
    let type: Int64
    /// The version of the history's own layout, which every kind counts for itself.
    let schema: Int64
    /// Where the history of a sync client is; nil where there is none.
    let syncRef: Int64?

    /// Whether it is of a kind that a client of Realm's sync keeps.
    var isOfSyncClient: Bool { type == Self.syncClient }

    /// Reads a top array, of whatever size.
    init(_ top: Node) throws(InputError) {
        type = try top.tagged(at: Self.typeSlot) ?? 0
        schema = try top.tagged(at: Self.schemaSlot) ?? 0
        syncRef = type == Self.syncClient ? try top.reference(at: Self.refSlot) : nil
    }
}
