import RealmModel

/// Whether each flag that is gone, or is another one, has a place of its own that says it: of one flag nobody can tell what it is.
///
/// A place is one for all objects, and says one flag alone: in all of them the same stands for true, and something else for false.
/// Holds counters for some places.
struct FlagLedger {
    /// Places on either side, at most.
    private static let limit = 64
    /// Places of values of all kinds, at most.
    private static let placeLimit = 4_096
    /// The fewest flags that are not another one by chance.
    private static let manyFlags = 6

    /// A flag before.
    private struct Source {
        var place: UInt64
        var column: Int
        var isPart: Bool
        var isKept = false
        /// Whether some object had true.
        var wasSet = false
        /// Objects in which it is gone from its place with what it said.
        var count = 0
        /// Objects that had it.
        var owners = 0
        var codes: [UInt64: FlagCode] = [:]
        /// The places of those that are not broken.
        var live: [UInt64] = []

        /// - Parameters:
        ///   - now: the flags at its place; nil where it is gone.
        ///   - others: what may stand for it.
        mutating func note(_ flag: Family, _ now: [Value]?, _ others: some FlagPlaces) {
            let isSet = flag.values.contains(.bool(true))
            isKept = isKept || now != nil
            wasSet = wasSet || isSet
            if now.map({ $0 != flag.values }) ?? isSet { count += 1 }
            // A place that the objects before had not says nothing of them.
            if owners == 0 { live = Array(others.places.prefix(FlagLedger.limit)) }
            for place in live {
                if let values = others.values(at: place) {
                    codes[place, default: FlagCode()].note(flag.values, values)
                } else {
                    codes[place, default: FlagCode()].isBroken = true
                }
            }
            live.removeAll { codes[$0]?.isBroken != false }
            owners += 1
        }
    }

    /// The values of one place, of which a list of embedded objects has several.
    struct Family {
        var place: UInt64
        var column: Int
        var isPart = false
        var values: [Value]

        fileprivate static func all(_ values: [PlacedValue]) -> [Family] {
            var (families, numbers): ([Family], [UInt64: Int]) = ([], [:])
            for value in values {
                if let number = numbers[value.family] {
                    families[number].values.append(value.value)
                } else {
                    numbers[value.family] = families.count
                    families.append(
                        Family(place: value.family, column: value.column, isPart: value.isPart, values: [value.value]))
                }
            }
            return families
        }
    }

    private var sources: [Source] = []
    /// By their places.
    private var numbers: [UInt64: Int] = [:]
    /// The places that some object had before; none is told apart any more where they are too many.
    private var had: Set<UInt64> = []
    /// The places of flags that were another one in some object.
    private var changed: Set<UInt64> = []
    /// Columns of which there are more flags than are looked at.
    private var overfull: Set<Int> = []

    /// Takes the values of one object.
    mutating func take(_ before: [PlacedValue], _ after: [PlacedValue]) {
        let flags = Family.all(before.filter(\.value.isFlag))
        guard !flags.isEmpty else { return }
        // The flags of a list of objects may be those of a list.
        let codes = after.flatMap(\.codes) + after.filter { !$0.isSet && $0.spot == nil }.flatMap(\.elementsApart)
        take(flags, had: before.map(\.family), FamilyPlaces(Family.all(codes)))
    }

    /// - Parameters:
    ///   - places: those of all values that the object had, as far as they were not told before.
    ///   - others: what may stand for the flags.
    mutating func take(_ flags: [Family], had places: [UInt64], _ others: some FlagPlaces) {
        if had.count < Self.placeLimit { had.formUnion(places) }
        for flag in flags {
            guard let number = numbers[flag.place] ?? add(flag) else {
                overfull.insert(flag.column)
                continue
            }
            let values = others.values(at: flag.place)
            if let values, values != flag.values { changed.insert(flag.place) }
            sources[number].note(flag, values, others)
        }
    }

    private mutating func add(_ flag: Family) -> Int? {
        guard sources.count < Self.limit else { return nil }
        numbers[flag.place] = sources.count
        sources.append(Source(place: flag.place, column: flag.column, isPart: flag.isPart))
        return sources.count - 1
    }

    /// How many flags of each column before are gone without a place of their own.
    var untold: [Int: Int] {
        let lost = sources.filter { $0.count > 0 && ($0.isKept || $0.wasSet) }
        let places = lost.map { source in source.codes.keys.sorted().filter { isTold(source, at: $0) } }
        var owners: [UInt64: Int] = [:]
        var untold: [Int: Int] = [:]
        for (number, source) in lost.enumerated() {
            var seen: Set<UInt64> = []
            if !Self.give(number, places, &owners, &seen) { untold[source.column, default: 0] += source.count }
        }
        for column in overfull { untold[column, default: 0] += 1 }
        return untold
    }

    /// The flags in embedded objects that are gone, and the places that say the same.
    var moves: [UInt64: PlaceSource] {
        let gone = sources.filter { $0.isPart && !$0.isKept && $0.wasSet }
        return Dictionary(
            uniqueKeysWithValues: gone.map { source in
                let places = source.codes.filter { !$1.isBroken && $1.isSame }.keys.sorted()
                return (source.place, PlaceSource(column: source.column, at: places, in: source.owners))
            })
    }

    private func isTold(_ source: Source, at place: UInt64) -> Bool {
        // That a flag was not set is said by anything that is zero or null.
        guard source.wasSet, let code = source.codes[place], !code.isBroken else { return false }
        if had.count < Self.placeLimit, !had.contains(place) { return code.isSame || code.isOther }
        // A flag that each object has the other way round says the same, where it is no other one by chance.
        if place == source.place { return !source.isPart && code.isOther && code.count >= Self.manyFlags }
        return !source.isKept && changed.contains(place) && code.isSame
    }

    /// Finds a place for one of some flags, for which others may have to take another one.
    private static func give(
        _ number: Int, _ places: [[UInt64]], _ owners: inout [UInt64: Int], _ seen: inout Set<UInt64>
    ) -> Bool {
        for place in places[number] where seen.insert(place).inserted {
            if let owner = owners[place], !give(owner, places, &owners, &seen) { continue }
            owners[place] = number
            return true
        }
        return false
    }
}

/// The values of an object that may stand for flags, by their places.
protocol FlagPlaces {
    var places: [UInt64] { get }

    /// The values at a place, of which a list of embedded objects has several; nil where there is none.
    func values(at place: UInt64) -> [Value]?
}

private struct FamilyPlaces: FlagPlaces {
    private let known: [UInt64: [Value]]
    let places: [UInt64]

    init(_ families: [FlagLedger.Family]) {
        places = families.map(\.place)
        known = Dictionary(families.map { ($0.place, $0.values) }) { first, _ in first }
    }

    func values(at place: UInt64) -> [Value]? { known[place] }
}

/// The values that stand for true and for false in one place.
private struct FlagCode {
    /// The fewest flags after which values that are no flags are codes for them.
    private static let fewest = 4

    private var (forTrue, forFalse): (Value?, Value?) = (nil, nil)
    private(set) var count = 0
    var isBroken = false

    mutating func note(_ flags: [Value], _ codes: [Value]) {
        guard flags.count == codes.count else {
            isBroken = true
            return
        }
        for (flag, code) in zip(flags, codes) where !isBroken {
            count += 1
            let known = flag == .bool(true) ? forTrue : forFalse
            if let known, known != code { isBroken = true }
            if flag == .bool(true) { forTrue = code } else { forFalse = code }
        }
    }

    /// Whether they are the flags themselves, in the same words.
    var isSame: Bool {
        (forTrue.map { $0.said == true } ?? true) && (forFalse.map { $0.said == false } ?? true)
    }

    /// Whether they are other words for the flags.
    var isOther: Bool {
        guard let forTrue, let forFalse else { return false }
        return forTrue != forFalse && count >= Self.fewest
    }
}

extension PlacedValue {
    /// Elements of a list that may stand for a flag each.
    private static let elementLimit = 16

    /// The values that may stand for flags.
    fileprivate var codes: [PlacedValue] {
        guard case .list(let elements) = value, !isSet else { return [self] }
        return elements.prefix(Self.elementLimit).enumerated().map { number, element in
            var placed = self
            let own = PlacedValues.below(place, UInt64(number))
            (placed.place, placed.family, placed.value) = (own, own, element)
            return placed
        }
    }
}

extension Value {
    var isFlag: Bool {
        if case .bool = self { return true }
        return false
    }

    /// The flag that it says; nil where it says none.
    var said: Bool? {
        switch self {
        case .null: return false
        case .bool(let flag): return flag
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "y", "on", "1": return true
            case "false", "no", "n", "off", "0", "": return false
            default: return nil
            }
        case .int, .float, .double, .decimal128: return number == 1 ? true : number == 0 ? false : nil
        default: return nil
        }
    }
}
