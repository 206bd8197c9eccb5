import Columns
import RealmModel

/// The parts that a value lost: of a collection, an embedded object, a mixed value.
///
/// An embedded object is a dictionary of its properties here.
struct PartLoss {
    var kind: Rehearsal.Loss.Kind
    /// The value that is there instead, where nothing is left.
    var to: EmptyValue?
    /// A part that became zero or false, where no part was lost otherwise: it may be one of other values that mean the same.
    var zeroed: Value?

    /// - Returns: nil where nothing is lost, or that can't be told.
    init?(_ old: Value, _ new: Value) {
        guard old != new, !old.isHollow else { return nil }
        if new.isHollow {
            self.init(.emptied, new.hollow, zeroed: old.onlyLeaf)
            return
        }
        switch (old, new) {
        case (.list(let old), .list(let new)): self.init(old, new)
        case (.dictionary(let old), .dictionary(let new)): self.init(old, new)
        default:
            guard let kind = Narrowing.of(old, new) ?? Self.conversion(old, new) else { return nil }
            self.init(kind)
        }
    }

    private init(_ kind: Rehearsal.Loss.Kind, _ to: EmptyValue? = nil, zeroed: Value? = nil) {
        self.kind = kind
        self.to = to
        self.zeroed = to == .zero || to == .false ? zeroed : nil
    }

    /// The loss of a mixed value that is of another type now.
    private static func conversion(_ old: Value, _ new: Value) -> Rehearsal.Loss.Kind? {
        guard !old.isOfSameType(as: new) else { return nil }
        return ConversionLoss(from: old, to: new).map { Rehearsal.Loss.Kind($0) }
    }

    // MARK: Lists

    private init?(_ old: [Value], _ new: [Value]) {
        let kept = Set(new)
        let missing = old.filter { !$0.isHollow }.without(new)
        guard !missing.isEmpty else { return nil }
        if new.count >= old.count, Self.areOverwritten(missing, old, new) {
            self.init(.truncated)
            return
        }
        if new.count == old.count {
            self.init(
                changed: zip(old, new).filter { $0 != $1 && !$0.isHollow }.map { PartLoss($0, $1) }, of: old.count)
            return
        }
        guard new.count < old.count else { return nil }
        let before = Set(old)
        // A link is a link: no other one says the same.
        let areLinks = missing.allSatisfy(\.isLink)
        if areLinks || kept.isSubset(of: before) {
            self.init(.truncated)
            return
        }
        var words = ValueWords()
        for value in new { words.add(value) }
        let lost = words.missing(missing, exactDates: true)
        let areSomeLeft = lost.count < missing.count || new.contains { before.contains($0) && !$0.isHollow }
        guard !lost.isEmpty, areSomeLeft else { return nil }
        self.init(.truncated)
    }

    /// Whether other elements of a list stand in the places of some, and nothing new.
    ///
    /// Where each element became one other, as where two codes change places, they say what they said.
    private static func areOverwritten(_ missing: [Value], _ old: [Value], _ new: [Value]) -> Bool {
        let had = Set(old)
        guard new.allSatisfy({ had.contains($0) }), new.without(old).allSatisfy({ !$0.isHollow }) else { return false }
        if old.count == new.count {
            let pairs = Set(zip(old, new).map { Pair(old: $0, new: $1) })
            if pairs.count == had.count, Set(pairs.map(\.new)).count == pairs.count { return false }
        }
        if missing.allSatisfy(\.isLink) { return true }
        var words = ValueWords()
        for value in new { words.add(value) }
        return !words.missing(missing, exactDates: true).isEmpty
    }

    private struct Pair: Hashable {
        var old: Value
        var new: Value
    }

    // MARK: Dictionaries and embedded objects

    private init?(_ old: [DictionaryEntry], _ new: [DictionaryEntry]) {
        let values = Dictionary(new.map { (NameKey($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        let kept = Set(new.map(\.value))
        var (lost, missing): ([PartLoss], [Value]) = ([], [])
        var words: ValueWords?
        for entry in old where !entry.value.isHollow {
            var loss: PartLoss?
            if let value = values[NameKey(entry.key)] {
                if value == entry.value { continue }
                loss = PartLoss(entry.value, value)
                // It is another one, and no less.
                if loss == nil { continue }
            }
            if words == nil {
                words = ValueWords()
                for entry in new { words?.add(entry.value) }
            }
            // Another part has it.
            if kept.contains(entry.value) || words?.contain(entry.value, exactDates: true) == true { continue }
            if let loss { lost.append(loss) } else { missing.append(entry.value) }
        }
        if !missing.isEmpty, new.count < old.count {
            self.init(.truncated)
        } else if !lost.isEmpty {
            self.init(lost: lost, of: old.count)
        } else {
            return nil
        }
    }

    // MARK: Losses of parts

    /// Elements one by one: something is lost where all that changed lost something.
    private init?(changed losses: [PartLoss?], of count: Int) {
        let lost = losses.compactMap(\.self)
        guard !lost.isEmpty, lost.count == losses.count else { return nil }
        self.init(lost: lost, of: count)
    }

    private init(lost: [PartLoss], of count: Int) {
        let kinds = Set(lost.map(\.kind))
        let zeroed = Set(lost.map(\.zeroed))
        if kinds == [.emptied] {
            // Not all parts: these are cut out of the value.
            kind = .truncated
            self.zeroed = zeroed.count == 1 ? lost[0].zeroed : nil
        } else {
            kind = kinds.count == 1 ? lost[0].kind : kinds == [.rounded, .emptied] ? .rounded : .truncated
        }
    }
}

extension Value {
    /// Whether nothing is in it that could be lost: it is empty or zero, or all of its parts are.
    var isHollow: Bool {
        switch self {
        case .list(let elements): elements.allSatisfy(\.isHollow)
        case .dictionary(let entries): entries.allSatisfy(\.value.isHollow)
        case .string(let text): text.utf8.allSatisfy { $0 <= UInt8(ascii: " ") }
        default: isEmptyOrZero
        }
    }

    /// The keys of a dictionary whose entries have no values, which are all that it says; nil of any other value.
    ///
    /// - Parameter type: tells a dictionary from the properties of an embedded object.
    func keysAlone(as type: ColumnType) -> Value? {
        let keys = hollowKeys(as: type)
        return keys.isEmpty || !isHollow ? nil : .list(keys)
    }

    /// The keys of a dictionary's entries that have no values, and say nothing else; none of any other value.
    func hollowKeys(as type: ColumnType) -> [Value] {
        guard type.mayBeDictionary, let entries else { return [] }
        return entries.filter(\.value.isHollow).map { .string($0.key) }
    }

    /// The kind of emptiness of a hollow value.
    fileprivate var hollow: EmptyValue {
        switch self {
        case .null: .null
        case .bool: .false
        case .date: .epoch
        case .int, .float, .double, .decimal128, .objectId, .uuid: .zero
        case .list(let elements): elements.first.map(\.hollow) ?? .empty
        default: .empty
        }
    }

    /// The one value that its parts have; nil where there are several.
    fileprivate var onlyLeaf: Value? {
        guard case .list(let elements) = self else { return self }
        let leaves = Set(elements.filter { !$0.isHollow })
        return leaves.count == 1 ? leaves.first : nil
    }

    var isLink: Bool {
        switch self {
        case .link, .typedLink: true
        default: false
        }
    }

    fileprivate func isOfSameType(as other: Value) -> Bool {
        switch (self, other) {
        case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.decimal128, .decimal128), (.objectId, .objectId), (.uuid, .uuid):
            true
        case (.link, .link), (.typedLink, .typedLink), (.list, .list), (.dictionary, .dictionary): true
        default: false
        }
    }
}

extension ColumnType {
    /// Whether its values may be dictionaries.
    var mayBeDictionary: Bool { collection == .dictionary || collection == .none && element == .mixed }
}
