import Columns
import RealmModel

/// Appends the leaves of one column of clusters, collections and their trees included (REALM_FORMAT section 11).
struct ColumnLeafWriter {
    private let leaves: LeafWriter
    private let output: NodeOutput
    private let property: Property
    private let tableKeys: [String: Int64]

    init(
        _ property: Property, of className: String, to output: NodeOutput, tableKeys: [String: Int64],
        nextCollection: @escaping () -> Int64
    ) {
        self.property = property
        self.output = output
        self.tableKeys = tableKeys
        let mixed = MixedLeafWriter(
            output, tableKeys: tableKeys, className: className, property: property.name,
            nextCollection: nextCollection)
        leaves = LeafWriter(output: output, property: property, className: className, mixed: mixed)
    }

    /// Appends the leaf of some rows, at most 256.
    func append(_ array: ColumnArray, _ rows: Range<Int>) throws -> Int64 {
        switch array.values {
        case .list(let offsets, let elements):
            return output.append(
                integers: try rows.map {
                    let range = Int(offsets[$0])..<Int(offsets[$0 + 1])
                    return range.isEmpty ? 0 : try append(elements: elements, range)
                }, .hasRefs)
        case .dictionary(let offsets, let keys, let values):
            return output.append(
                integers: try rows.map {
                    let range = Int(offsets[$0])..<Int(offsets[$0 + 1])
                    return range.isEmpty ? 0 : try append(keys: keys, values: values, range)
                }, .hasRefs)
        default: return try leaves.append(array, rows, links: .keyPlusOne)
        }
    }

    private func append(elements: ColumnArray, _ range: Range<Int>) throws -> Int64 {
        if property.type == .mixed {
            var values = try range.map { try elements.value(at: $0, as: ColumnType(.mixed)) }
            if property.collection == .set { sortLinks(of: &values) }
            return try leaves.mixed.append(tree: values)
        }
        return try BPlusTreeWriter.append(count: range.count, to: output) { part in
            try leaves.append(elements, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
        }
    }

    /// Brings the links of a set, which stand together, into the order of their tables.
    private func sortLinks(of values: inout [Value]) {
        guard let first = values.firstIndex(where: { $0.typedLink != nil }),
            let last = values.lastIndex(where: { $0.typedLink != nil })
        else { return }
        values[first...last].sort { lhs, rhs in
            guard let lhs = lhs.typedLink, let rhs = rhs.typedLink else { return false }
            return (tableKeys[lhs.className] ?? -1, lhs.key) < (tableKeys[rhs.className] ?? -1, rhs.key)
        }
    }

    private func append(keys: ColumnArray, values: ColumnArray, _ range: Range<Int>) throws -> Int64 {
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
