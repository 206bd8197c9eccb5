import Columns
import RealmModel

/// Writes the search index of a column of a file that is copied, from the values of the column.
struct IndexCopier {
    /// Bytes of values that are decoded at once.
    private static let arrayBytes = 1 << 20
    private static let arrayRows = 16_384

    let column: TableLayout.Column
    let layout: FileLayout
    let options: RealmFileWriter.Options
    let scratch: () throws -> any SegmentStore
    let output: NodeOutput
    let flush: () throws -> Void

    /// Appends the index of a column that another file has.
    ///
    /// - Returns: 0 where Realm makes it when it opens the file.
    func append(_ stored: StoredColumn, of table: Table, by decoder: any ColumnDecoder, in image: Image) throws -> Int64
    {
        guard case .clusters(let root) = table.layout else { throw InputError.uncopied("a table of trees") }
        let sorter = makeSorter()
        var keys: [Int64] = []
        func add() throws {
            guard !keys.isEmpty else { return }
            try self.add(decoder.take(), keys: keys, to: sorter)
            keys.removeAll(keepingCapacity: true)
        }
        var cursor = ClusterCursor(root: try image.node(at: root), in: image)
        while let cluster = try cursor.next() {
            let leaf = try cluster.leaf(ofColumn: stored.key.leafIndex, in: image)
            guard try decoder.open(leaf) == cluster.count else {
                throw leaf.damaged("a leaf of another number of values")
            }
            var row = 0
            while row < cluster.count {
                let rows =
                    row..<row
                    + max(min(try decoder.rowsFitting(in: Self.arrayBytes, from: row), cluster.count - row), 1)
                try decoder.append(rows)
                keys += try [Int64](unsafeUninitializedCapacity: rows.count) { buffer, count in
                    try cluster.copyKeys(rows, to: UnsafeMutableBufferPointer(rebasing: buffer[..<rows.count]))
                    count = rows.count
                }
                row = rows.upperBound
                if keys.count >= Self.arrayRows || decoder.byteCount >= Self.arrayBytes { try add() }
            }
        }
        try add()
        guard image.repairedTexts == 0 else { throw InputError.uncopied("a text that is no valid UTF-8") }
        return try finish(sorter)
    }

    /// Appends the index of a column that has one value in every object.
    func append(_ value: Value, of table: Table, in image: Image) throws -> Int64 {
        guard case .clusters(let root) = table.layout else { throw InputError.uncopied("a table of trees") }
        let sorter = makeSorter()
        var cursor = ClusterCursor(root: try image.node(at: root), in: image)
        while let cluster = try cursor.next() {
            var keys = [Int64](repeating: 0, count: cluster.count)
            try keys.withUnsafeMutableBufferPointer { try cluster.copyKeys(0..<cluster.count, to: $0) }
            try add(
                try ColumnArray(repeating: value, count: keys.count, as: ColumnType(column.property)), keys: keys,
                to: sorter)
        }
        return try finish(sorter)
    }

    /// Appends the index of a column without values.
    func appendEmpty() throws -> Int64 { try finish(makeSorter()) }

    private func makeSorter() -> IndexSorter { IndexSorter(runBytes: options.indexBytes, scratch: scratch) }

    private func add(_ array: ColumnArray, keys: [Int64], to sorter: IndexSorter) throws {
        try sorter.add { run in
            try IndexKeys.add(
                array, keys: keys, of: column.property.type, in: options.format, tableKeys: layout.tableKeys, to: run)
        }
    }

    private func finish(_ sorter: IndexSorter) throws -> Int64 {
        if sorter.hasLongValue, !column.canIndexLongValues(in: options.format) { return 0 }
        var tree = IndexTreeWriter(output, keepsWholeValues: column.property.isCollection)
        let entries = try sorter.finish()
        while let (entry, run) = try entries.next() {
            tree.add(entry, of: run)
            try flush()
        }
        return tree.finish()
    }
}
