import Columns
import RealmModel

/// Appends the leaves of one column of clusters, collections and their trees included (REALM_FORMAT section 11).
struct ColumnLeafWriter {
    private let leaves: LeafWriter
    private let output: NodeOutput
    private let property: Property
    private let format: WrittenFormat
    private let tableKeys: [NameKey: Int64]

    init(
        _ property: Property, of className: String, to output: NodeOutput, in format: WrittenFormat,
        tableKeys: [NameKey: Int64],
        nextCollection: @escaping () -> Int64
    ) {
        self.property = property
        self.output = output
        self.format = format
        self.tableKeys = tableKeys
        let mixed = MixedLeafWriter(
            output, in: format, tableKeys: tableKeys, className: className, property: property.name,
            nextCollection: nextCollection)
        leaves = LeafWriter(output: output, property: property, className: className, mixed: mixed)
    }

    /// Appends the leaf of some rows, at most 256.
    func append(_ array: ColumnArray, _ rows: Range<Int>) throws -> Int64 {
        if let collections = try appendCollections(array, rows) {
            return output.append(integers: collections, .hasRefs)
        }
        return try leaves.append(array, rows, links: .keyPlusOne)
    }

    /// A leaf without rows.
    func makePartialLeaf() -> PartialLeaf {
        if property.isCollection { return .collections([]) }
        if let content = leaves.textContent { return .texts(TextLeaf(of: content, to: output)) }
        return property.type == .mixed ? .mixed(leaves.mixed.makeLeaf()) : .cells(ColumnBuilder(ColumnType(property)))
    }

    /// Adds rows to a leaf.
    func add(_ array: ColumnArray, _ rows: Range<Int>, to leaf: inout PartialLeaf) throws {
        switch (leaf, array.values) {
        case (.collections(let refs), _):
            leaf = .collections(refs + (try appendCollections(array, rows) ?? []))
        case (.texts(var texts), .variable(let offsets, let bytes)):
            leaf = .collections([])
            try leaves.add(offsets, bytes, array, rows, to: &texts)
            leaf = .texts(texts)
        case (.mixed(var values), _):
            leaf = .collections([])
            for row in rows { try leaves.mixed.add(try array.value(at: row, as: ColumnType(.mixed)), to: &values) }
            leaf = .mixed(values)
        case (.cells(let cells), _):
            for row in rows { try cells.append(try array.value(at: row, as: cells.type)) }
        default: throw ColumnError.typeMismatch(expected: ColumnType(property))
        }
    }

    /// Appends a leaf.
    func append(_ leaf: PartialLeaf) throws -> Int64 {
        switch leaf {
        case .collections(let refs): return output.append(integers: refs, .hasRefs)
        case .texts(let texts): return texts.finish()
        case .mixed(let values): return leaves.mixed.append(values)
        case .cells(let cells):
            let array = cells.finish()
            return try leaves.append(array, 0..<array.count, links: .keyPlusOne)
        }
    }

    /// Appends the collections of some rows, and returns the references to them; nil for single values.
    private func appendCollections(_ array: ColumnArray, _ rows: Range<Int>) throws -> [Int64]? {
        switch array.values {
        case .list(let offsets, let elements):
            return try rows.map {
                let range = Int(offsets[$0])..<Int(offsets[$0 + 1])
                return range.isEmpty ? 0 : try append(elements: elements, range)
            }
        case .dictionary(let offsets, let keys, let values):
            return try rows.map {
                let range = Int(offsets[$0])..<Int(offsets[$0 + 1])
                return range.isEmpty ? 0 : try append(keys: keys, values: values, range)
            }
        default: return nil
        }
    }

    /// Appends the tree of a list or a set that has an element at least.
    func append(elements: ColumnArray, _ range: Range<Int>) throws -> Int64 {
        if property.type == .mixed {
            var values = try range.map { try elements.value(at: $0, as: ColumnType(.mixed)) }
            if property.collection == .set {
                sortLinks(of: &values)
                if !format.ordersBytesUnsigned { StringCollation.sortStrings(of: &values) }
            }
            return try leaves.mixed.append(tree: values)
        }
        if property.collection == .set, let rows = try notANumberFirst(elements, range) ?? order(elements, range) {
            return try append(whole: elements.keeping(rows))
        }
        return try BPlusTreeWriter.append(count: range.count, to: output) { part in
            try leaves.append(elements, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
        }
    }

    private func append(whole elements: ColumnArray) throws -> Int64 {
        try BPlusTreeWriter.append(count: elements.count, to: output) { try leaves.append(elements, $0) }
    }

    /// The rows of strings or data as the format orders them; nil where that is how they are.
    private func order(_ array: ColumnArray, _ rows: Range<Int>) -> [Int]? {
        format.ordersBytesUnsigned ? nil : SignedBytes.order(array, rows)
    }

    /// The rows of a set of decimals with NaN before null, where Realm has them so; nil where that is not how they are to change.
    ///
    /// Realm's null is a NaN of its own, and its NaNs are in the order of their bits.
    private func notANumberFirst(_ array: ColumnArray, _ rows: Range<Int>) throws -> [Int]? {
        guard property.type == .decimal128, rows.count > 1 else { return nil }
        let type = ColumnType(.decimal128)
        guard try array.value(at: rows.lowerBound, as: type) == .null else { return nil }
        let lesser = try rows.dropFirst().prefix { row in
            guard case .decimal128(let number) = try array.value(at: row, as: type), number.isNaN else { return false }
            return (number.high, number.low) < (Decimal128.notANumber.high, Decimal128.nullPayload)
        }
        return lesser.isEmpty ? nil : Array(lesser) + [rows.lowerBound] + Array(lesser.endIndex..<rows.upperBound)
    }

    /// Brings the links of a set into the order of their tables.
    private func sortLinks(of values: inout [Value]) {
        values.sortLinks { lhs, rhs in
            guard let lhs = lhs.typedLink, let rhs = rhs.typedLink else { return false }
            return (tableKeys[name: lhs.className] ?? -1, lhs.key) < (tableKeys[name: rhs.className] ?? -1, rhs.key)
        }
    }

    private func append(keys: ColumnArray, values: ColumnArray, _ range: Range<Int>) throws -> Int64 {
        if let rows = order(keys, range) {
            return try append(sortedKeys: keys.keeping(rows), values: values.keeping(rows), 0..<rows.count)
        }
        return try append(sortedKeys: keys, values: values, range)
    }

    private func append(sortedKeys keys: ColumnArray, values: ColumnArray, _ range: Range<Int>) throws -> Int64 {
        guard case .variable(let offsets, let bytes) = keys.values else {
            throw ColumnError.typeMismatch(expected: ColumnType(.string))
        }
        let mixed = try range.map { index in
            let value = try values.value(at: index, as: ColumnType(property.type))
            guard case .link(let key) = value else { return value }
            return .typedLink(className: property.objectType ?? "", key)
        }
        return try leaves.mixed.append(
            keys: (offsets[range.lowerBound...range.upperBound], bytes), values: mixed)
    }
}

extension Value {
    /// The class and the key of a link that names its class; nil for anything else.
    fileprivate var typedLink: (className: String, key: ObjectKey)? {
        if case .typedLink(let className, let key) = self { (className, key) } else { nil }
    }
}
