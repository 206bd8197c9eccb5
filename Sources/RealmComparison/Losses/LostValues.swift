import RealmModel

/// The words of a value that is looked for in other classes.
struct SoughtValue {
    /// The key of the object that had it.
    var key: Int64
    /// The ways in which it may be written; the words of one are enough.
    var ways: [[UInt64]]

    /// Whether it may be there.
    ///
    /// - Parameter isThere: whether a word is.
    func isTold(_ isThere: (UInt64) -> Bool) -> Bool { ways.contains { $0.allSatisfy(isThere) } }
}

/// Values of one property that went the same way, and are in no other property of their objects.
struct LostValues {
    /// Values that are looked for in other classes.
    static let soughtLimit = 64

    /// The objects that had them.
    private(set) var objects: NamedObjects
    /// Those of these objects of which nothing is left, where objects were looked for.
    private(set) var whole = NamedObjects()
    private(set) var examples: [Rehearsal.Loss.Example] = []
    /// The words by which the first of them are told elsewhere.
    private(set) var sought: [SoughtValue] = []
    private var recodings: [Takers.Place: Recoding] = [:]
    private var noted = 0

    /// Those of some objects of which no more is to be known.
    init(_ objects: NamedObjects = NamedObjects()) { self.objects = objects }

    /// Adds one.
    mutating func add(_ key: Int64, _ before: Value, _ after: Value?) {
        objects.add(key)
        if examples.count < Rehearsal.Loss.exampleLimit {
            examples.append(Rehearsal.Loss.Example(key: key, before: before, after: after))
        }
        if sought.count < Self.soughtLimit {
            let ways = ValueWords.ways(of: before)
            if !ways.isEmpty { sought.append(SoughtValue(key: key, ways: ways)) }
        }
    }

    /// Adds one of which no more is to be known.
    mutating func add(_ key: Int64, isWhole: Bool = false) {
        objects.add(key)
        if isWhole { whole.add(key) }
    }

    /// Whether the values of what is added next are kept.
    var wantsValues: Bool { objects.count < Self.soughtLimit }

    /// Adds others, which come in the order of their objects, too.
    mutating func add(_ others: LostValues) {
        let keys = (objects.keys + others.objects.keys).sorted()
        objects = NamedObjects(objects.count + others.objects.count, first: keys)
        examples = Array(
            (examples + others.examples).sorted { $0.key < $1.key }.prefix(Rehearsal.Loss.exampleLimit))
        sought = Array((sought + others.sought).prefix(Self.soughtLimit))
    }

    /// Notes what the properties that may have taken a value over have where it was.
    ///
    /// - Parameter key: the object's, where nothing else has the value.
    mutating func note(_ before: Value, _ codes: [(place: Takers.Place, value: Value)], of key: Int64?) {
        noted += 1
        for (place, value) in codes { recodings[place, default: Recoding()].note(before, value, of: key) }
    }

    /// Notes what these have where the number zero was.
    mutating func note(forZero codes: [(place: Takers.Place, value: Value)]) {
        noted += 1
        for (place, value) in codes { recodings[place, default: Recoding()].note(forZero: value) }
    }

    /// Whether codes in a place are none; the last says whether other values of the property are there as they were.
    typealias AreNoCodes = (Takers.Place, [Value: Value], Bool) throws -> Bool

    /// Whether a recoding may be found yet.
    var maySeeRecoding: Bool { recodings.isEmpty || recodings.values.contains { !$0.isBroken } }

    /// Those that no other property says by values of its own; nil where one says all of them.
    ///
    /// - Parameters:
    ///   - haveSomeStayed: whether other values of the property are there as they were.
    ///   - areNoCodes: says of what may be codes for values in a place whether they are none.
    func untaken(whereSomeStayed haveSomeStayed: Bool, but areNoCodes: AreNoCodes) rethrows -> LostValues? {
        // An embedded object that is not there in all objects has no codes for all.
        // Where true is still true in some objects, it is not what false stands for in others.
        let whole = try recodings.filter { place, recoding in
            try recoding.noted == noted && !(haveSomeStayed && recoding.isPermutation)
                && !recoding.areParts
                && (!recoding.isOfMost || !areNoCodes(place, recoding.codes, haveSomeStayed))
        }.values
        if whole.contains(where: \.isRecoding) { return nil }
        let left = whole.filter(\.isOfMost).map(\.forgotten)
        return left.min { $0.objects.count < $1.objects.count } ?? self
    }
}
