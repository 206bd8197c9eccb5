import RealmModel

/// The object keys of a class's rows in the order of the document, and what they become.
///
/// While keys ascend, or none is given, rows are written under their keys as they come. Otherwise keys are gathered
/// here and the rows sorted when all are known: those without a key then get the free ones, in the document's order.
struct KeyIntake {
    /// The largest key of a document, so that counters and keys behind it fit their 64 bits.
    static let limit = Int64.max >> 1

    /// The keys so far, while they ascend.
    private(set) var runs = KeyRuns()
    /// The keys of rows in the document's order, -1 where none was given; nil while keys ascend.
    private(set) var scattered: [Int64]?
    /// Where the objects of `scattered` stand in the input, from the first on that broke the order.
    private var offsets: [Int] = []
    private var areGiven: Bool?
    private let hasPrimaryKey: Bool

    /// Starts a class without rows.
    init(hasPrimaryKey: Bool) {
        self.hasPrimaryKey = hasPrimaryKey
    }

    /// The key that a row is written under: its own, or its number where rows will be sorted.
    ///
    /// - Parameters:
    ///   - given: the document's key; nil where it is left out.
    ///   - offset: where the object stands, bytes from the input's start.
    mutating func next(given: Int64?, offset: Int) -> ObjectKey {
        if scattered == nil {
            let key = given ?? ObjectKey.allocated(sequence: Int64(runs.count), hasPrimaryKey: hasPrimaryKey).value
            if areGiven ?? (given != nil) == (given != nil), key > runs.last ?? -1 {
                areGiven = given != nil
                runs.append(key)
                return ObjectKey(key)
            }
            scattered = areGiven == true ? runs.all : Array(repeating: -1, count: runs.count)
        }
        scattered?.append(given ?? -1)
        offsets.append(offset)
        return ObjectKey(Int64((scattered?.count ?? 0) - 1))
    }

    /// Whether a row has a key, as far as is known yet.
    func contains(_ key: Int64) -> Bool { scattered == nil && runs.contains(key) }

    /// The counter that makes the next key, greater than all there are.
    var nextSequence: Int64 { Self.sequence(after: runs.last, hasPrimaryKey: hasPrimaryKey) }

    /// The order that rows have to be written in, where it is not the document's; keys are final from then on.
    ///
    /// - Throws: `RepeatedKey` where two rows have one.
    mutating func sort() throws(RepeatedKey) -> KeyOrder? {
        guard var keys = scattered else { return nil }
        scattered = nil
        let given = KeyRuns(sorted: try sortedUnique(keys))
        var sequence: Int64 = 0
        for row in keys.indices where keys[row] < 0 {
            var key: Int64
            repeat {
                key = ObjectKey.allocated(sequence: sequence, hasPrimaryKey: hasPrimaryKey).value
                sequence += 1
            } while given.contains(key)
            keys[row] = key
        }
        let rows = keys.indices.sorted { keys[$0] < keys[$1] }
        let sorted = rows.map { keys[$0] }
        runs = KeyRuns(sorted: sorted)
        return KeyOrder(rows: rows, keys: sorted)
    }

    private func sortedUnique(_ keys: [Int64]) throws(RepeatedKey) -> [Int64] {
        let rows = keys.indices.filter { keys[$0] >= 0 }.sorted { (keys[$0], $0) < (keys[$1], $1) }
        for (row, next) in zip(rows, rows.dropFirst()) where keys[row] == keys[next] {
            let place = next - (keys.count - offsets.count)
            throw RepeatedKey(key: keys[next], offset: offsets.indices.contains(place) ? offsets[place] : nil)
        }
        return rows.map { keys[$0] }
    }

    /// The smallest sequence number whose key, like those of all after it, is greater than a key.
    static func sequence(after key: Int64?, hasPrimaryKey: Bool) -> Int64 {
        guard let key else { return 0 }
        guard !hasPrimaryKey else { return key + 1 }
        let (block, place) = (key >> 16, key & 0xffff)
        return place < 0xff ? block << 8 | (place + 1) : (block + 1) << 8
    }
}

/// The order of rows by their keys.
struct KeyOrder {
    /// Numbers of rows as they were written first.
    let rows: [Int]
    /// Their keys, ascending.
    let keys: [Int64]
}

/// Two rows of a class that were given one key.
struct RepeatedKey: Error {
    let key: Int64
    /// Where the second stands, as far as is known.
    let offset: Int?
}

extension KeyRuns {
    /// Takes keys that ascend.
    init(sorted keys: [Int64]) {
        for key in keys { append(key) }
    }
}
