import RealmModel

/// A place before, and the places after that have its values.
struct PlaceSource {
    /// Places after that are told apart, at most.
    private static let limit = 64

    let column: Int
    /// The same for places that may be parted among others as one likes.
    let owner: UInt64
    /// The place of the list or dictionary whose element it is, of which it is noted alone where this is nowhere as a whole.
    var parent: UInt64?
    /// Objects in which a place has the value.
    private(set) var found = NamedObjects()
    /// How many have it at none.
    private var missed = 0
    /// The places that had it in each object; empty where there is none, and the others are counted.
    private(set) var steady: [UInt64] = []
    private var counts: [UInt64: NamedObjects] = [:]

    init(column: Int, owner: UInt64, parent: UInt64? = nil) {
        (self.column, self.owner, self.parent) = (column, owner, parent)
    }

    /// One that has its values at some places in so many objects.
    init(column: Int, at places: [UInt64], in count: Int) {
        (self.column, owner) = (column, places.first ?? 0)
        (found, steady) = (NamedObjects(count, first: []), places)
    }

    /// Whether no value of it was missed.
    var isWhole: Bool { missed == 0 }

    /// Whether it is an entry of a dictionary, and not an element of a list.
    var isEntry: Bool { parent != nil && parent != owner }

    /// The objects that were noted.
    var noted: Int { found.count + missed }

    mutating func note(_ targets: [UInt64], of key: Int64) {
        guard !targets.isEmpty else {
            missed += 1
            return
        }
        let before = found
        found.add(key)
        if before.count == 0 {
            steady = Array(targets.prefix(Self.limit))
            return
        }
        if !steady.isEmpty {
            let left = steady.filter(targets.contains)
            if left.count == steady.count { return }
            if left.isEmpty { for target in steady { counts[target] = before } }
            steady = left
        }
        guard steady.isEmpty else { return }
        for target in targets where counts[target] != nil || counts.count < Self.limit {
            counts[target, default: NamedObjects()].add(key)
        }
    }

    /// With other objects, in which the same values are.
    func together(with other: PlaceSource) -> PlaceSource {
        if found.count == 0 || other.found.count == 0 {
            var one = self
            if found.count == 0 { (one.found, one.steady, one.counts) = (other.found, other.steady, other.counts) }
            return one
        }
        var both = self
        both.found = found + other.found
        both.steady = steady.filter(other.steady.contains)
        guard both.steady.isEmpty else { return both }
        both.counts = allCounts.merging(other.allCounts) { $0 + $1 }
        return both
    }

    private var allCounts: [UInt64: NamedObjects] {
        steady.isEmpty ? counts : Dictionary(steady.map { ($0, found) }) { first, _ in first }
    }

    /// Whether it is moved at all: what is worked out anew is elsewhere by chance.
    var isMoved: Bool { found.count >= missed }

    var targets: [UInt64] { steady.isEmpty ? Array(counts.keys) : steady }

    /// How many objects have it elsewhere than most.
    var strayCount: Int { steady.isEmpty ? found.count - (counts.values.map(\.count).max() ?? found.count) : 0 }

    /// The keys of some of them.
    var strayKeys: [Int64] {
        let best = counts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
        let usual = Set(best.flatMap { counts[$0]?.keys } ?? [])
        return counts.filter { $0.key != best }.flatMap(\.value.keys).filter { !usual.contains($0) }
    }
}

extension NamedObjects {
    fileprivate static func + (one: NamedObjects, other: NamedObjects) -> NamedObjects {
        NamedObjects(one.count + other.count, first: Set(one.keys + other.keys).sorted())
    }
}
