import Columns
import RealmModel

/// The keys by which tables refer to the objects that links lead to.
///
/// An object without a primary key is referred to by its object key. The primary keys of others are looked up; row groups that
/// were read for that are kept until they are too many bytes.
final class LinkKeys {
    private struct Group {
        let keys: [Int64]
        let cells: CellColumn
        var used: Int

        var byteCount: Int { keys.count * 8 + cells.byteCount }
    }

    private struct Place: Hashable {
        let className: NameKey
        let group: Int
    }

    private let snapshot: Snapshot
    private let store: any SegmentStore
    private let rules: CellRules
    private let byteLimit: Int
    private var sources: [NameKey: ClassSource] = [:]
    private var groups: [Place: Group] = [:]
    private var bytes = 0
    private var clock = 0

    init(_ snapshot: Snapshot, store: any SegmentStore, rules: CellRules, byteLimit: Int = 48 << 20) {
        self.snapshot = snapshot
        self.store = store
        self.rules = rules
        self.byteLimit = byteLimit
    }

    /// The cells for links.
    func cells(of links: ColumnArray, reference: Reference) throws -> CellColumn {
        guard case .int(let keys) = links.values else {
            throw ColumnError.damaged(what: "links of another type", offset: 0)
        }
        guard let property = reference.key.property else {
            return CellColumn(count: links.count, validity: links.validity, cells: .integer(keys))
        }
        let source = try source(of: reference.className)
        var result = CellBuilder(property.type == .int, capacity: links.count)
        for row in 0..<links.count {
            guard !links.isNull(row), let number = source.group(of: keys[row]) else {
                result.appendNull()
                continue
            }
            let group = try group(number, of: source, property)
            guard let place = group.keys.index(ofKey: keys[row]), !group.cells.isNull(place) else {
                result.appendNull()
                continue
            }
            try result.append(group.cells, place)
        }
        return result.finish()
    }

    private func source(of name: String) throws -> ClassSource {
        if let source = sources[name: name] { return source }
        let source = try ClassSource(name, of: snapshot, store: store)
        sources[name: name] = source
        return source
    }

    private func group(_ number: Int, of source: ClassSource, _ property: Property) throws -> Group {
        clock += 1
        let place = Place(className: NameKey(source.schema.name), group: number)
        if groups[place] != nil {
            groups[place]?.used = clock
            if let group = groups[place] { return group }
        }
        var none = Losses()
        let array = try source.column(property, inGroup: number)
        let cells = try CellMaker.cells(of: array, property.type, rules, LossPlace(array, []), &none)
        let group = Group(keys: try source.keys(inGroup: number), cells: cells, used: clock)
        makeRoom(for: group)
        groups[place] = group
        return group
    }

    private func makeRoom(for group: Group) {
        bytes += group.byteCount
        guard bytes > byteLimit else { return }
        for (place, old) in groups.sorted(by: { $0.value.used < $1.value.used }) where bytes > byteLimit / 2 {
            groups[place] = nil
            bytes -= old.byteCount
        }
    }
}

/// Cells of a primary key, one after the other.
private struct CellBuilder {
    private var numbers: [Int64] = []
    private var offsets: [Int32] = [0]
    private var bytes: [UInt8] = []
    private var validity = Bitmap(count: 0)
    private var hasNulls = false
    private let isInteger: Bool

    init(_ isInteger: Bool, capacity: Int) {
        self.isInteger = isInteger
        if isInteger { numbers.reserveCapacity(capacity) } else { offsets.reserveCapacity(capacity + 1) }
    }

    mutating func appendNull() {
        hasNulls = true
        validity.append(false)
        if isInteger { numbers.append(0) } else { offsets.append(Int32(bytes.count)) }
    }

    mutating func append(_ column: CellColumn, _ row: Int) throws {
        validity.append(true)
        switch column.cells {
        case .integer(let cells): numbers.append(cells[row])
        case .text(let ends, let text):
            bytes += text[Int(ends[row])..<Int(ends[row + 1])]
            guard let end = Int32(exactly: bytes.count) else { throw ColumnError.rowGroupTooLarge }
            offsets.append(end)
        case .real, .blob: throw ColumnError.damaged(what: "a primary key of another type", offset: 0)
        }
    }

    func finish() -> CellColumn {
        CellColumn(
            count: validity.count, validity: hasNulls ? validity : nil,
            cells: isInteger ? .integer(numbers) : .text(offsets: offsets, bytes: bytes))
    }
}
