/// The state of a file besides its tables, as far as its top array can be read: the transaction that wrote it, and what a client of
/// Realm's sync has not sent.
struct OwnState {
    /// Where a top array has numbers, which are tagged and so never 0: the size of the file, the transaction, the kind and the layout of
    /// the history, and the client's own number.
    private static let numbers = [2, Group.versionSlot, 7, 9, 10]

    /// The number of the transaction; nil where that can't be read.
    private(set) var version: Int64?
    /// Changesets that no server has acknowledged; nil where nothing is known of that.
    private(set) var unsentChangesets: Int?
    /// Whether something of it can't be read.
    private(set) var isLost = true

    /// The state of a file that has no top array any more.
    init() {}

    /// Reads a top array, of whatever size.
    init(of top: Node, in image: Image) {
        func isNumber(_ slot: Int) -> Bool { (try? top.integer(at: slot)).map { $0 & 1 == 1 } ?? false }
        let written = Self.numbers.filter { $0 < top.count }
        isLost = !written.allSatisfy(isNumber)
        // Files that never were written to in place have none, which counts as the first.
        if !written.contains(Group.versionSlot) { version = 1 }
        if isNumber(Group.versionSlot) { version = (try? top.tagged(at: Group.versionSlot)).map { max($0, 1) } }
        do {
            let place = try HistoryPlace(top)
            unsentChangesets = try SyncHistory(at: place, snapshotVersion: version ?? 1, in: image)?.unsentChangesets
        } catch {
            isLost = true
        }
    }
}
