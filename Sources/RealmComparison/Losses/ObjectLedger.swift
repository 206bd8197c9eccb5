import Columns
import RealmModel

/// Whether each value of an object that is gone from its place is in one that did not have it before: as often as it was there, its
/// elements in their order.
///
/// Says of no value that it is lost: others look for values that are written otherwise. A value of which this knows that it is there
/// too few times, or in another's place, is one of which nobody may say that nothing is lost.
struct ObjectLedger {
    /// Values of an object that are looked at, at most.
    private static let limit = ValueWords.elementLimit
    /// Places through which a value is followed.
    private static let chainLimit = 64

    /// The objects of which a value of a column before is in doubt.
    private(set) var doubtful: [Int: Int] = [:]
    /// Those of which values of a column changed places with others of the same object.
    private(set) var exchanged: [Int: LostValues] = [:]
    /// Columns with such values that are no numbers, which may be the same by chance.
    private(set) var tellingColumns: Set<Int> = []
    /// Columns before of which a value was not found.
    private(set) var open: Set<Int> = []
    var flags = FlagLedger()
    /// Where values went, by their places.
    var map = PlaceMap()

    /// Takes an object.
    mutating func take(_ object: LedgerObject, of key: Int64) {
        let (before, after) = (object.before, object.after)
        flags.take(before, after)
        let parts = before.filter { $0.isPart && $0.value.isFlag }
        if !parts.isEmpty { map.noteNames(ofFlags: parts, after, of: key) }
        guard before.count <= Self.limit, after.count <= Self.limit else {
            doubt(Set(before.map(\.column)))
            return
        }
        let (had, has) = (PlaceIndex(before), PlaceIndex(after))
        let gone = before.filter { value in
            let now = has[value.place]?.value
            // Flags that are not set are values as long as there is a place for them.
            return now != value.value && !value.value.isFlag
                && (!value.value.isHollow || now != nil && value.value.hasFlags)
        }
        guard !gone.isEmpty else { return }
        let fresh = after.filter { had[$0.place]?.value != $0.value }
        map.note(gone, in: fresh, of: key)
        var doubted = mayBeExchanged(gone, fresh, had) ? noteExchanges(before, after, of: key) : []
        noteWordExchanges(WordExchanges.columns(gone, in: fresh) { has[$0.place]?.value }, &doubted, of: key)
        doubted.formUnion(WordExchanges.mixedColumns(gone, fresh))
        var search = FreshWords(fresh, had, all: object.all)
        // The parts of a date serve a number only where the date serves no other one.
        for value in gone.filter(\.isDate) + gone.filter({ !$0.isDate }) {
            switch search.take(value, has[value.place]) {
            case .all: break
            case .none: open.insert(value.column)
            case .parts, .cut: doubted.insert(value.column)
            }
        }
        doubt(doubted)
    }

    private mutating func noteWordExchanges(_ columns: [Int: Bool], _ noted: inout Set<Int>, of key: Int64) {
        for (column, isTelling) in columns where noted.insert(column).inserted {
            exchanged[column, default: LostValues()].add(key)
            if isTelling { tellingColumns.insert(column) }
        }
    }

    private mutating func doubt(_ columns: Set<Int>) {
        for column in columns { doubtful[column, default: 0] += 1 }
    }

    /// Whether two places at least have other values now, one alone having none to change places with, and a value is in another one.
    private func mayBeExchanged(_ gone: [PlacedValue], _ fresh: [PlacedValue], _ had: PlaceIndex) -> Bool {
        let kept = fresh.filter { had[$0.place] != nil }
        if kept.contains(where: { $0.value.entries != nil }) { return true }
        return kept.count > 1 && gone.contains { value in kept.contains { $0.value == value.value } }
    }

    /// Values that changed places: each is where another one was that is where it was, or where a third one was, and so on.
    ///
    /// - Returns: the columns before that have some.
    private mutating func noteExchanges(
        _ before: [PlacedValue], _ after: [PlacedValue], of key: Int64
    ) -> Set<Int> {
        let (olds, news) = (before.flatMap(\.entriesApart), after.flatMap(\.entriesApart))
        let (had, has) = (PlaceIndex(olds), PlaceIndex(news))
        var places: [Value: PlacedValue] = [:]
        for value in news where had[value.place]?.value != value.value {
            // A place that was empty, or not there, took the value in.
            let wasFilled = had[value.place].map { !$0.value.isHollow } ?? false
            if !wasFilled || places[value.value] == nil { places[value.value] = value }
        }
        var (noted, told): (Set<Int>, Set<Int>) = ([], [])
        for value in olds where !value.value.isFlag && !value.value.isHollow {
            guard let next = places[value.value], has[value.place]?.value != value.value,
                Self.returns(value, places, had, now: has[value.place]?.value)
            else { continue }
            noted.insert(value.column)
            let isNumber = value.value.number != nil
            // Elements of a list may be numbered anew.
            if isNumber, next.family == value.family { continue }
            if !isNumber { tellingColumns.insert(value.column) }
            guard told.insert(value.column).inserted else { continue }
            exchanged[value.column, default: LostValues()].add(key, value.value, has[value.place]?.value)
        }
        return noted
    }

    private static func returns(
        _ value: PlacedValue, _ places: [Value: PlacedValue], _ had: PlaceIndex, now: Value?
    ) -> Bool {
        var current = value
        for step in 0..<chainLimit {
            guard let next = places[current.value], let other = had[next.place] else { return false }
            // Zero is a number, and many places have it: it is looked for in the place of the value alone.
            if other.value.isHollow { return step == 0 && other.value.number != nil && other.value == now }
            if other.place == value.place { return current.place != value.place }
            current = other
        }
        return true
    }

    // MARK: The end

    private var known: [Int: NamedObjects]?

    /// The objects in which a column's values are where another place's are in others.
    var mixed: [Int: NamedObjects] { known ?? map.mixed }

    /// The columns each of whose parts has a place of its own, the same in all objects.
    private(set) var explained: Set<Int> = []

    /// Asks the map once, which is at its end.
    mutating func settle() {
        let end = map.atEnd(flags.moves)
        known = end.mixed
        explained = end.explained.filter { end.mixed[$0] == nil && exchanged[$0] == nil }
        for column in explained { doubtful[column] = nil }
    }

    /// How many values of a column before are in doubt.
    func doubtCount(_ column: Int) -> Int {
        (doubtful[column] ?? 0) + (flags.untold[column] ?? 0) + (mixed[column]?.count ?? 0)
    }

    /// Whether all values of a column are elsewhere in their objects.
    func isFound(_ column: Int) -> Bool { !open.contains(column) && doubtCount(column) == 0 }
}

/// Values of an object by their places, the first at each.
private struct PlaceIndex {
    /// So few are gone through.
    private static let few = 24
    private let values: [PlacedValue]
    private let numbers: [UInt64: Int]

    init(_ values: [PlacedValue]) {
        self.values = values
        numbers =
            values.count <= Self.few
            ? [:] : Dictionary(values.indices.map { (values[$0].place, $0) }) { first, _ in first }
    }

    subscript(place: UInt64) -> PlacedValue? {
        if values.count > Self.few { return numbers[place].map { values[$0] } }
        return values.first { $0.place == place }
    }
}

/// The values of an object in the columns that were changed, dropped or added.
struct LedgerObject {
    /// Those of before and after that are not the same elements of a list.
    var before: [PlacedValue] = []
    var after: [PlacedValue] = []
    /// All that there are after.
    var all: [Value] = []
}

/// The words of what is new in an object, of which each serves one value, and of all that is in the columns.
private struct FreshWords {
    private var stock: WordStock
    private let fresh: [(name: String, value: Value)]
    private let placed: [PlacedValue]
    private let all: [Value]
    private var allWords: ValueWords?

    /// - Parameters:
    ///   - fresh: the values at places that had them not.
    ///   - had: those before, by their places.
    init(_ fresh: [PlacedValue], _ had: PlaceIndex, all: [Value]) {
        self.fresh = fresh.map { ($0.name, $0.value.parts(without: had[$0.place]?.value)) }
        var words = ValueWords()
        for (_, value) in self.fresh { words.add(value) }
        stock = WordStock(words)
        self.all = all
        placed = fresh
    }

    /// Takes the words of a value out, or of those of its parts that are not at its place any more.
    mutating func take(_ value: PlacedValue, _ now: PlacedValue?) -> Remainder {
        if value.value.hasFlags { return takeFlags(value, now) }
        let missing = value.value.parts(without: now?.value)
        if missing.isHollow { return value.isSet || value.value.isInOrder(within: now?.value) ? .all : .parts }
        if stock.take(value: missing) {
            return value.isSet || keepsOrder(of: missing) ? .all : .parts
        }
        if allWords == nil {
            var words = ValueWords()
            for value in all { words.add(value) }
            allWords = words
        }
        // A search among all of them finds it: it was there before, or another one needs its words.
        var others = allWords.map { WordStock($0) }
        return others?.take(value: missing) == true ? .parts : .none
    }
}

extension FreshWords {
    private func keepsOrder(of value: Value) -> Bool {
        let type = ColumnType(.string)
        if stock.all.keepOrder(of: value, type, hasParts: false) { return true }
        guard value.entries != nil else { return false }
        // A property of the name that a key had.
        var named = ValueWords()
        for (name, value) in fresh {
            named.add(text: name.utf8)
            named.add(value)
        }
        return named.keepOrder(of: value, type, hasParts: false)
    }

    /// Whether a dictionary has flags set that were not, and none has all as they were.
    private func areSet(_ entries: [DictionaryEntry]) -> Bool {
        let dictionaries = placed.compactMap(\.value.entries)
        let set = entries.filter { $0.value == .bool(false) }.map { DictionaryEntry($0.key, .bool(true)) }
        return dictionaries.contains { !Set($0).isDisjoint(with: set) }
            && !dictionaries.contains { Set($0).isSuperset(of: entries) }
    }

    /// Looks for flags side by side: they are told by their order, or by their keys.
    private func takeFlags(_ value: PlacedValue, _ now: PlacedValue?) -> Remainder {
        switch (value.value, now?.value) {
        case (.list(let elements), .list(let others)) where !value.isSet:
            return others.haveInOrder(elements) ? .all : .parts
        case (.dictionary(let entries), .dictionary(let others)):
            return Set(others).isSuperset(of: entries) ? .all : .parts
        case (.dictionary(let entries), _) where areSet(entries): return .parts
        case (.list, _) where !value.isSet:
            let sought = value.value.flagsInOrder[...]
            let flags = placed.flatMap(\.value.flagsInOrder)
            let isThere = flags.indices.contains { flags[$0...].starts(with: sought) }
            return isThere ? .all : .parts
        default:
            guard stock.all.contain(value.value) else { return .none }
            return value.isSet || keepsOrder(of: value.value) ? .all : .parts
        }
    }
}

extension WordStock {
    /// Takes the words of a value, with all of its time where it is a date.
    fileprivate mutating func take(value: Value) -> Bool { take(value, exactDates: true) }
}

extension Value {
    /// The elements or entries that another value has not; all of it where that is no such collection.
    fileprivate func parts(without other: Value?) -> Value {
        switch (self, other) {
        case (.list(let elements), .list(let others)): .list(elements.without(others))
        case (.dictionary(let entries), .dictionary(let others)):
            .dictionary(entries.filter { !others.contains($0) })
        default: self
        }
    }

    /// Whether the elements of a list stand in another one in their order; so do those of any other value.
    fileprivate func isInOrder(within other: Value?) -> Bool {
        guard case (.list(let elements), .list(let others)) = (self, other) else { return true }
        return others.haveInOrder(elements.filter { !$0.isHollow })
    }

    /// Whether it is a collection of flags.
    fileprivate var hasFlags: Bool {
        switch self {
        case .list(let elements): elements.contains(where: \.isFlag)
        case .dictionary(let entries): entries.contains(where: \.value.isFlag)
        default: false
        }
    }

    /// The flags of a list, perhaps in words or as numbers, or the flag that it is; none of any other value.
    fileprivate var flagsInOrder: [Bool] {
        switch self {
        case .bool(let flag): return [flag]
        case .list(let elements):
            let flags = elements.compactMap(\.said)
            return flags.count == elements.count ? flags : []
        default: return []
        }
    }
}

extension PlacedValue {
    fileprivate var isDate: Bool {
        switch value {
        case .date: true
        case .string(let text): Timestamp(whole: text) != nil
        default: false
        }
    }
}
