import RealmModel

/// Appends what stands around the classes of a file: the schema version's table before them, the top array and the footer behind.
struct FileFrameWriter {
    let layout: FileLayout
    let format: WrittenFormat
    let output: NodeOutput

    /// Appends the header, and the table of the schema version where there is one (REALM_FORMAT section 15).
    ///
    /// - Returns: the table.
    func begin(version: UInt64?) -> [Int64] {
        output.append(raw: FileHeader.streaming(format))
        guard let metadata = layout.metadata, let version else { return [] }
        let leaf = output.append(integers: [Int64(bitPattern: version)])
        var tree = ClusterTreeWriter(output)
        [0].withUnsafeBufferPointer { tree.add(keys: $0, columns: [leaf]) }
        let root = tree.finish { [] }
        return [TableTopWriter(table: metadata, output: output).append(clusters: root, indexes: [0], nextSequence: 1)]
    }

    /// Appends the top array and the footer.
    ///
    /// - Parameters:
    ///   - tables: all tables in their order.
    ///   - endsPage: whether the file is to end where a page does, as an encrypted one has to.
    func finish(tables: [Int64], endsPage: Bool) {
        let names = output.append(names: (layout.metadata.map { [$0.name] } ?? []) + layout.tables.map(\.name))
        let tables = output.append(integers: tables, .hasRefs)
        let top = GroupTopWriter(output: output, format: format).append(names: names, tables: tables)
        let footer = FileHeader.footer(topRef: top)
        if endsPage { output.append(raw: PageEncryptor.padding(at: output.offset, before: footer.count)) }
        output.append(raw: footer)
    }
}
