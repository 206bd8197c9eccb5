import Columns
import RealmModel

/// Replaces the tickets of links whose targets came after them by the targets' keys, and checks links by key.
///
/// Reads and writes again only columns in which there are such links.
struct LinkResolver {
    private let intake: RealmIntake
    private let source: any ByteSource

    /// A cell whose link leads nowhere.
    private struct BrokenCell: Error {
        /// The cell's number among those of its array.
        let index: Int
        /// The number of the first link to the same object, where links to it have one.
        let link: Int?
    }

    init(_ intake: RealmIntake, source: any ByteSource) {
        self.intake = intake
        self.source = source
    }

    /// The class with every link a key of an object that is there.
    ///
    /// - Throws: `brokenLink`.
    func resolve(_ written: StoredClass, of intake: ClassIntake) throws -> StoredClass {
        var stored = written
        let reader = try ClassReader(written, store: self.intake.store)
        for (index, property) in intake.properties.enumerated() where property.hasForwardLinks {
            var segments: [Segment] = []
            for group in reader.rowGroups.indices {
                segments.append(try resolve(index, of: property, inGroup: group, of: reader))
            }
            stored.columns[index] = .segments(try self.intake.store.write(column: segments))
        }
        return stored
    }

    private func resolve(
        _ index: Int, of property: PropertyIntake, inGroup group: Int, of reader: ClassReader
    ) throws -> Segment {
        let segment = try reader.segment(index, inGroup: group)
        let array = try reader.column(index, inGroup: group)
        if intake.resolvedLinks != nil { try intake.resolvedLinks?.load(array.linkNumbers()) }
        do {
            let resolved = try resolve(array, property)
            return try resolved == array ? segment ?? intake.store.write(resolved) : intake.store.write(resolved)
        } catch let cell as BrokenCell {
            let key = try reader.keys(inGroup: group)[Self.row(of: cell.index, in: array)]
            throw try broken(cell, property.property, of: reader.stored.schema, key: ObjectKey(key))
        }
    }

    private func broken(
        _ cell: BrokenCell, _ property: Property, of objectSchema: ObjectSchema, key: ObjectKey
    ) throws -> InputError {
        let name = "\(objectSchema.name).\(property.publicName)"
        let message = "\(name) links to an object that is not there"
        guard let link = cell.link else {
            return InputError(
                .brokenLink,
                ProblemItem(
                    "\(message), in the object with the key \(key.value).", className: objectSchema.name,
                    property: property.publicName, key: key))
        }
        let place = try source.place(of: intake.offset(ofLink: link))
        return InputError(
            .brokenLink,
            place.item(
                "\(message), in the object at \(place).", className: objectSchema.name,
                property: property.publicName, key: key))
    }

    /// The row that a cell is in.
    private static func row(of cell: Int, in array: ColumnArray) -> Int {
        switch array.values {
        case .list(let offsets, _), .dictionary(let offsets, _, _):
            (offsets.firstIndex { Int($0) > cell } ?? 1) - 1
        default: cell
        }
    }

    // MARK: Arrays

    private func resolve(_ array: ColumnArray, _ property: PropertyIntake) throws -> ColumnArray {
        var resolved = array
        switch array.values {
        case .int(var cells):
            guard let target = property.target else { return array }
            for index in cells.indices where !array.isNull(index) {
                cells[index] = try key(cells[index], target: target, index: index)
            }
            resolved.values = .int(cells)
        case .variable: resolved = try resolveMixed(array)
        case .list(let offsets, let elements):
            let elements = try resolve(elements, property)
            resolved.values = .list(offsets: offsets, elements: elements)
            if property.property.collection == .set {
                resolved = try sortedSets(resolved, ColumnType(property.property))
            }
        case .dictionary(let offsets, let keys, let values):
            resolved.values = .dictionary(offsets: offsets, keys: keys, values: try resolve(values, property))
        default: break
        }
        return resolved
    }

    private func resolveMixed(_ array: ColumnArray) throws -> ColumnArray {
        let builder = ColumnBuilder(ColumnType(.mixed))
        for index in 0..<array.count {
            try builder.append(try resolve(try array.value(at: index, as: builder.type), index: index))
        }
        return builder.finish()
    }

    private func resolve(_ value: Value, index: Int) throws -> Value {
        switch value {
        case .typedLink(let name, let link):
            guard let target = intake.schema.index(of: name) else {
                throw BrokenCell(index: index, link: nil)
            }
            return .typedLink(className: name, ObjectKey(try key(link.value, target: target, index: index)))
        case .list(let elements): return .list(try elements.map { try resolve($0, index: index) })
        case .dictionary(let entries):
            return .dictionary(try entries.map { DictionaryEntry($0.key, try resolve($0.value, index: index)) })
        default: return value
        }
    }

    /// Tickets are in another order than keys, and two of them may have become one key.
    private func sortedSets(_ array: ColumnArray, _ type: ColumnType) throws -> ColumnArray {
        let builder = ColumnBuilder(type)
        for row in 0..<array.count {
            guard case .list(let elements) = try array.value(at: row, as: type) else { continue }
            try builder.append(.list(ValueOrder.sortedUnique(elements)))
        }
        return builder.finish()
    }

    private func key(_ cell: Int64, target: Int, index: Int) throws(BrokenCell) -> Int64 {
        if cell < 0 {
            let link = Int(~cell)
            let key = link < KeyLog.firstLink ? intake.tickets[link] : intake.resolvedLinks?.key(of: link) ?? -1
            guard key >= 0 else {
                throw BrokenCell(index: index, link: link < KeyLog.firstLink ? link : Int(~key))
            }
            return key
        }
        let target = intake.classes[target]
        guard target.primaryKey != nil || target.keys.contains(cell) else {
            throw BrokenCell(index: index, link: nil)
        }
        return cell
    }
}

extension ColumnArray {
    /// The numbers of links that are in scratch space, of a column of links or of mixed values.
    fileprivate func linkNumbers() throws -> [Int] {
        switch values {
        case .int(let cells): cells.indices.compactMap { isNull($0) ? nil : Self.linkNumber(cells[$0]) }
        case .variable: try (0..<count).flatMap { Self.linkNumbers(try value(at: $0, as: ColumnType(.mixed))) }
        case .list(_, let elements): try elements.linkNumbers()
        case .dictionary(_, _, let values): try values.linkNumbers()
        default: []
        }
    }

    private static func linkNumber(_ cell: Int64) -> Int? {
        let number = Int(~cell)
        return number >= KeyLog.firstLink ? number : nil
    }

    private static func linkNumbers(_ value: Value) -> [Int] {
        switch value {
        case .typedLink(_, let link): [linkNumber(link.value)].compactMap(\.self)
        case .list(let elements): elements.flatMap { linkNumbers($0) }
        case .dictionary(let entries): entries.flatMap { linkNumbers($0.value) }
        default: []
        }
    }
}
