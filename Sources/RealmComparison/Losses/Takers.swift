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
    /// Those of texts, by their place among the properties.
    private let texts: [Int]
    private var arrays: [ColumnArray?]
    private var words = ValueWords()
    private var wordsRow: Int?

    /// - Parameters:
    ///   - properties: columns of the class that the cursor goes through.
    ///   - cursor: is not moved as long as they are looked at.
    init(_ properties: [Int], of cursor: RowGroupCursor, _ linked: LinkedObjects) {
        self.cursor = cursor
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
    /// - Parameters:
    ///   - target: the class that it links to.
    ///   - exactDates: whether a date has to be there with its time.
    func have(
        _ array: ColumnArray, at cell: Int, as type: ColumnType, to target: String?, inRow row: Int,
        exactDates: Bool = false
    ) throws -> Remainder {
        guard !properties.isEmpty else { return .none }
        if type == ColumnType(.string), case .variable(let offsets, let bytes) = array.values,
            try haveText(bytes[Int(offsets[cell])..<Int(offsets[cell + 1])], inRow: row)
        {
            return .all
        }
        if wordsRow != row {
            words.removeAll()
            for (_, value) in try values(inRow: row) { words.add(value) }
            wordsRow = row
        }
        let value = try array.value(at: cell, as: type)
        if words.contain(value, exactDates: exactDates) { return try order(of: value, type, hasParts: false, row) }
        guard let target else { return .none }
        let named = try linked.old.named(value, of: target)
        guard words.contain(named, exactDates: exactDates) else { return .none }
        return try order(of: named, type, hasParts: linked.old.isEmbedded(target), row)
    }

    /// How a value is there whose parts are all there.
    private func order(of value: Value, _ type: ColumnType, hasParts: Bool, _ row: Int) throws -> Remainder {
        if words.keepOrder(of: value, type, hasParts: hasParts) { return .all }
        guard case .dictionary = value else { return .parts }
        // A property of the name that a key had.
        var named = ValueWords()
        for (property, value) in try values(inRow: row) {
            named.add(text: cursor.reader.stored.schema.properties[property].name.utf8)
            named.add(value)
        }
        return named.keepOrder(of: value, type, hasParts: hasParts) ? .all : .parts
    }

    /// The values in a row, by column.
    func values(inRow row: Int) throws -> [(property: Int, value: Value)] {
        try properties.indices.map { index in
            let value = try array(index).value(at: row, as: types[index])
            return (properties[index], try linked.new.expanded(value, of: parts[index]))
        }
    }

    private func array(_ index: Int) throws -> ColumnArray {
        if let array = arrays[index] { return array }
        let array = try cursor.column(properties[index])
        arrays[index] = array
        return array
    }

    /// Whether a text stands as it is in another one: most that are moved, joined or put between others do.
    private func haveText(_ text: ArraySlice<UInt8>, inRow row: Int) throws -> Bool {
        for index in texts {
            guard case .variable(let offsets, let bytes) = try array(index).values else { continue }
            let cell = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            if cell.count == text.count ? cell == text : text.count > 2 && cell.contains(run: text) { return true }
        }
        return false
    }
}

/// Whether a property that was added or changed says by values of its own what another one said, such as numbers for words.
///
/// Each old value has to lead to one new value, and each new value to one old one, more than once: what differs from object to
/// object anyway tells nothing. Holds a bounded number of values.
struct Recoding {
    /// Different values at most.
    private static let limit = 64

    private var forward: [Value: Value] = [:]
    private var back: [Value: Value] = [:]
    private var rows = 0
    private(set) var isBroken = false

    /// Notes what became of the value of one object.
    mutating func note(_ old: Value, _ new: Value) {
        guard !isBroken else { return }
        rows += 1
        guard old.isShort, new.isShort else {
            isBroken = true
            return
        }
        if let known = forward[old] {
            isBroken = known != new
        } else if back[new] != nil || forward.count == Self.limit {
            isBroken = true
        } else {
            forward[old] = new
            back[new] = old
        }
        if isBroken { (forward, back) = ([:], [:]) }
    }

    /// Whether it is one.
    var isRecoding: Bool { !isBroken && forward.count > 1 && rows >= 2 * forward.count }
}

extension Value {
    /// Whether it is a single value of few bytes.
    fileprivate var isShort: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 64
        case .data, .list, .dictionary: false
        default: true
        }
    }
}
