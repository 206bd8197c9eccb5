import Columns
import RealmModel

/// The values of one property that others stand for and that are nowhere in their objects: whether the others are values that
/// other objects had, and whether they are far fewer.
///
/// A value that a script works out from the one before is neither, nor is one of a few: statuses in other words, numbers that are
/// one more. Holds a sample of the different values on either side, of which both snapshots are asked in the end.
struct ReplacedValues {
    /// The fewest different values that say something.
    private static let fewest = 5
    /// The fewest of them that say something where many objects had them: of two each becomes the other.
    private static let few = 3
    /// Different values that are many, and how many times as many as others.
    private static let many = (values: 20, times: 5)
    /// One of how many replaced values may be another after an exchange, as the last of a row has no neighbour: of numbers fewer, which
    /// are the same by chance.
    private static let strays = (values: 50, numbers: 1_000)
    /// The part of them that other objects had, in percent, each of them one object.
    private static let takenPercent = 90

    private(set) var lost = LostValues()
    private var before = ValueSample()
    private var after = ValueSample()
    private var numbers = NumberPairs()

    /// Adds a value that is another one now.
    mutating func add(_ cell: ChangedCell, of key: Int64) throws {
        if lost.wantsValues { lost.add(key, try cell.before(), try cell.after()) } else { lost.add(key) }
        if cell.hasParts {
            before.add(try cell.before().hash)
            after.add(try cell.after().hash)
            return
        }
        before.add(try cell.array.valueHash(at: cell.row, as: cell.pair.oldType))
        after.add(try cell.other.valueHash(at: cell.otherRow, as: cell.pair.newType))
        if cell.pair.hasSameType {
            numbers.add(
                try cell.array.plainNumber(at: cell.row, as: cell.pair.oldType),
                try cell.other.plainNumber(at: cell.otherRow, as: cell.pair.newType))
        }
    }

    /// Whether there may be something to tell.
    var isSuspicious: Bool { areFewer || mayBeExchanged }

    /// Whether many different values became far fewer.
    var areFewer: Bool {
        before.count >= Self.many.values && before.count >= Self.many.times * after.count
    }

    /// Whether they may be those of other objects: no conversion gives values that the property had.
    private var mayBeExchanged: Bool {
        let isOfMany = after.count >= Self.few && lost.objects.count >= Self.many.values
        return (after.count >= Self.fewest || isOfMany) && !numbers.areWorkedOut
    }

    /// Whether there are several on either side, and the new ones are not as much more than those before, or as many times as much.
    var areSeveral: Bool { before.count >= Self.fewest && after.count >= Self.fewest && !numbers.areLinear }

    /// Whether they are values that other objects had.
    ///
    /// - Parameters:
    ///   - old: goes through the cells of the property before.
    ///   - new: goes through them after.
    func areExchanged(_ pair: PropertyPair, old: Pass, new: Pass, _ isCancelled: () -> Bool) throws -> Bool {
        guard pair.hasSameType, mayBeExchanged else { return false }
        let level = max(before.level, after.level)
        let (sample, replaced) = (after.hashes(at: level), before.hashes(at: level))
        let all = Set(sample.keys).union(replaced.keys)
        let had = try Self.counts(of: all, old, isCancelled)
        let taken = sample.keys.filter { had[$0] != nil }
        // Most of them are new: no need to count what is there now.
        guard taken.count * 100 >= sample.count * Self.takenPercent else { return false }
        let have = try Self.counts(of: all, new, isCancelled)
        let strays = all.reduce(0) { $0 + abs((had[$1] ?? 0) - (have[$1] ?? 0)) }
        let count = sample.values.reduce(0, +)
        if strays <= 2 + count / (numbers.hasSome ? Self.strays.numbers : Self.strays.values) { return true }
        // A number may be another object's by chance, and so may a value that many have.
        let owners = taken.reduce(0) { $0 + (had[$1] ?? 0) }
        return !numbers.hasSome && taken.count >= 2 * Self.fewest && owners * 2 <= taken.count * 3
    }

    /// The cells of a property, with the embedded objects that they own.
    struct Pass {
        var cells: ColumnPass
        var type: ColumnType
        /// The class of embedded objects; nil where it owns none.
        var parts: String?
        var contents: ObjectContents

        fileprivate func hash(_ array: ColumnArray, _ row: Int) throws -> UInt64 {
            guard let parts else { return try array.valueHash(at: row, as: type) }
            return try contents.expanded(array.value(at: row, as: type), of: parts).hash
        }
    }

    private static func counts(
        of hashes: Set<UInt64>, _ pass: Pass, _ isCancelled: () -> Bool
    ) throws -> [UInt64: Int] {
        var counts: [UInt64: Int] = [:]
        try pass.cells.run(isCancelled) { array, _, rows in
            for row in rows where !array.isNull(row) {
                let hash = try pass.hash(array, row)
                if hashes.contains(hash) { counts[hash, default: 0] += 1 }
            }
            return true
        }
        return counts
    }
}

/// Texts that are written otherwise now: whether some that differed are one, by more than white space and the case of letters.
///
/// Holds a sample of the different ones on either side.
struct RespelledTexts {
    private var before = ValueSample()
    private var after = ValueSample()

    /// Adds a value that is another one now, where that has all of its words: one that another property has is all there.
    mutating func add(_ cell: ChangedCell) throws {
        let (old, new) = (try cell.before(), try cell.after())
        guard let spelling = old.spelling, let newSpelling = new.spelling, spelling != newSpelling else { return }
        var words = ValueWords()
        words.add(new)
        guard words.contain(old, exactDates: true) else { return }
        before.add(spelling)
        after.add(newSpelling)
    }

    /// Whether there are any.
    var hasSome: Bool { before.count > 0 }

    /// About how many different values are there no more.
    ///
    /// - Parameter old: goes through the cells of the property before.
    func lostCount(_ type: ColumnType, old: ColumnPass, _ isCancelled: () -> Bool) throws -> Int {
        let sample = after.hashes(at: after.level)
        var had: Set<UInt64> = []
        try old.run(isCancelled) { array, _, rows in
            for row in rows where !array.isNull(row) {
                guard let hash = try array.value(at: row, as: type).spelling, sample[hash] != nil else { continue }
                had.insert(hash)
            }
            return true
        }
        // A sample knows the number of all but for a few in a hundred.
        let isExact = before.level == 0 && after.level == 0
        let merged = isExact || before.count * 20 > after.count * 21 ? max(before.count - after.count, 0) : 0
        return merged + had.count << after.level
    }
}

extension Value {
    /// A hash of a text or a number without white space, in small letters of ASCII; nil of other values.
    fileprivate var spelling: UInt64? {
        let text: String
        switch self {
        case .string(let value): text = value
        case .int(let number): text = "\(number)"
        case .double(let number): text = "\(number)"
        case .float(let number): text = "\(number)"
        case .decimal128(let number): text = "\(number)"
        default: return nil
        }
        var hash = ByteHash()
        for byte in text.utf8 where byte > UInt8(ascii: " ") {
            hash.add(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
        }
        return hash.spread
    }
}

/// Different values among many, by their hashes: all of them, or of very many an even part.
struct ValueSample {
    private static let limit = 1_024

    private var occurrences: [UInt64: Int] = [:]
    /// How many bits of a hash have to be zero to be in the sample.
    private(set) var level = 0

    mutating func add(_ hash: UInt64) {
        guard Self.isIn(hash, level) else { return }
        occurrences[hash, default: 0] += 1
        while occurrences.count > Self.limit {
            level += 1
            occurrences = hashes(at: level)
        }
    }

    /// About how many different ones there are.
    var count: Int { occurrences.count << level }

    /// How often each was added, of those that a sample of that level has.
    func hashes(at level: Int) -> [UInt64: Int] { occurrences.filter { Self.isIn($0.key, level) } }

    private static func isIn(_ hash: UInt64, _ level: Int) -> Bool { hash & (1 << UInt64(level) - 1) == 0 }
}

/// Numbers, or points in time, before and after: whether one follows from the other.
struct NumberPairs {
    private var first: (old: Double, new: Double)?
    private var last: (old: Double, new: Double)?
    /// How much more one is for each that the other is more, and by how much that may be off.
    private var slope: (value: Double, error: Double)?
    private var isLinear = true
    private var keepsOrder = true
    private var areAllNumbers = true
    /// Whether there are any.
    var hasSome: Bool { first != nil }

    /// Whether all are as many more, or times as many, or stand in the order in which they stood.
    var areWorkedOut: Bool { areLinear || hasSome && areAllNumbers && keepsOrder }

    /// Whether all are as many more, or times as many.
    var areLinear: Bool { hasSome && areAllNumbers && isLinear }

    mutating func add(_ old: Double?, _ new: Double?) {
        guard let old, let new else {
            areAllNumbers = false
            return
        }
        if let last {
            keepsOrder = keepsOrder && (old < last.old) == (new < last.new) && (old > last.old) == (new > last.new)
        }
        last = (old, new)
        guard let first else {
            self.first = (old, new)
            return
        }
        func error(_ slope: Double) -> Double {
            64 * Double.ulpOfOne * (max(abs(new), abs(first.new)) + abs(slope) * max(abs(old), abs(first.old)))
        }
        guard let slope else {
            if old != first.old {
                let value = (new - first.new) / (old - first.old)
                slope = (value, error(value) / abs(old - first.old))
            } else {
                isLinear = isLinear && new == first.new
            }
            return
        }
        let expected = first.new + slope.value * (old - first.old)
        isLinear = isLinear && abs(expected - new) <= slope.error * abs(old - first.old) + error(slope.value)
    }
}

extension Value {
    /// A hash, evenly spread; the same by the same in each run of the program.
    var hash: UInt64 {
        var hash = ByteHash()
        for byte in ValueCoding.encode(self) { hash.add(byte) }
        return hash.spread
    }
}

extension ColumnArray {
    /// A hash of a cell's value, evenly spread; the same by the same in each run of the program.
    func valueHash(at row: Int, as type: ColumnType) throws -> UInt64 {
        var hash = ByteHash()
        if isNull(row) { return hash.spread }
        switch values {
        case .int(let cells): hash.add(UInt64(bitPattern: cells[row]))
        case .double(let cells): hash.add(cells[row].bitPattern)
        case .float(let cells): hash.add(UInt64(cells[row].bitPattern))
        case .date(let seconds, let nanoseconds):
            hash.add(UInt64(bitPattern: seconds[row]))
            hash.add(UInt64(UInt32(bitPattern: nanoseconds[row])))
        case .variable(let offsets, let bytes):
            for byte in bytes[Int(offsets[row])..<Int(offsets[row + 1])] { hash.add(byte) }
        case .fixed(let width, let bytes):
            for byte in bytes[row * width..<(row + 1) * width] { hash.add(byte) }
        default: for byte in ValueCoding.encode(try value(at: row, as: type)) { hash.add(byte) }
        }
        return hash.spread
    }

    /// A number or a point in time; nil for any other value.
    fileprivate func plainNumber(at row: Int, as type: ColumnType) throws -> Double? {
        guard type.collection == .none, !isNull(row) else { return nil }
        switch values {
        case .int(let cells): return type.element == .int ? Double(cells[row]) : nil
        case .double(let cells): return cells[row]
        case .float(let cells): return Double(cells[row])
        case .date(let seconds, let nanoseconds): return Double(seconds[row]) + Double(nanoseconds[row]) / 1e9
        case .fixed: return type.element == .decimal128 ? try value(at: row, as: type).number : nil
        default: return nil
        }
    }
}
