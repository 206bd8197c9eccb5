import RealmModel

/// The links of one property, to be asked who links to an object; 16 bytes a link.
public struct LinkTable: Sendable {
    private typealias Link = (target: Int64, origin: Int64)

    /// The links of one run, of which each but the last is full: no run is copied whole while it grows.
    private static let runLength = 1 << 20

    private let runLength: Int
    /// Links in the order in which they were appended; sorted in each run from `sort` on.
    private var runs: [[Link]] = []
    /// The number of links.
    public private(set) var count = 0

    /// A table without links.
    public init() { self.init(runLength: Self.runLength) }

    init(runLength: Int) { self.runLength = runLength }

    /// Takes a link, by the keys of the objects that it leads to and comes from.
    public mutating func append(target: Int64, origin: Int64) {
        if count.isMultiple(of: runLength) {
            runs.append([])
            if runs.count > 1 { runs[runs.count - 1].reserveCapacity(runLength) }
        }
        runs[runs.count - 1].append((target, origin))
        count += 1
    }

    /// Makes the table ready to be asked, when all links are in it.
    public mutating func sort() {
        for index in runs.indices { runs[index].sort { ($0.target, $0.origin) < ($1.target, $1.origin) } }
    }

    /// The keys of the objects that link to a key, ascending, each as often as it does.
    public func origins(of key: Int64) -> [Int64] {
        let origins = zip(runs, places(of: key)).flatMap { links, places in links[places].map(\.origin) }
        return runs.count > 1 ? origins.sorted() : origins
    }

    /// The number of links to a key.
    public func originCount(of key: Int64) -> Int { places(of: key).reduce(0) { $0 + $1.count } }

    /// Where a key's links are in each run.
    private func places(of key: Int64) -> [Range<Int>] {
        runs.map { links in
            links.partitioningIndex { $0.target >= key }..<links.partitioningIndex { $0.target > key }
        }
    }
}
