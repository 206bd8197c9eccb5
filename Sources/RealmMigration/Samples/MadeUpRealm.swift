import Columns
import RealmModel

/// A realm of made-up objects: a few of each class, with values at the edges of what each property takes, and values that no
/// other property has.
///
/// It stands in for the realms of a schema version of which there is none. The same schema has the same realm.
public struct MadeUpRealm {
    /// Objects of each class that is top level.
    public static let objectCount = 16
    /// Embedded objects at most, and how deep they are in one another.
    private static let embeddedLimits = (count: 1_000, depth: 3)

    private let schema: Schema
    /// How many properties the classes before each have.
    private let propertiesBefore: [Int]
    /// The rows of each class of the schema, in the order of its persisted properties.
    private var rows: [[[Value]]]
    private var embeddedCount = 0

    /// Makes up a realm.
    ///
    /// - Parameter store: takes what its objects consist of.
    /// - Throws: what the store throws.
    public static func make(_ schema: Schema, version: UInt64?, in store: any SegmentStore) throws -> Snapshot {
        var realm = MadeUpRealm(schema)
        realm.fill()
        return Snapshot(schemaVersion: version, declared: schema, classes: try realm.written(to: store))
    }

    private init(_ schema: Schema) {
        self.schema = schema
        propertiesBefore = schema.classes.reduce(into: [0]) {
            $0.append($0[$0.count - 1] + $1.persistedProperties.count)
        }
        rows = schema.classes.map { _ in [] }
    }

    private func written(to store: any SegmentStore) throws -> [StoredClass] {
        try zip(schema.classes, rows).map { schema, rows in
            let writer = ClassWriter(schema: schema, store: store)
            for (sequence, row) in rows.enumerated() {
                for (value, builder) in zip(row, writer.columns) { try builder.append(value) }
                try writer.endRow(
                    key: .allocated(sequence: Int64(sequence), hasPrimaryKey: schema.primaryKey != nil))
            }
            return try writer.finish(nextSequence: Int64(rows.count))
        }
    }

    // MARK: Objects

    private mutating func fill() {
        for (index, schema) in schema.classes.enumerated() where schema.kind == .topLevel {
            for number in 0..<Self.objectCount { rows[index].append(row(of: index, number, depth: 0)) }
        }
    }

    private mutating func row(of classIndex: Int, _ number: Int, depth: Int) -> [Value] {
        schema.classes[classIndex].persistedProperties.enumerated().map { index, property in
            value(of: property, MadeUpValues(property: propertiesBefore[classIndex] + index), number, depth: depth)
        }
    }

    private mutating func value(
        of property: Property, _ values: MadeUpValues, _ number: Int, depth: Int
    ) -> Value {
        // One object of a class has none of what may be null.
        if property.collection == .none, property.isOptional, number == 1 { return .null }
        let elements = elements(of: property, values, number, depth: depth)
        switch property.collection {
        case .none: return elements.first ?? property.initialValue
        case .list: return .list(elements)
        case .set: return .list(ValueOrder.sortedUnique(elements))
        case .dictionary:
            return .dictionary(zip(Self.dictionaryKeys, elements).map { DictionaryEntry($0, $1) })
        }
    }

    /// In bytewise order.
    private static let dictionaryKeys = ["", "a", "b c", "é"]

    /// How many elements a collection of an object has.
    private static func length(_ number: Int) -> Int { [0, 1, 4, 2][number % 4] }

    /// The elements of an object's collection, or the one value.
    private mutating func elements(
        of property: Property, _ values: MadeUpValues, _ number: Int, depth: Int
    ) -> [Value] {
        let count = property.isCollection ? Self.length(number) : 1
        guard property.type != .object else { return links(of: property, values, number, count, depth: depth) }
        return (0..<count).map { index in
            if property.isCollection, property.isOptional, index == 1 { return .null }
            return scalar(property.type, values, number + index)
        }
    }

    private mutating func links(
        of property: Property, _ values: MadeUpValues, _ number: Int, _ count: Int, depth: Int
    ) -> [Value] {
        guard let name = property.objectType,
            let target = schema.index(of: name)
        else { return [] }
        let targetSchema = schema.classes[target]
        switch targetSchema.kind {
        case .asymmetric: return []
        case .topLevel:
            // From each object a way leads through all of them: the step is odd, and their number a power of two.
            let step = 2 * values.property + 1
            let hasPrimaryKey = targetSchema.primaryKey != nil
            return (0..<count).map { index in
                let sequence = Int64((number + index + step) % Self.objectCount)
                return .link(.allocated(sequence: sequence, hasPrimaryKey: hasPrimaryKey))
            }
        case .embedded:
            let limits = Self.embeddedLimits
            guard depth < limits.depth else { return [] }
            return (0..<count).compactMap { _ in
                guard embeddedCount < limits.count else { return nil }
                embeddedCount += 1
                // Its place is its own before it has its values, among which others of its class may be.
                let sequence = rows[target].count
                rows[target].append([])
                rows[target][sequence] = row(of: target, sequence, depth: depth + 1)
                return .link(.allocated(sequence: Int64(sequence), hasPrimaryKey: false))
            }
        }
    }

    // MARK: Values

    private func scalar(_ type: PropertyType, _ values: MadeUpValues, _ number: Int) -> Value {
        if type == .mixed, number % Self.objectCount == Self.objectCount - 1,
            let linked = schema.classes.first(where: { $0.kind == .topLevel })
        {
            let key = ObjectKey.allocated(sequence: 0, hasPrimaryKey: linked.primaryKey != nil)
            return .typedLink(className: linked.name, key)
        }
        return values.value(type, number % Self.objectCount)
    }
}
