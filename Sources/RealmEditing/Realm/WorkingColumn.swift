import Columns
import RealmModel

/// One property of a class while its realm is edited: the source's column until something changes it, then its cells.
package final class WorkingColumn {
    /// The property as it is stored now; renaming and nullability change it and leave the cells alone.
    package var property: Property
    /// The name that the column had at first, or when it was added.
    let originalName: String
    /// Whether a null in the column fails the migration at its end (`nullability: keep`).
    package var refusesNulls = false
    /// Whether any cell is not what the source has.
    package private(set) var isModified = false

    private let context: WorkingContext
    /// The column that it was at first.
    let source: Column
    private var cells: [Cells]?
    /// The row group that was fetched last: who reads one after the other is to wait for none.
    private var lastFetched = -1

    private enum Cells {
        /// In the store, or constant.
        case stored(Segment)
        /// In memory, set as a whole; in the store as well where it has a segment.
        case array(ColumnArray, written: Segment?)
        /// In memory, set value by value.
        case values(UnpackedCells)
    }

    init(_ property: Property, source: Column, context: WorkingContext) {
        self.property = property
        originalName = property.name
        self.source = source
        self.context = context
    }

    /// A column that holds a value in every row.
    convenience init(_ property: Property, filledWith value: Value, context: WorkingContext) {
        self.init(property, source: .constant(value), context: context)
    }

    package var type: ColumnType { ColumnType(property) }

    /// The single value of all rows, where the column is one of the source's constants and unchanged.
    package var constant: Value? {
        guard !isModified, case .constant(let value) = source else { return nil }
        return value
    }

    // MARK: Reading

    func value(at position: RowPosition, in groups: [WorkingGroup]) throws -> Value {
        if let constant { return constant }
        switch try cells(in: groups)[position.group] {
        case .stored(let segment):
            if case .constant(let value) = segment.content { return value }
            return try fetch(segment, group: position.group).value(at: position.row, as: type)
        case .array(let array, _): return try array.value(at: position.row, as: type)
        case .values(let unpacked): return unpacked.values[position.row]
        }
    }

    /// All rows of a row group, deleted ones included.
    func array(group: Int, in groups: [WorkingGroup]) throws -> ColumnArray {
        switch try cells(in: groups)[group] {
        case .stored(let segment): return try fetch(segment, group: group)
        case .array(let array, _): return array
        case .values(let unpacked): return try ColumnArray(unpacked.values, as: type)
        }
    }

    /// The array of a stored segment, and word to the store where the next one is likely to follow.
    private func fetch(_ segment: Segment, group: Int) throws -> ColumnArray {
        if let array = context.cache.array(of: segment) { return array }
        let array = try context.cache.load(segment, as: type)
        defer { lastFetched = group }
        guard group == lastFetched + 1, let cells else { return array }
        if group > 0, case .stored(let last) = cells[group - 1] { context.cache.leaveBehind(last) }
        if group + 1 < cells.count, case .stored(let next) = cells[group + 1], !context.cache.contains(next) {
            context.store.willRead(next)
        }
        return array
    }

    /// The single value of all rows of a row group, where that is known without reading them.
    func constant(group: Int, in groups: [WorkingGroup]) throws -> Value? {
        if let constant { return constant }
        guard case .stored(let segment) = try cells(in: groups)[group], case .constant(let value) = segment.content
        else { return nil }
        return value
    }

    // MARK: Writing

    func set(_ value: Value, at position: RowPosition, in groups: [WorkingGroup]) throws {
        let unpacked = try unpack(group: position.group, in: groups)
        context.dirty.grow(by: unpacked.replace(position.row, by: value))
    }

    /// Sets all rows of a row group.
    ///
    /// Who does so group by group is done with the one before, which the store may take meanwhile; it stays in memory
    /// as long as there is room, should it be read or changed again.
    func replace(group: Int, by array: ColumnArray, in groups: [WorkingGroup]) throws {
        _ = try cells(in: groups)
        cells?[group] = .array(array, written: nil)
        isModified = true
        try context.dirty.add(self, group: group, byteCount: array.byteCount)
        if group > 0, case .array(let done, written: nil) = cells?[group - 1] {
            cells?[group - 1] = .array(done, written: try context.store.write(done))
        }
    }

    /// Adds the first row of a new row group.
    func appendGroup(_ value: Value, in groups: [WorkingGroup]) throws {
        _ = try cells(in: groups)
        let unpacked = UnpackedCells([value])
        cells?.append(.values(unpacked))
        isModified = true
        try context.dirty.add(self, group: groups.count, byteCount: unpacked.byteCount)
    }

    /// Adds all rows of a new row group.
    func appendGroup(_ array: ColumnArray, in groups: [WorkingGroup]) throws {
        _ = try cells(in: groups)
        cells?.append(.array(array, written: nil))
        isModified = true
        try context.dirty.add(self, group: groups.count, byteCount: array.byteCount)
    }

    /// Adds a row to a row group.
    func append(_ value: Value, group: Int, in groups: [WorkingGroup]) throws {
        let unpacked = try unpack(group: group, in: groups)
        context.dirty.grow(by: unpacked.append(value))
    }

    /// Forgets all cells: the class has no row groups any more.
    func removeAll() {
        cells = []
        isModified = true
    }

    /// Keeps the cells of some row groups only.
    func keep(groups kept: [Int], in groups: [WorkingGroup]) throws {
        let all = try cells(in: groups)
        cells = kept.map { all[$0] }
        isModified = true
    }

    /// Moves the cells of a row group from memory to the store.
    ///
    /// - Returns: the bytes of memory that are free now, near enough.
    func writeBack(group: Int) throws -> Int {
        guard let cells, cells.indices.contains(group) else { return 0 }
        switch cells[group] {
        case .stored: return 0
        case .array(let array, let written):
            self.cells?[group] = .stored(try written ?? context.store.write(array))
            return array.byteCount
        case .values(let unpacked):
            self.cells?[group] = .stored(try context.store.write(try ColumnArray(unpacked.values, as: type)))
            return unpacked.byteCount
        }
    }

    /// The column as a snapshot names it; the source's own where nothing changed.
    func finish(in groups: [WorkingGroup]) throws -> Column {
        guard isModified else { return source }
        for group in groups.indices { _ = try writeBack(group: group) }
        let segments = try cells(in: groups).map { cells in
            guard case .stored(let segment) = cells else {
                throw ColumnError.damaged(what: "unwritten cells", offset: 0)
            }
            return segment
        }
        return groups.isEmpty ? .constant(property.initialValue) : .segments(try context.store.write(column: segments))
    }

    private func cells(in groups: [WorkingGroup]) throws -> [Cells] {
        if let cells { return cells }
        let segments: [Segment]
        switch source {
        case .constant(let value): segments = groups.map { Segment(repeating: value, rowCount: $0.rowCount) }
        case .segments(let id): segments = try context.store.read(column: id)
        }
        guard segments.count == groups.count else {
            throw ColumnError.damaged(what: "\(segments.count) segments for \(groups.count) row groups", offset: 0)
        }
        let loaded = segments.map { Cells.stored($0) }
        cells = loaded
        return loaded
    }

    private func unpack(group: Int, in groups: [WorkingGroup]) throws -> UnpackedCells {
        if case .values(let unpacked) = try cells(in: groups)[group] { return unpacked }
        let array = try array(group: group, in: groups)
        let unpacked = UnpackedCells(try (0..<array.count).map { try array.value(at: $0, as: type) })
        cells?[group] = .values(unpacked)
        isModified = true
        try context.dirty.add(self, group: group, byteCount: unpacked.byteCount)
        return unpacked
    }
}

/// The values of a row group one by one, so that each can be set on its own.
final class UnpackedCells {
    private(set) var values: [Value]
    /// Bytes of memory, near enough for a budget.
    private(set) var byteCount: Int

    init(_ values: [Value]) {
        self.values = values
        byteCount = values.reduce(0) { $0 + $1.memorySize }
    }

    /// - Returns: the bytes of memory that the values have grown by.
    func replace(_ row: Int, by value: Value) -> Int {
        let growth = value.memorySize - values[row].memorySize
        values[row] = value
        byteCount += growth
        return growth
    }

    /// - Returns: the bytes of memory that the values have grown by.
    func append(_ value: Value) -> Int {
        values.append(value)
        byteCount += value.memorySize
        return value.memorySize
    }
}

extension Value {
    /// Bytes of memory that the value takes, near enough for a budget.
    var memorySize: Int {
        let own = MemoryLayout<Value>.stride
        switch self {
        case .string(let text): return own + (text.utf8.count > 15 ? text.utf8.count + 32 : 0)
        case .data(let bytes): return own + 32 + bytes.count
        case .objectId, .uuid, .typedLink: return own + 48
        case .list(let elements): return elements.reduce(own + 32) { $0 + $1.memorySize }
        case .dictionary(let entries): return entries.reduce(own + 32) { $0 + 48 + $1.value.memorySize }
        default: return own
        }
    }
}
