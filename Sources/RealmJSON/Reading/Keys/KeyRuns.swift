import RealmModel

/// An ascending set of object keys as runs of consecutive ones; keys as Realm gives them need next to no memory.
struct KeyRuns {
    private var firsts: [Int64] = []
    private var lasts: [Int64] = []
    /// The number of keys.
    private(set) var count = 0

    /// The largest key.
    var last: Int64? { lasts.last }

    /// Adds a key that is greater than all before it.
    mutating func append(_ key: Int64) {
        count += 1
        if let last = lasts.last, last + 1 == key {
            lasts[lasts.count - 1] = key
        } else {
            firsts.append(key)
            lasts.append(key)
        }
    }

    /// Whether a key is among them.
    func contains(_ key: Int64) -> Bool {
        let run = firsts.partitioningIndex { $0 > key } - 1
        return run >= 0 && key <= lasts[run]
    }

    /// Every key, ascending.
    var all: [Int64] {
        zip(firsts, lasts).flatMap { Array($0...$1) }
    }
}
