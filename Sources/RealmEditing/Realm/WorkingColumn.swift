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
    /// The row groups before those of created objects; nil while there are none of these.
    private var sourceGroupCount: Int?
    private var sourceCells: [Cells]?

    private let context: WorkingContext
    /// The column that it was at first.
    let source: Column
    private var cells: [Cells]?
    /// Changed cells of row groups that stay as they are, or that few cells were changed of: of each group by row.
    private(set) var patches: [Int: [Int: Value]] = [:]
    /// Bytes of memory that an entry of `patches` takes beside its value, near enough for a budget.
    private static let patchBytes = 32
    /// Reads the source where the column is of a class with patches.
    let patched: PatchedSource?
    /// The row group that was fetched last: who reads one after the other is to wait for none.
    private var lastFetched = -1

    private enum Cells {
        /// In the store, or constant.
        case stored(Segment)
        /// In memory, set as a whole; in the store as well where it has a segment.
        case array(ColumnArray, written: Segment?)
        /// In memory, set value by value.
        case values(UnpackedCells)
        /// As patches of the source leave them.
        case patched
        /// As the source has them, which nobody has looked at yet.
        case source
    }

    /// A column of a class whose source has patches.
    struct PatchedSource {
        /// The property's index; nil for the keys.
        let property: Int?
        let reader: () throws -> ClassReader

        /// Where a row group's cells are stored; nil where patches have something of them.
        func segment(_ group: Int) throws -> Segment? {
            let reader = try reader()
            guard group < reader.storedGroupCount else { return nil }
            return try property.map { try reader.segment($0, inGroup: group) } ?? reader.keySegment(inGroup: group)
        }

        /// The value of a cell in patches; nil where it is as it is stored, and for the keys.
        func value(at position: RowPosition) throws -> Value? {
            try property.flatMap { try reader().patchedValue($0, at: position.row, inGroup: position.group) }
        }

        /// Where a row group's cells are stored, whatever patches have of them; nil of keys, and of row groups that patches add.
        func storedSegment(_ group: Int) throws -> Segment? {
            let reader = try reader()
            guard let property, group < reader.storedGroupCount else { return nil }
            return try reader.storedSegment(property, inGroup: group)
        }

        func array(_ group: Int) throws -> ColumnArray {
            let reader = try reader()
            if let property { return try reader.column(property, inGroup: group) }
            let keys = try reader.keys(inGroup: group)
            return ColumnArray(count: keys.count, values: .int(keys))
        }
    }

    init(_ property: Property, source: Column, context: WorkingContext, patched: PatchedSource? = nil) {
        self.property = property
        originalName = property.name
        self.source = source
        self.context = context
        self.patched = patched
    }

    /// A column that holds a value in every row.
    convenience init(_ property: Property, filledWith value: Value, context: WorkingContext) {
        self.init(property, source: .constant(value), context: context)
    }

    package var type: ColumnType { ColumnType(property) }

    /// The single value of all rows, where the column is one of the source's constants and unchanged.
    package var constant: Value? {
        guard !isModified, patched == nil, case .constant(let value) = source else { return nil }
        return value
    }

    // MARK: Reading

    func value(at position: RowPosition, in groups: [WorkingGroup]) throws -> Value {
        if let constant { return constant }
        if let value = patches[position.group]?[position.row] { return value }
        switch try cell(position.group, in: groups) {
        case .source, .patched: return try patchedValue(at: position)
        case .stored(let segment): return try storedValue(segment, at: position)
        case .array(let array, _): return try array.value(at: position.row, as: type)
        case .values(let unpacked): return unpacked.values[position.row]
        }
    }

    private func storedValue(_ segment: Segment, at position: RowPosition) throws -> Value {
        if case .constant(let value) = segment.content { return value }
        return try fetch(segment, group: position.group).value(at: position.row, as: type)
    }

    /// All rows of a row group, deleted ones included.
    func array(group: Int, in groups: [WorkingGroup]) throws -> ColumnArray {
        let array = try unchangedArray(group: group, in: groups)
        return try patches[group].map { try overlaid(array, by: $0) } ?? array
    }

    private func overlaid(_ array: ColumnArray, by changed: [Int: Value]) throws -> ColumnArray {
        let rows = changed.keys.sorted()
        let cells = try ColumnArray(rows.map { changed[$0] ?? .null }, as: type)
        return try array.overlaid(at: rows, as: type) { (cells, $0) }
    }

    private func unchangedArray(group: Int, in groups: [WorkingGroup]) throws -> ColumnArray {
        switch try cell(group, in: groups) {
        case .source, .patched: return try patchedArray(group)
        case .stored(let segment): return try fetch(segment, group: group)
        case .array(let array, _): return array
        case .values(let unpacked): return try ColumnArray(unpacked.values, as: type)
        }
    }

    /// The last array that was made of the source and its patches, which takes longer than reading one.
    private var lastPatched: (group: Int, array: ColumnArray)?

    /// Cells of a row group that are asked for one after the other before all of it is made of the source and its patches.
    private static let fewCells = 64
    private var lastCells = (group: -1, count: 0)

    private func patchedValue(at position: RowPosition) throws -> Value {
        lastCells = (position.group, lastCells.group == position.group ? lastCells.count + 1 : 1)
        if let patched, lastCells.count < Self.fewCells, lastPatched?.group != position.group {
            if let value = try patched.value(at: position) { return value }
            if let segment = try patched.storedSegment(position.group) { return try storedValue(segment, at: position) }
        }
        return try patchedArray(position.group).value(at: position.row, as: type)
    }

    private func patchedArray(_ group: Int) throws -> ColumnArray {
        if let lastPatched, lastPatched.group == group { return lastPatched.array }
        guard let array = try patched?.array(group) else {
            throw ColumnError.damaged(what: "cells of no patch", offset: 0)
        }
        lastPatched = (group, array)
        return array
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
        guard patches[group] == nil, case .stored(let segment) = try cell(group, in: groups),
            case .constant(let value) = segment.content
        else { return nil }
        return value
    }

    // MARK: Writing

    func set(_ value: Value, at position: RowPosition, in groups: [WorkingGroup]) throws {
        if context.keepsPatches, position.group < sourceGroupCount ?? groups.count {
            patches[position.group, default: [:]][position.row] = value
            isModified = true
            return
        }
        if try scatter(value, at: position, in: groups) { return }
        let unpacked = try unpack(group: position.group, in: groups)
        context.dirty.grow(by: unpacked.replace(position.row, by: value))
    }

    /// Keeps a cell beside its row group, where it is one of few: links lead anywhere, and unpacking a row group a cell takes long.
    ///
    /// - Returns: false where the row group is in memory, or is going to be.
    private func scatter(_ value: Value, at position: RowPosition, in groups: [WorkingGroup]) throws -> Bool {
        guard case .stored = try cell(position.group, in: groups),
            patches[position.group]?.count ?? 0 < groups[position.group].rowCount / 8
        else { return false }
        let isFirst = patches[position.group] == nil
        let former = patches[position.group, default: [:]].updateValue(value, forKey: position.row)
        isModified = true
        let bytes = value.memorySize - (former?.memorySize ?? -Self.patchBytes)
        if isFirst {
            try context.dirty.add(self, group: position.group, byteCount: bytes)
        } else {
            context.dirty.grow(by: bytes)
            try context.dirty.makeRoom()
        }
        return true
    }

    /// Forgets the cells that were kept beside a row group.
    ///
    /// - Returns: the bytes of memory that they took.
    private func removePatches(group: Int) -> Int {
        guard !context.keepsPatches, let changed = patches.removeValue(forKey: group) else { return 0 }
        return changed.values.reduce(0) { $0 + $1.memorySize + Self.patchBytes }
    }

    /// Sets all rows of a row group.
    ///
    /// Who does so group by group is done with the one before, which the store may take meanwhile; it stays in memory
    /// as long as there is room, should it be read or changed again.
    func replace(group: Int, by array: ColumnArray, in groups: [WorkingGroup]) throws {
        _ = try cells(in: groups)
        cells?[group] = .array(array, written: nil)
        context.dirty.grow(by: -removePatches(group: group))
        isModified = true
        try context.dirty.add(self, group: group, byteCount: array.byteCount)
        if group > 0, case .array(let done, written: nil) = cells?[group - 1] {
            cells?[group - 1] = .array(done, written: try context.store.write(done))
        }
    }

    /// Sets all rows of a row group to what the store has already.
    func take(_ segment: Segment, group: Int, in groups: [WorkingGroup]) throws {
        _ = try cells(in: groups)
        cells?[group] = .stored(segment)
        context.dirty.grow(by: -removePatches(group: group))
        isModified = true
    }

    /// Adds the first row of a new row group.
    func appendGroup(_ value: Value, in groups: [WorkingGroup]) throws {
        if sourceGroupCount == nil { sourceGroupCount = groups.count }
        _ = try cells(in: groups)
        let unpacked = UnpackedCells([value])
        cells?.append(.values(unpacked))
        isModified = true
        try context.dirty.add(self, group: groups.count, byteCount: unpacked.byteCount)
    }

    /// Adds all rows of a new row group.
    func appendGroup(_ array: ColumnArray, in groups: [WorkingGroup]) throws {
        if sourceGroupCount == nil { sourceGroupCount = groups.count }
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
        for group in patches.keys { context.dirty.grow(by: -removePatches(group: group)) }
        isModified = true
    }

    /// Moves the cells of a row group from memory to the store.
    ///
    /// - Returns: the bytes of memory that are free now, near enough.
    func writeBack(group: Int) throws -> Int {
        guard let cells, cells.indices.contains(group) else { return 0 }
        if !context.keepsPatches, let changed = patches[group], case .stored(let segment) = cells[group] {
            let array = try overlaid(try fetch(segment, group: group), by: changed)
            self.cells?[group] = .stored(try context.store.write(array))
            return removePatches(group: group)
        }
        switch cells[group] {
        case .stored, .source: return 0
        case .patched:
            self.cells?[group] = .stored(try context.store.write(try patchedArray(group)))
            return 0
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
        guard isModified || patched != nil else { return source }
        for group in groups.indices {
            _ = try cell(group, in: groups)
            _ = try writeBack(group: group)
        }
        let segments = try cells(in: groups).map { cells in
            guard case .stored(let segment) = cells else {
                throw ColumnError.damaged(what: "unwritten cells", offset: 0)
            }
            return segment
        }
        return groups.isEmpty ? .constant(property.initialValue) : .segments(try context.store.write(column: segments))
    }

    /// The cells of a row group, found where the source has them.
    private func cell(_ group: Int, in groups: [WorkingGroup]) throws -> Cells {
        let cell = try cells(in: groups)[group]
        guard case .source = cell else { return cell }
        let found: Cells
        if let patched {
            found = try patched.segment(group).map { .stored($0) } ?? .patched
        } else {
            let segments = try sourceCells ?? sourceCells(in: groups)
            sourceCells = segments
            found = segments[group]
        }
        cells?[group] = found
        return found
    }

    private func cells(in groups: [WorkingGroup]) throws -> [Cells] {
        if let cells { return cells }
        let loaded =
            patched != nil || context.keepsPatches
            ? groups.map { _ in Cells.source } : try sourceCells(in: groups)
        cells = loaded
        return loaded
    }

    /// The stored cells of the source, for each of its row groups.
    private func sourceCells(in groups: [WorkingGroup]) throws -> [Cells] {
        let groups = groups.prefix(sourceGroupCount ?? groups.count)
        let segments: [Segment]
        switch source {
        case .constant(let value): segments = groups.map { Segment(repeating: value, rowCount: $0.rowCount) }
        case .segments(let id): segments = try context.store.read(column: id)
        }
        guard segments.count == groups.count else {
            throw ColumnError.damaged(what: "\(segments.count) segments for \(groups.count) row groups", offset: 0)
        }
        return segments.map { Cells.stored($0) }
    }

    private func unpack(group: Int, in groups: [WorkingGroup]) throws -> UnpackedCells {
        if case .values(let unpacked) = try cell(group, in: groups) { return unpacked }
        defer { lastPatched = nil }
        let array = try array(group: group, in: groups)
        let unpacked = UnpackedCells(try (0..<array.count).map { try array.value(at: $0, as: type) })
        cells?[group] = .values(unpacked)
        isModified = true
        context.dirty.grow(by: -removePatches(group: group))
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
