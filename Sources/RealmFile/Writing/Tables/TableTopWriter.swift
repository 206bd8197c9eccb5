/// Appends what describes a table, REALM_FORMAT sections 7 and 8.
struct TableTopWriter {
    private static let noTable: Int64 = 0x7fff_ffff
    private static let noColumn = Int64.max

    let table: TableLayout
    let output: NodeOutput

    /// Appends spec and top array.
    ///
    /// - Parameters:
    ///   - clusters: the root of the tree of objects.
    ///   - indexes: the roots of the search indexes, by leaf index; 0 where there is none.
    ///   - nextSequence: the number that the next object's key is made of.
    func append(clusters: Int64, indexes: [Int64], nextSequence: Int64) -> Int64 {
        let spec = appendSpec(indexes: indexes)
        let padded = indexes + [Int64](repeating: 0, count: table.backlinks.count)
        let indexesRef = output.append(integers: padded, .hasRefs)
        let tables = table.columns.map { $0.targetTable ?? Self.noTable } + table.backlinks.map(\.originTable)
        let tablesRef = output.append(integers: tables)
        let columns =
            table.columns.map { $0.oppositeColumn?.value ?? Self.noColumn } + table.backlinks.map(\.originColumn.value)
        let columnsRef = output.append(integers: columns)
        let none = NodeOutput.tagged(0)
        return output.append(
            integers: [
                spec, 0, clusters, NodeOutput.tagged(table.key), indexesRef, none, none, tablesRef, columnsRef,
                NodeOutput.tagged(nextSequence), 0, table.primaryKey.map { NodeOutput.tagged($0.value) } ?? 0,
                NodeOutput.tagged(kind), 0,
            ], .hasRefs)
    }

    private var kind: Int64 {
        switch table.kind {
        case .topLevel: 0
        case .embedded: 1
        case .asymmetric: 2
        }
    }

    private func appendSpec(indexes: [Int64]) -> Int64 {
        let backlinks = table.backlinks
        let types = output.append(
            integers: table.columns.map(\.code) + backlinks.map { _ in StoredColumn.TypeCode.backlink })
        let names = output.append(names: table.columns.map(\.property.name))
        // Realm trusts the bit, so a column without its index must not have it.
        let columns = zip(table.columns, indexes).map { column, index in
            index == 0 ? column.attributes.subtracting(.indexed) : column.attributes
        }
        let attributes = output.append(integers: columns.map(\.rawValue) + backlinks.map { _ in 0 })
        let keys = output.append(integers: table.columns.map(\.key.value) + backlinks.map(\.key.value))
        return output.append(integers: [types, names, attributes, 0, 0, keys], .hasRefs)
    }
}
