import Columns
import RealmModel

/// A realm of made-up objects: a few of each class, with values at the edges of what each property takes.
///
/// It stands in for the realms of a schema version of which there is none. The same schema has the same realm.
public struct MadeUpRealm {
    /// Objects of each class that is top level.
    public static let objectCount = 8
    /// Embedded objects at most, and how deep they are in one another.
    private static let embeddedLimits = (count: 1_000, depth: 3)

    private let schema: Schema
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
            for number in 0..<Self.objectCount { rows[index].append(values(of: schema, number, depth: 0)) }
        }
    }

    private mutating func values(of schema: ObjectSchema, _ number: Int, depth: Int) -> [Value] {
        schema.persistedProperties.map { value(of: $0, number, depth: depth) }
    }

    private mutating func value(of property: Property, _ number: Int, depth: Int) -> Value {
        // One object of a class has none of what may be null.
        if property.collection == .none, property.isOptional, number == 1 { return .null }
        let elements = elements(of: property, number, depth: depth)
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
    private mutating func elements(of property: Property, _ number: Int, depth: Int) -> [Value] {
        let count = property.isCollection ? Self.length(number) : 1
        guard property.type != .object else { return links(of: property, number, count, depth: depth) }
        return (0..<count).map { index in
            if property.isCollection, property.isOptional, index == 1 { return .null }
            return scalar(property.type, number + index)
        }
    }

    private mutating func links(of property: Property, _ number: Int, _ count: Int, depth: Int) -> [Value] {
        guard let name = property.objectType,
            let target = schema.index(of: name)
        else { return [] }
        let targetSchema = schema.classes[target]
        switch targetSchema.kind {
        case .asymmetric: return []
        case .topLevel:
            // An object, the ones behind it, and from the last on from the first.
            let hasPrimaryKey = targetSchema.primaryKey != nil
            return (0..<count).map { index in
                let sequence = Int64((number + index + 1) % Self.objectCount)
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
                rows[target][sequence] = values(of: targetSchema, sequence, depth: depth + 1)
                return .link(.allocated(sequence: Int64(sequence), hasPrimaryKey: false))
            }
        }
    }

    // MARK: Values

    private func scalar(_ type: PropertyType, _ number: Int) -> Value {
        if type == .mixed, number % Self.objectCount == Self.objectCount - 1,
            let linked = schema.classes.first(where: { $0.kind == .topLevel })
        {
            let key = ObjectKey.allocated(sequence: 0, hasPrimaryKey: linked.primaryKey != nil)
            return .typedLink(className: linked.name, key)
        }
        let values = EdgeValues.of(type)
        return values.isEmpty ? .null : values[number % values.count]
    }
}

/// Values at the edges of what types take; of most types as many as a class has objects, so that a primary key finds one for each.
enum EdgeValues {
    /// Values of a type, none of them null but of mixed; none of types that are made of objects.
    static func of(_ type: PropertyType) -> [Value] {
        switch type {
        case .int: integers.map { .int($0) }
        case .bool: [.bool(false), .bool(true)]
        case .float: floats.map { .float($0) }
        case .double: doubles.map { .double($0) }
        case .string: strings.map { .string($0) }
        case .data: blobs.map { .data($0) }
        case .date: dates.map { .date($0) }
        case .decimal128: decimals.map { .decimal128($0) }
        case .objectId: bytes(ObjectId.byteCount).compactMap { ObjectId(bytes: $0).map { .objectId($0) } }
        case .uuid: bytes(UUID.byteCount).compactMap { UUID(bytes: $0).map { .uuid($0) } }
        case .mixed: mixed
        case .object, .linkingObjects: []
        }
    }

    /// Those that JavaScript's numbers do not hold among them.
    private static let integers: [Int64] = [0, 1, -1, .max, .min, 1 << 53 + 1, -(1 << 53) - 1, 42]
    private static let floats: [Float] = [
        0, 1.5, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, .nan,
    ]
    private static let doubles: [Double] = [
        0, 1.5, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, .nan,
    ]
    private static let strings = [
        "", "a", String(repeating: "long ", count: 200), "\u{0}", "e\u{301}", "👩‍👩‍👧", "two\n\"lines\"", "42",
    ]
    private static let blobs: [[UInt8]] = [
        [], [0], [0xff], Array(0...255), [UInt8](repeating: 0, count: 4096), [1, 2], [0xc3], [0x7f],
    ]
    private static let dates = [
        Timestamp(seconds: 0, nanoseconds: 0), Timestamp(seconds: 0, nanoseconds: 1),
        Timestamp(seconds: -1, nanoseconds: -999_999_999), Timestamp(seconds: 1_000_000_000, nanoseconds: 500_000_000),
        // The ends of the years 1 and 9999, and of what 32 bits count.
        Timestamp(seconds: -62_135_596_800, nanoseconds: 0),
        Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999),
        Timestamp(seconds: 2_147_483_648, nanoseconds: 0),
        Timestamp(seconds: 951_782_400, nanoseconds: 0),
    ]
    private static let decimals: [Decimal128] =
        [.zero, .infinity, .notANumber]
        + [
            Decimal128(coefficient: 1, exponent: 0), Decimal128(isNegative: true, coefficient: 1, exponent: -1),
            Decimal128(coefficient: Decimal128.maximumCoefficient, exponent: Decimal128.exponents.upperBound),
            Decimal128(coefficient: 1, exponent: Decimal128.exponents.lowerBound),
            Decimal128(coefficient: 12_345, exponent: -2),
        ].compactMap(\.self)
    private static let mixed: [Value] = [
        .bool(true), .null, .int(.max), .double(-1.5), .string(""), .date(dates[2]), .decimal128(.zero), .data([0]),
    ]

    /// Zeros, ones, and some between.
    private static func bytes(_ count: Int) -> [[UInt8]] {
        [0, 0xff, 1, 0x7f, 0x80, 2, 3, 4].map { [UInt8](repeating: $0, count: count) }
    }
}
