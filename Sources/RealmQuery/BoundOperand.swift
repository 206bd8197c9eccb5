import RealmModel

/// One side of a comparison, its paths found in a schema.
struct BoundOperand: Sendable {
    indirect enum Kind: Sendable {
        case constant([Value], isList: Bool)
        /// A single value of the objects that a chain leads to.
        case scalar(LinkChain, Column)
        /// The value that a path leads to inside a mixed value.
        case nested(LinkChain, Column, [PathSyntax.Element])
        /// The elements of lists and sets: all, one, or what a path leads to inside mixed ones.
        case collection(LinkChain, Column, [PathSyntax.Element])
        /// The values of dictionaries, or what a path leads to inside them.
        case dictionary(LinkChain, Column, [PathSyntax.Element])
        case keys(LinkChain, Column)
        /// The objects themselves.
        case links(LinkChain)
        case linkCount(LinkChain)
        case collectionCount(LinkChain, Column)
        /// How many links of any property lead to the objects, by the properties that may.
        case originCount(LinkChain, [LinkChain.Origin])
        /// The bytes of strings and data, the elements of collections in mixed values.
        case length(BoundOperand)
        case elementLengths(LinkChain, Column)
        case kindOfValue(BoundOperand)
        case aggregate(Aggregation, LinkChain, Column)
        case linkAggregate(Aggregation, LinkChain, Column)
        case subquery(LinkChain, BoundPredicate)
        case arithmetic(BoundOperand, Arithmetic, BoundOperand)
    }

    let kind: Kind
    let type: QueryType
    var quantifier: Quantifier?
    /// As it stands in the query, for messages.
    let text: String

    /// Whether it can have several values for one object; that of a dictionary's keys Realm does not say.
    var isMultiple: Bool {
        switch kind {
        case .constant(_, let isList): isList
        case .scalar(let chain, _), .nested(let chain, _, _): chain.isPlural
        case .collection, .dictionary, .elementLengths: true
        case .links(let chain): chain.isPlural
        default: false
        }
    }

    /// Its one value, where that is a constant.
    var singleConstant: Value? {
        if case .constant(let values, _) = kind, values.count == 1 { values[0] } else { nil }
    }

    /// The property of the object itself that it is; nil for all that goes further.
    var ownColumn: Column? {
        if case .scalar(let chain, let column) = kind, chain.steps.isEmpty { column } else { nil }
    }

    var isConstant: Bool {
        if case .constant = kind { true } else { false }
    }

    /// Whether it is a collection of values, or a dictionary.
    var isCollection: Bool {
        switch kind {
        case .collection, .dictionary: true
        default: false
        }
    }
}

/// Values that are compared together.
///
/// A path over several objects to collections gives one group for each collection; a comparison fits where a group does.
struct ValueGroup {
    var values: [Value]
    var isList: Bool

    static let none = ValueGroup(values: [], isList: true)

    static func one(_ value: Value) -> ValueGroup { ValueGroup(values: [value], isList: false) }
}

extension BoundOperand {
    /// The values for an object, at least one group.
    func groups<Source: QuerySource>(_ object: Source.Object, _ source: Source) throws -> [ValueGroup] {
        switch kind {
        case .constant(let values, let isList): return [ValueGroup(values: values, isList: isList)]
        case .scalar(let chain, let column):
            return [try Self.group(chain, object, source, once: true) { try source.value(column.index, of: $0) }]
        case .nested(let chain, let column, let path):
            let roots = try chain.objects(from: object, in: source, once: true)
            return try MixedPath(path, isList: true).groups(
                in: roots.map { try source.value(column.index, of: $0) }, source)
        case .collection(let chain, let column, let path):
            return try collectionGroups(chain, column, path, object, source)
        case .dictionary(let chain, let column, let path):
            let roots = try chain.objects(from: object, in: source, once: true)
            return try MixedPath(path, isList: chain.isPlural).groups(
                in: roots.map { try source.value(column.index, of: $0).withTypedLinks(column) }, source)
        case .keys(let chain, let column):
            return Self.groups(
                try chain.objects(from: object, in: source, once: true).map { object in
                    guard case .dictionary(let entries) = try source.value(column.index, of: object) else { return [] }
                    return entries.map { .string($0.key) }
                })
        case .links(let chain):
            return [try Self.group(chain, object, source, once: true) { .link(try source.key(of: $0)) }]
        case .length(let operand):
            return try operand.groups(object, source).map {
                ValueGroup(values: $0.values.map(\.length), isList: $0.isList)
            }
        case .kindOfValue(let operand):
            return try operand.groups(object, source).map {
                ValueGroup(values: $0.values.map { .int(ValueKind($0).rawValue) }, isList: $0.isList)
            }
        case .arithmetic(let left, let arithmetic, let right):
            return try arithmeticGroups(left, arithmetic, right, object, source)
        default: return [try countedGroup(object, source)]
        }
    }

    /// The count or aggregate of several values, one for each object that has such.
    private func countedGroup<Source: QuerySource>(_ object: Source.Object, _ source: Source) throws -> ValueGroup {
        switch kind {
        case .linkCount(var chain):
            guard chain.steps.count > 1 else {
                return .one(.int(Int64(try chain.objects(from: object, in: source, once: false).count)))
            }
            let last = chain.removeLast()
            // Behind a link the null links of a dictionary count, as in Realm.
            let counts = try chain.objects(from: object, in: source, once: false).map { object in
                if case .link(let column) = last.way, column.property.isCollection {
                    return Value.int(Int64(try source.value(column.index, of: object).elementCount))
                }
                return Value.int(Int64(try last.targets(of: object, in: source).count))
            }
            return ValueGroup(values: counts, isList: true)
        case .collectionCount(let chain, let column):
            let counts = try chain.objects(from: object, in: source, once: false).map {
                Value.int(Int64(try source.value(column.index, of: $0).elementCount))
            }
            if chain.isPlural { return ValueGroup(values: counts, isList: true) }
            return .one(counts.first ?? .int(0))
        case .originCount(let chain, let origins):
            var count = 0
            for target in try chain.objects(from: object, in: source, once: false) {
                for origin in origins {
                    count += try source.origins(of: target, from: origin.className, by: origin.property).count
                }
            }
            return .one(.int(Int64(count)))
        case .elementLengths(let chain, let column):
            let values = try chain.objects(from: object, in: source, once: true).flatMap {
                try source.value(column.index, of: $0).elements()
            }
            let isMixed = column.property.type == .mixed
            return ValueGroup(values: values.compactMap { $0.textLength(isMixed: isMixed) }, isList: true)
        case .aggregate(let aggregation, let chain, let column):
            let results = try chain.objects(from: object, in: source, once: false).map {
                Aggregate.result(aggregation, of: try source.value(column.index, of: $0).elements(), column.property)
            }
            if chain.isPlural { return ValueGroup(values: results, isList: true) }
            return .one(results.first ?? Aggregate.result(aggregation, of: [], column.property))
        case .linkAggregate(let aggregation, let chain, let column):
            let values = try chain.objects(from: object, in: source, once: false).map {
                try source.value(column.index, of: $0)
            }
            return .one(Aggregate.result(aggregation, of: values, column.property))
        case .subquery(let chain, let predicate):
            let objects = try chain.objects(from: object, in: source, once: false)
            return .one(
                .int(
                    Int64(
                        try objects.count { object in
                            try source.releasingValues { try predicate.matches(object, source) }
                        })))
        default: return .none
        }
    }

    /// One value where a chain leads to one object at most, null where it leads to none; else a list.
    private static func group<Source: QuerySource>(
        _ chain: LinkChain, _ object: Source.Object, _ source: Source, once: Bool,
        _ value: (Source.Object) throws -> Value
    ) throws -> ValueGroup {
        if chain.steps.isEmpty { return .one(try value(object)) }
        let values = try chain.objects(from: object, in: source, once: once).map(value)
        return chain.isPlural ? ValueGroup(values: values, isList: true) : .one(values.first ?? .null)
    }

    private static func groups(_ lists: [[Value]]) -> [ValueGroup] {
        lists.isEmpty ? [.none] : lists.map { ValueGroup(values: $0, isList: true) }
    }

    private func collectionGroups<Source: QuerySource>(
        _ chain: LinkChain, _ column: Column, _ path: [PathSyntax.Element], _ object: Source.Object, _ source: Source
    ) throws -> [ValueGroup] {
        let lists = try chain.objects(from: object, in: source, once: true).map {
            try source.value(column.index, of: $0).elements()
        }
        guard let first = path.first else { return Self.groups(lists) }
        let chosen = lists.map { list -> [Value] in
            guard case .index = first else { return list }
            let found = Value.list(list).elements(first)
            // An index behind the end of a list that has elements stands for null.
            return found.isEmpty && !list.isEmpty ? [.null] : found
        }
        guard path.count > 1 else { return Self.groups(chosen) }
        return try MixedPath(Array(path.dropFirst()), isList: true).groups(in: chosen.flatMap { $0 }, source)
    }

    private func arithmeticGroups<Source: QuerySource>(
        _ left: BoundOperand, _ arithmetic: Arithmetic, _ right: BoundOperand, _ object: Source.Object,
        _ source: Source
    ) throws -> [ValueGroup] {
        var groups: [ValueGroup] = []
        for left in try left.groups(object, source) {
            for right in try right.groups(object, source) {
                try source.spend((left.values.count + right.values.count) * 32)
                switch (left.isList, right.isList) {
                case (true, true): throw QueryError("Operations involving two lists are not supported")
                case (true, false):
                    let values = left.values.map { arithmetic.result($0, right.values[0]) }
                    groups.append(ValueGroup(values: values, isList: true))
                case (false, _):
                    let values = right.values.map { arithmetic.result(left.values[0], $0) }
                    groups.append(ValueGroup(values: values, isList: right.isList))
                }
                guard groups.count <= QueryLimits.reach else { throw LinkChain.tooMany }
            }
        }
        return groups
    }
}

extension Value {
    /// The bytes of a string or of data, the elements of a collection; null of everything else.
    fileprivate var length: Value {
        switch self {
        case .string(let text): .int(Int64(text.utf8.count))
        case .data(let bytes): .int(Int64(bytes.count))
        case .list(let elements): .int(Int64(elements.count))
        case .dictionary(let entries): .int(Int64(entries.count))
        default: .null
        }
    }

    /// The bytes of a string or of data, which a null one has none of; nil of everything else in mixed values.
    fileprivate func textLength(isMixed: Bool) -> Value? {
        switch self {
        case .string, .data: length
        default: isMixed ? nil : .int(0)
        }
    }

    fileprivate var elementCount: Int {
        switch self {
        case .list(let elements): elements.count
        case .dictionary(let entries): entries.count
        default: 0
        }
    }

    /// A dictionary of links with their class in each, as mixed values have them.
    fileprivate func withTypedLinks(_ column: Column) -> Value {
        guard let target = column.property.objectType, case .dictionary(let entries) = self else { return self }
        return .dictionary(
            entries.map { entry in
                guard case .link(let key) = entry.value else { return entry }
                return DictionaryEntry(entry.key, .typedLink(className: target, key))
            })
    }
}
