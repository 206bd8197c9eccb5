import Columns
import RealmModel

/// The texts of rows: whether those that are gone stand whole in others, which is seen before anything is made of them.
struct TextRows {
    /// A column of texts.
    private struct Column {
        let offsets: [Int32]
        let bytes: [UInt8]

        init?(_ array: ColumnArray) {
            guard case .variable(let offsets, let bytes) = array.values else { return nil }
            (self.offsets, self.bytes) = (offsets, bytes)
        }

        /// Where the text of a row is; empty where there is none.
        func place(_ row: Int) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }
    }

    /// A column before, with the one of its property after where that has texts, too.
    private struct Old {
        let column: Column
        let number: Int
        let place: UInt64
        let new: Int?
    }

    private struct New {
        let column: Column
        let place: UInt64
        let old: Int?
    }

    private var old: [Old] = []
    private var new: [New] = []
    /// For the row at hand: the texts that are gone, whether each of those after is new, and what was taken of them by which text.
    private var gone: [Int] = []
    private var isFresh: [Bool] = []
    private var taken: [(old: Int, new: Int, part: Range<Int>)] = []
    /// The columns that have each of the texts that are gone.
    private var owners: [[UInt64]] = []
    private var rows = (old: 0, new: 0)

    /// Adds a property of both sides, of which one at least has texts.
    mutating func add(_ pair: PropertyPair, before: ColumnArray, after: ColumnArray) {
        let text = ColumnType(.string)
        let place = PlacedValues.place(ofRoot: pair.other)
        let (first, second) = (
            pair.oldType == text ? Column(before) : nil, pair.newType == text ? Column(after) : nil
        )
        if let second { new.append(New(column: second, place: place, old: first == nil ? nil : old.count)) }
        if let first {
            old.append(
                Old(column: first, number: pair.property, place: place, new: second == nil ? nil : new.count - 1))
        }
    }

    mutating func add(dropped column: Int, _ array: ColumnArray) {
        guard let texts = Column(array) else { return }
        old.append(Old(column: texts, number: column, place: PlacedValues.place(ofRoot: -1 - column), new: nil))
    }

    mutating func add(added column: Int, _ array: ColumnArray) {
        guard let texts = Column(array) else { return }
        new.append(New(column: texts, place: PlacedValues.place(ofRoot: column), old: nil))
    }

    /// Goes to a row.
    mutating func look(_ row: Int, _ other: Int) {
        rows = (row, other)
        gone.removeAll(keepingCapacity: true)
        if isFresh.count != new.count { isFresh = new.map { _ in true } }
        for (index, old) in old.enumerated() {
            let place = old.column.place(row)
            if let after = old.new {
                let now = new[after].column.place(other)
                isFresh[after] =
                    place.count != now.count || old.column.bytes[place] != new[after].column.bytes[now]
                if !isFresh[after] { continue }
            }
            if !place.isEmpty { gone.append(index) }
        }
    }

    /// Whether each text that is gone stands in one that is new, none where another stands; if so, notes where.
    mutating func areThere(_ map: inout PlaceMap, of key: () throws -> Int64) rethrows -> Bool {
        taken.removeAll(keepingCapacity: true)
        owners.removeAll(keepingCapacity: true)
        // The longest first: a short one may stand in it, too.
        if gone.count > 1 { gone = gone.sorted { text(before: $0).count > text(before: $1).count } }
        for index in gone where !take(index, map.steadyTargets(of: old[index].place)) { return false }
        guard !haveCircle else { return false }
        guard !gone.isEmpty else { return true }
        let key = try key()
        for (index, owners) in zip(gone, owners) {
            map.note(owners, from: old[index].place, column: old[index].number, of: key)
        }
        return true
    }

    private func text(before index: Int) -> ArraySlice<UInt8> {
        old[index].column.bytes[old[index].column.place(rows.old)]
    }

    private func text(after index: Int) -> ArraySlice<UInt8> {
        new[index].column.bytes[new[index].column.place(rows.new)]
    }

    /// Whether texts of properties that stay are in each other's, copies of them elsewhere or not.
    private var haveCircle: Bool {
        let staying = gone.compactMap { index in old[index].new.map { (old: index, new: $0) } }
        guard staying.count > 1 else { return false }
        let next = staying.map { one in
            let sought = text(before: one.old)
            return staying.indices.filter {
                staying[$0].old != one.old && place(of: sought, in: staying[$0].new, besides: []) != nil
            }
        }
        // Those that lead to no other one are put away again and again.
        var left = Array(next.indices)
        while true {
            let kept = left.filter { next[$0].contains(where: left.contains) }
            if kept.count == left.count { return !left.isEmpty }
            left = kept
        }
    }

    /// Takes the part of a new text that is one that is gone; false where none is.
    private mutating func take(_ index: Int, _ steady: [UInt64]?) -> Bool {
        let sought = text(before: index)
        func having(_ isLookedAt: (UInt64) -> Bool) -> [Int] {
            new.indices.filter {
                isFresh[$0] && isLookedAt(new[$0].place) && place(of: sought, in: $0, besides: []) != nil
            }
        }
        var found = having { steady?.contains($0) ?? true }
        if found.isEmpty, steady != nil { found = having { _ in true } }
        owners.append(found.map { new[$0].place })
        for number in found + new.indices.filter({ isFresh[$0] && !found.contains($0) }) {
            guard let part = place(of: sought, in: number, besides: taken) else { continue }
            taken.append((index, number, part))
            return true
        }
        return false
    }

    /// Where a text stands in another one, that is the other one or has three bytes at least.
    private func place(
        of sought: ArraySlice<UInt8>, in index: Int, besides taken: [(old: Int, new: Int, part: Range<Int>)]
    ) -> Range<Int>? {
        let whole = new[index].column.place(rows.new)
        guard sought.count == whole.count || sought.count > 2, sought.count <= whole.count else { return nil }
        return new[index].column.bytes.withUnsafeBufferPointer { bytes in
            sought.withUnsafeBufferPointer { sought in
                for start in whole.lowerBound...(whole.upperBound - sought.count) where bytes[start] == sought[0] {
                    let place = start..<(start + sought.count)
                    if taken.contains(where: { $0.new == index && $0.part.overlaps(place) }) { continue }
                    if UnsafeBufferPointer(rebasing: bytes[place]).elementsEqual(sought) { return place }
                }
                return nil
            }
        }
    }
}

extension TextRows {
    /// The places of all texts after.
    var places: [UInt64] { new.map(\.place) }

    /// The places of all texts before.
    var oldPlaces: [UInt64] { old.map(\.place) }

    /// The new text at a place; nil where there is none.
    func text(at place: UInt64) -> Value? {
        guard let index = new.firstIndex(where: { $0.place == place }), isFresh[index] else { return nil }
        return .string(String(decoding: text(after: index), as: UTF8.self))
    }
}

/// Numbers in the texts of a row.
extension TextRows {
    /// Whether a text that is gone may say a number: as a word, or by all of its digits.
    func mayHaveGone(_ digits: LeadingDigits) -> Bool {
        gone.contains { index in
            let text = text(before: index)
            guard text.contains(where: ValueWords.isDigit) else { return false }
            var number = 0.0
            var (isInWord, isDigits) = (false, false)
            for byte in text {
                let (isDigit, isLetter) = (
                    ValueWords.isDigit(byte), byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26
                )
                if isDigit { number = number * 10 + Double(byte - UInt8(ascii: "0")) }
                if !isDigit, !isLetter, isInWord, isDigits { return true }
                isDigits = isDigit && (isDigits || !isInWord)
                isInWord = isDigit || isLetter
            }
            return isInWord && isDigits || LeadingDigits(number).map(digits.mayBe) ?? true
        }
    }

    /// Whether a text that is not new has a digit.
    var haveDigitsThatStayed: Bool {
        new.indices.contains { !isFresh[$0] && text(after: $0).contains(where: ValueWords.isDigit) }
    }

    /// Whether a new text, or one that is gone, has a digit.
    var haveFreshDigits: Bool {
        new.indices.contains { isFresh[$0] && text(after: $0).contains(where: ValueWords.isDigit) }
            || gone.contains { text(before: $0).contains(where: ValueWords.isDigit) }
    }

    /// The new texts that have a number in them, with no digits beside it, or a date.
    ///
    /// - Parameter steady: those that are looked at; nil for all.
    func having(_ number: PlainCell, among steady: [UInt64]?) -> [UInt64] {
        var sought: CarriedValue?
        let mark = number.isWhole ? nil : UInt8(ascii: ".")
        return new.indices.filter { index in
            guard isFresh[index], steady?.contains(new[index].place) ?? true else { return false }
            let text = text(after: index)
            // A number with a fraction is written with a point.
            guard text.contains(where: { mark == nil ? ValueWords.isDigit($0) : $0 == mark }) else { return false }
            let carried = sought ?? CarriedValue(number.value)
            sought = carried
            return carried.isWhole(in: .string(String(decoding: text, as: UTF8.self)))
        }.map { new[$0].place }
    }
}

extension PlainCell {
    /// Whether it may be written without a point.
    fileprivate var isWhole: Bool {
        guard let number else { return true }
        return number == number.rounded() || number.magnitude < 1e-4 || number.magnitude >= 1e15
    }
}
