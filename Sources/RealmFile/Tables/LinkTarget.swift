import RealmModel

/// A class that links lead to, and which keys its objects have.
///
/// Keys are looked for where the file has them: held are runs of consecutive ones and, of leaves with gaps, the node. A
/// class whose keys were never deleted is one run, or one in 256 objects; so a check is a comparison or two, and ten
/// million objects take a megabyte.
final class LinkTarget {
    let className: String
    /// The table of the class; nil where links are looked at when all have been read.
    private let table: Table?
    private let image: Image
    private var isRead = false
    private var runs = KeyRuns()
    /// The leaf of each run that is not whole.
    private var sparse: [Int: Cluster] = [:]
    /// The run that a key was found in last, or 0.
    private var latest = 0

    init(_ className: String, _ table: Table?, in image: Image) {
        self.className = className
        self.table = table
        self.image = image
    }

    /// Whether the class has the objects that links lead to.
    ///
    /// - Parameters:
    ///   - links: keys as leaves have them; those below `raise` lead to nothing.
    ///   - raise: what leaves have added to each key.
    /// - Throws: `damaged` where the class's keys can't be read.
    func contains(targetsOf links: some Sequence<Int64>, raisedBy raise: Int64) throws(InputError) -> Bool {
        guard let table else { return true }
        if !isRead { try readKeys(of: table) }
        // Looked up once for all links, not for each.
        let (runs, sparse) = (runs, sparse)
        var run = latest
        defer { latest = run }
        for link in links where link >= raise {
            let key = link - raise
            if !runs.has(key, inRun: run) {
                guard let found = runs.run(of: key) else { return false }
                run = found
            }
            if !sparse.isEmpty, let cluster = sparse[run], try !cluster.contains(key) { return false }
        }
        return true
    }

    private func readKeys(of table: Table) throws(InputError) {
        isRead = true
        do {
            switch table.layout {
            case .clusters(let root):
                var cursor = ClusterCursor(root: try image.node(at: root), in: image)
                while let cluster = try cursor.next() { try add(cluster) }
            case .trees:
                let count = try table.rowCount(in: image)
                if count > 0 { runs.append(0...Int64(count) - 1) }
            }
        } catch {
            throw error.within(className: className)
        }
    }

    private func add(_ cluster: Cluster) throws(InputError) {
        guard cluster.count > 0 else { return }
        var ends: [Int64] = [0, 0]
        try ends.withUnsafeMutableBufferPointer { ends throws(InputError) in
            try cluster.copyKeys(0..<1, to: UnsafeMutableBufferPointer(rebasing: ends[..<1]))
            try cluster.copyKeys(
                cluster.count - 1..<cluster.count, to: UnsafeMutableBufferPointer(rebasing: ends[1...]))
        }
        guard ends[0] >= 0, ends[0] <= ends[1], ends[0] > runs.lasts.last ?? -1 else {
            throw cluster.node.damaged("object keys do not ascend")
        }
        let isWhole = ends[1] - ends[0] == Int64(cluster.count) - 1
        if isWhole, let last = runs.lasts.last, last + 1 == ends[0], sparse[runs.count - 1] == nil {
            return runs.extend(to: ends[1])
        }
        if !isWhole { sparse[runs.count] = cluster }
        runs.append(ends[0]...ends[1])
    }
}

/// Runs of keys, ascending.
private struct KeyRuns {
    private(set) var firsts: [Int64] = []
    private(set) var lasts: [Int64] = []

    var count: Int { firsts.count }

    mutating func append(_ keys: ClosedRange<Int64>) {
        firsts.append(keys.lowerBound)
        lasts.append(keys.upperBound)
    }

    /// Has the last run go on to a key.
    mutating func extend(to last: Int64) { lasts[lasts.count - 1] = last }

    func has(_ key: Int64, inRun run: Int) -> Bool { run < firsts.count && firsts[run] <= key && key <= lasts[run] }

    /// The run whose first and last key have the key between them.
    func run(of key: Int64) -> Int? {
        // Realm spreads keys evenly, so that the place of a run follows from its key.
        if let first = firsts.first, let last = firsts.last, key >= first, last > first {
            let share = Double(key - first) / Double(last - first)
            let guess = min(Int(share * Double(firsts.count - 1)), firsts.count - 1)
            if has(key, inRun: guess) { return guess }
        }
        let run = lasts.lowerBound(key)
        return has(key, inRun: run) ? run : nil
    }
}

extension Cluster {
    /// Whether an object has a key, of a leaf between whose first and last one it is.
    fileprivate func contains(_ key: Int64) throws(InputError) -> Bool {
        guard let keys = relativeKeys else { return true }
        let wanted = UInt64(bitPattern: key) &- keyOffset
        let place = try (0..<count).partitioningIndex { row throws(InputError) in try keys.unsigned(at: row) >= wanted }
        return place < count ? try keys.unsigned(at: place) == wanted : false
    }
}
