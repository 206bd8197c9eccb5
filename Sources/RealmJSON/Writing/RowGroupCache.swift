/// Row groups that were decoded for links and embedded objects; the longest unused go when they are too many bytes.
final class RowGroupCache {
    private struct Place: Hashable {
        let view: ObjectIdentifier
        let group: Int
    }

    private let byteLimit: Int
    private var groups: [Place: (view: RowGroupView, used: Int)] = [:]
    private var clock = 0
    private var last: RowGroupView?

    /// An empty cache.
    ///
    /// - Parameter byteLimit: bytes of decoded columns above which groups are dropped.
    init(byteLimit: Int = 64 << 20) {
        self.byteLimit = byteLimit
    }

    /// A row group of a class.
    func group(_ group: Int, of view: ClassView) -> RowGroupView {
        if let last, last.view === view, last.group == group { return last }
        let place = Place(view: ObjectIdentifier(view), group: group)
        clock += 1
        let found = groups[place]?.view ?? RowGroupView(view, group: group)
        if groups[place] == nil { makeRoom() }
        groups[place] = (found, clock)
        last = found
        return found
    }

    private func makeRoom() {
        var bytes = groups.values.reduce(0) { $0 + $1.view.byteCount }
        guard bytes > byteLimit else { return }
        for (place, entry) in groups.sorted(by: { $0.value.used < $1.value.used }) where bytes > byteLimit / 2 {
            groups[place] = nil
            bytes -= entry.view.byteCount
        }
    }
}
