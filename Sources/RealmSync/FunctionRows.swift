import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// Objects of a class on their way into functions of one object.
package struct FunctionRows {
    private let view: RealmView
    private let classIndex: Int
    private let shape: FunctionShape
    /// The index in the view's class of each property of the shape.
    package let indices: [Int]
    /// The primary key's place among the properties; nil where the class has none.
    package let primaryKeyIndex: Int?

    /// Rows of a class of a view.
    ///
    /// - Parameter objectSchema: the properties that are shown; all of them the view's class has, too.
    package init(of objectSchema: ObjectSchema, in view: RealmView) throws {
        guard let classIndex = view.index(of: objectSchema.name) else {
            throw EditingError(.noSuchTable, "Object type '\(objectSchema.name)' not found in schema.")
        }
        self.view = view
        self.classIndex = classIndex
        shape = FunctionShape(objectSchema, in: view.schema)
        let shown = view.schema.classes[classIndex].properties
        indices = try shape.stored.map { property in
            guard let index = shown.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else {
                throw EditingError(
                    .invalidProperty, "Property '\(objectSchema.name).\(property.name)' does not exist.")
            }
            return index
        }
        primaryKeyIndex = shape.stored.firstIndex { objectSchema.isPrimaryKey($0) }
    }

    /// Whether a function sees every property as it is stored: none is a link or an embedded object.
    package var isStoredAsShown: Bool { shape.stored == shape.properties }

    /// The properties of an object that a function sees.
    package var properties: [Property] { shape.properties }

    /// Those of some objects that a function can be given, and why it can't be given the others.
    func seen(
        _ keys: [Int64]
    ) throws -> (objects: FunctionObjects, failures: [(key: Int64, error: MigrationError)]) {
        do { return (try objects(keys), []) } catch is MigrationError {}
        let failures = try refused(keys)
        let refused = Set(failures.map(\.key))
        return (try objects(keys.filter { !refused.contains($0) }), failures)
    }

    /// Those of some objects that a function can't be given, and why; mostly there are none, or few among many.
    private func refused(_ keys: [Int64]) throws -> [(key: Int64, error: MigrationError)] {
        do {
            _ = try objects(keys)
            return []
        } catch let error as MigrationError {
            guard keys.count > 1 else { return keys.map { ($0, error) } }
            let middle = keys.count / 2
            return try refused(Array(keys[..<middle])) + refused(Array(keys[middle...]))
        }
    }

    /// The primary key of an object; nil where its class has none.
    func primaryKey(of key: Int64) throws -> Value? {
        try primaryKeyIndex.map { place in
            try view.value(indices[place], of: ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(key)))
        }
    }

    /// The objects of some keys, in their order, each of which is there.
    ///
    /// - Throws: `MigrationError` with the object's key where one has a value that no function can be given.
    package func objects(_ keys: [Int64]) throws -> FunctionObjects {
        let shown = view.schema.classes[classIndex].properties
        let positions = try positions(of: keys)
        let runs = Self.runs(of: positions)
        let isDense = runs.count * Self.shortestRun <= keys.count
        let columns = try zip(indices, shape.properties).map { index, property in
            // Values that a function sees as they are stored need not be looked at one by one.
            if isDense, property.type != .mixed, shown[index].type == property.type {
                return try column(index, runs, as: ColumnType(property))
            }
            return try column(index, property, of: keys, at: positions)
        }
        return FunctionObjects(keys: keys.map { ObjectKey($0) }, columns: columns, primaryKey: primaryKeyIndex)
    }

    private func positions(of keys: [Int64]) throws -> [RowPosition] {
        let name = view.schema.classes[classIndex].name
        guard let stored = view.workingClass(classIndex) else { throw EditingError.unknownClass(name) }
        return try keys.map { key in
            guard let position = try stored.position(of: key) else { throw EditingError.invalidatedObject(name) }
            return position
        }
    }

    // MARK: By columns

    /// Rows that objects have one after the other, on the average, where their columns are read rather than their values.
    private static let shortestRun = 16

    /// Rows of a row group that follow one another.
    private struct Run {
        let group: Int
        var rows: Range<Int>
    }

    private static func runs(of positions: [RowPosition]) -> [Run] {
        var runs: [Run] = []
        for position in positions {
            if let last = runs.last, last.group == position.group, last.rows.upperBound == position.row {
                runs[runs.count - 1].rows = last.rows.lowerBound..<position.row + 1
            } else {
                runs.append(Run(group: position.group, rows: position.row..<position.row + 1))
            }
        }
        return runs
    }

    private func column(_ property: Int, _ runs: [Run], as type: ColumnType) throws -> ColumnArray {
        let builder = ColumnBuilder(type)
        var last: (group: Int, array: ColumnArray)?
        for run in runs {
            let array =
                try last.flatMap { $0.group == run.group ? $0.array : nil }
                ?? view.column(property, of: classIndex, rowGroup: run.group)
            if runs.count == 1, run.rows == 0..<array.count { return array }
            try builder.append(run.rows, of: array)
            last = (run.group, array)
        }
        return builder.finish()
    }

    // MARK: By values

    private func column(
        _ index: Int, _ property: Property, of keys: [Int64], at positions: [RowPosition]
    ) throws -> ColumnArray {
        let builder = ColumnBuilder(ColumnType(property))
        let binding = view.bindings(of: classIndex)[index]
        let shown = binding.property
        guard let stored = view.workingClass(classIndex), let column = binding.column else {
            return try ColumnArray(repeating: shown.initialValue, count: keys.count, as: ColumnType(property))
        }
        for (key, position) in zip(keys, positions) {
            let value = try view.realm.visible(try stored.value(column, at: position), of: column.property)
            guard property.type != .mixed || shown.type != .mixed || !value.holdsLinks else {
                throw refusal(of: shown, ObjectKey(key))
            }
            do {
                try builder.append(try plain(value, of: shown))
            } catch is MixedLink {
                throw refusal(of: shown, ObjectKey(key))
            }
        }
        return builder.finish()
    }

    /// A link inside a mixed value names its class, which a primary key does not: it would not come back as it was.
    private func refusal(of property: Property, _ key: ObjectKey) -> MigrationError {
        let message = "A mixed value that links to an object can't be given to a function."
        return MigrationError(
            .illegalOperation, message, script: .exception,
            details: [
                ProblemItem(
                    message, className: view.schema.classes[classIndex].name, property: property.publicName,
                    key: key)
            ])
    }

    /// A mixed value that links to an object, in one that is embedded.
    private struct MixedLink: Error {}

    /// A value without links: objects by their primary keys, embedded ones as dictionaries.
    private func plain(_ value: Value, of property: Property) throws -> Value {
        switch value {
        case .link(let key):
            guard let target = property.objectType else { return .null }
            return try plain(target, key)
        case .typedLink: throw MixedLink()
        case .list(let elements):
            let seen = try elements.map { try plain($0, of: property) }
            // Sets are kept in the order of the objects' keys, which is none of their primary keys.
            return .list(property.collection == .set ? ValueOrder.sortedUnique(seen) : seen)
        case .dictionary(let entries):
            return .dictionary(try entries.map { DictionaryEntry($0.key, try plain($0.value, of: property)) })
        default: return value
        }
    }

    private func plain(_ className: String, _ key: ObjectKey) throws -> Value {
        guard let target = view.index(of: className) else { return .null }
        let shown = view.schema.classes[target]
        let object = ObjectReference(side: .new, classIndex: target, key: key)
        guard shown.isEmbedded else {
            guard let index = shown.properties.firstIndex(where: { shown.isPrimaryKey($0) }) else { return .null }
            return try view.value(index, of: object)
        }
        let entries = try shown.properties.indices.filter { !shown.properties[$0].isComputed }.map { index in
            let property = shown.properties[index]
            return DictionaryEntry(property.publicName, try plain(try view.value(index, of: object), of: property))
        }
        return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
}

extension Value {
    /// Whether the value is, or has inside, a link that names its class.
    fileprivate var holdsLinks: Bool {
        switch self {
        case .typedLink: true
        case .list(let elements): elements.contains(where: \.holdsLinks)
        case .dictionary(let entries): entries.contains { $0.value.holdsLinks }
        default: false
        }
    }
}
