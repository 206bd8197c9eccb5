import Columns
import RealmModel

/// The properties of a class that may have taken over what others had: those that a migration added or changed.
///
/// Looked at row by row, and read where that is asked for alone.
final class Takers {
    /// Columns that are looked at, at most.
    private static let limit = 64

    private let cursor: RowGroupCursor
    private let properties: [Int]
    private let types: [ColumnType]
    /// The classes of embedded objects that they own.
    private let parts: [String?]
    private let linked: LinkedObjects
    private let kept: KeptCells
    private let haveZeros: Bool
    /// Those of texts, by their place among the properties.
    private let texts: [Int]
    private var arrays: [ColumnArray?]
    private var words = ValueWords()
    private var wordsRow: Int?
    private var known: [(property: Int, value: Value)] = []
    private var valuesRow: Int?

    /// - Parameters:
    ///   - properties: columns of the class that the cursor goes through.
    ///   - cursor: is not moved as long as they are looked at.
    ///   - kept: tells what stood there before: a value that stayed has taken over none.
    ///   - haveZeros: whether zero and false say something, too.
    init(
        _ properties: [Int], of cursor: RowGroupCursor, _ linked: LinkedObjects, but kept: KeptCells,
        haveZeros: Bool = false
    ) {
        self.haveZeros = haveZeros
        self.cursor = cursor
        self.kept = kept
        self.linked = linked
        self.properties = Array(properties.prefix(Self.limit))
        types = self.properties.map { ColumnType(cursor.reader.stored.schema.properties[$0]) }
        parts = self.properties.map { index in
            let property = cursor.reader.stored.schema.properties[index]
            return property.type == .object ? property.objectType.flatMap { linked.new.isEmbedded($0) ? $0 : nil } : nil
        }
        let types = types
        texts = types.indices.filter { types[$0] == ColumnType(.string) }
        arrays = types.map { _ in nil }
    }

    /// How much of a cell is there in a row: of a link its object's primary key is enough, and all that is in an embedded one.
    ///
    /// - Parameter target: the class that it links to.
    func have(
        _ array: ColumnArray, at cell: Int, as type: ColumnType, to target: String?, inRow row: Int
    ) throws -> Remainder {
        guard !properties.isEmpty else { return .none }
        if type == ColumnType(.string), try haveText(array, cell, inRow: row) { return .all }
        let words = try words(inRow: row)
        let value = try array.value(at: cell, as: type).linking(to: target.map(linked.targets.newName))
        if target == nil, try newValues(inRow: row).contains(where: { $0.value == value }) { return .all }
        if let keys = value.keysAlone(as: type) { return words.contain(keys, exactDates: true) ? .all : .none }
        // The key of a part is nobody's.
        if target.map(linked.old.isPart) != true, words.contain(value, exactDates: true) {
            return try order(of: value, type, hasParts: false, row)
        }
        guard let target else { return words.haveDays(of: value) ? .cut : .none }
        let named = try linked.old.named(array.value(at: cell, as: type), of: target)
        guard try words.contain(named, exactDates: true) || haveNamed(named, target, inRow: row) else {
            return words.haveDays(of: named) ? .cut : .none
        }
        return try order(of: named, type, hasParts: linked.old.isPart(target), row)
    }

    /// Whether all parts of a value are there in a row.
    func have(_ value: Value, inRow row: Int) throws -> Bool { try words(inRow: row).contain(value, exactDates: true) }

    /// The powers of ten by which a number may be multiplied that is there in a row; all where it is not.
    func powersOfTen(of number: Value, inRow row: Int) throws -> PowersOfTen {
        try words(inRow: row).powersOfTen(of: number)
    }

    /// What a row does not tell of a text whose words it has: where its numbers end, and the signs that change a word.
    func untold(of text: String, _ sought: ValueWords, inRow row: Int) throws -> [UInt8] {
        var untold: [UInt8] = []
        let isOfDigits = sought.words.count > 1 && sought.squeezed.dropLast().allSatisfy(ValueWords.isDigit)
        let words = try words(inRow: row).words
        if isOfDigits, !sought.words.allSatisfy(words.contains) {
            untold += text.utf8.map { ValueWords.isDigit($0) ? $0 : UInt8(ascii: " ") }
        }
        let signs = text.utf8.filter(Self.tellingSigns.contains)
        guard !signs.isEmpty else { return untold }
        var left: [UInt8] = []
        for leaf in try newValues(inRow: row).flatMap(\.value.leaves) {
            if case .string(let text) = leaf { left += text.utf8.filter(Self.tellingSigns.contains) }
        }
        let areThere = signs.allSatisfy { sign in
            guard let place = left.firstIndex(of: sign) else { return false }
            left.remove(at: place)
            return true
        }
        return areThere ? untold : untold + signs
    }

    /// Signs that make another word of one.
    static let tellingSigns = Set("+#<>*!?%&=~^".utf8)

    /// Whether a part of a value is there in a row: a word of it, or of a date the day, the month or the year.
    func haveSome(of value: Value, inRow row: Int) throws -> Bool {
        let words = try words(inRow: row)
        return ValueWords.telling(value).contains { words.tells($0) }
    }

    /// The keys of a dictionary's entries without values that nothing in a row has, nor is named for.
    func missingKeys(of value: Value, as type: ColumnType, inRow row: Int) throws -> [Value] {
        let keys = value.hollowKeys(as: type).filter { !$0.isHollow }
        guard !keys.isEmpty else { return [] }
        // Where there are as many entries, another key stands for each.
        let count = value.entries?.count ?? 0
        guard try !newValues(inRow: row).contains(where: { $0.value.partCount >= count }) else { return [] }
        let words = try namedWords(inRow: row)
        return keys.filter { !words.contain($0) }
    }

    private func words(inRow row: Int) throws -> ValueWords {
        if wordsRow != row {
            words.removeAll()
            for (_, value) in try newValues(inRow: row) { words.add(value, withZeros: haveZeros) }
            wordsRow = row
        }
        return words
    }

    /// How a value is there whose parts are all there.
    private func order(of value: Value, _ type: ColumnType, hasParts: Bool, _ row: Int) throws -> Remainder {
        if words.keepOrder(of: value, type, hasParts: hasParts) { return .all }
        guard hasParts || value.entries != nil else { return .parts }
        return try namedWords(inRow: row).keepOrder(of: value, type, hasParts: hasParts) ? .all : .parts
    }

    /// Whether the elements of a list are there, of which some are the names of properties.
    private func haveNamed(_ value: Value, _ target: String, inRow row: Int) throws -> Bool {
        guard case .list = value, linked.old.isPart(target) else { return false }
        return try namedWords(inRow: row).contain(value, exactDates: true)
    }

    /// The words in a row, with those of the property's name before each value: it may be what a key was.
    private func namedWords(inRow row: Int) throws -> ValueWords {
        var named = ValueWords()
        for (property, value) in try newValues(inRow: row) {
            named.add(text: cursor.reader.stored.schema.properties[property].name.utf8)
            named.add(value)
        }
        return named
    }

    /// The values in a row that did not stand there before, by column.
    private func newValues(inRow row: Int) throws -> [(property: Int, value: Value)] {
        try values(inRow: row).filter { try kept.value(inRow: row, of: $0.property, linked) != $0.value }.map {
            let target = cursor.reader.stored.schema.properties[$0.property].linkTarget
            return ($0.property, target.map(linked.new.isEmbedded) == true ? $0.value : $0.value.linking(to: target))
        }
    }

    /// The values in a row, by column.
    func values(inRow row: Int) throws -> [(property: Int, value: Value)] {
        if valuesRow == row { return known }
        known = try properties.indices.map { index in
            let value = try array(index).value(at: row, as: types[index])
            return (properties[index], try linked.new.expanded(value, of: parts[index]))
        }
        valuesRow = row
        return known
    }

    /// The single values in a row that may stand for others: those of properties, and those in embedded objects that they own.
    ///
    /// - Parameter other: a column that is left out.
    func codes(inRow row: Int, but other: Int? = nil) throws -> [(place: Place, value: Value)] {
        try values(inRow: row).flatMap { property, value -> [(place: Place, value: Value)] in
            let before = try kept.value(inRow: row, of: property, linked)
            if property == other || before == value { return [] }
            guard case .dictionary(let entries) = value else { return [(Place(column: property), value)] }
            return entries.prefix(Self.limit).enumerated().compactMap { number, entry in
                if before?.entries?.contains(entry) == true { return nil }
                return (Place(column: property, part: number), entry.value)
            }
        }
    }

    /// A property, or one of the embedded object that it owns.
    struct Place: Hashable {
        var column: Int
        var part: Int?
    }

    private func array(_ index: Int) throws -> ColumnArray {
        if let array = arrays[index] { return array }
        let array = try cursor.column(properties[index])
        arrays[index] = array
        return array
    }

    /// Whether each of a column's texts stands as it is in another one of its object.
    ///
    /// Most that are moved, joined or put between others do. A text of white space stands in none.
    func haveTexts(_ array: ColumnArray, _ both: RowPairs) throws -> [Bool] {
        var found = [Bool](repeating: false, count: both.count)
        for index in texts {
            let cells = try self.array(index)
            let stayed = try both.others.map { try kept.have(cells, at: $0, of: properties[index]) }
            array.withTexts(cells) { text, cell in
                for place in found.indices where !found[place] {
                    let sought = text(both.rows[place])
                    found[place] =
                        sought.stands(in: cell(both.others[place])) && sought.contains { $0 > UInt8(ascii: " ") }
                        && !stayed[place]
                }
            }
        }
        return found
    }

    private func haveText(_ array: ColumnArray, _ row: Int, inRow other: Int) throws -> Bool {
        try texts.contains { index in
            let cells = try self.array(index)
            guard array.withTexts(cells, { $0(row).stands(in: $1(other)) }) == true else { return false }
            return try !kept.have(cells, at: other, of: properties[index])
        }
    }
}

extension Value {
    /// The elements of a list, or the entries of a dictionary; zero of any other value.
    fileprivate var partCount: Int {
        switch self {
        case .list(let elements): elements.count
        case .dictionary(let entries): entries.count
        default: 0
        }
    }
}

private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

extension Bytes {
    /// Whether a text is another one, or, where it has three bytes at least, a part of it.
    fileprivate func stands(in other: Self) -> Bool {
        count == other.count ? elementsEqual(other) : count > 2 && other.contains(run: self)
    }
}

extension ColumnArray {
    /// Gives the bytes of the cells of two columns, by row; nil where one of them holds none.
    fileprivate func withTexts<Result>(
        _ other: ColumnArray, _ look: ((Int) -> Bytes, (Int) -> Bytes) -> Result
    ) -> Result? {
        guard case .variable(let offsets, let bytes) = values,
            case .variable(let otherOffsets, let otherBytes) = other.values
        else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            otherBytes.withUnsafeBufferPointer { otherBytes in
                look(
                    { bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])] },
                    { otherBytes[Int(otherOffsets[$0])..<Int(otherOffsets[$0 + 1])] })
            }
        }
    }
}
