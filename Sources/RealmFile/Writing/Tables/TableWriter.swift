import Columns
import RealmModel

/// Writes one class, a few nodes at a time: the tree of its objects, its search indexes, and what describes it.
final class TableWriter {
    private enum Position {
        /// Before the row group of a number.
        case group(Int)
        /// Before an object of a row group, whose columns are decoded.
        case object(Int, of: RowGroupRows, columns: [ColumnArray])
        /// Reading a column for its index, from the row group of a number on.
        case indexing(column: Int, group: Int, IndexSorter)
        /// Writing a column's index.
        case index(column: Int, IndexMerge, IndexTreeWriter)
        /// Looking for the next column that has an index, from a number on.
        case column(Int)
        case end(Int64)
    }

    private static let entriesAtOnce = 4096

    private let table: TableLayout
    private let tableIndex: Int
    private let file: FileLayout
    private let reader: ClassReader
    private let scans: [LinkScan]
    private let output: NodeOutput
    private let options: RealmFileWriter.Options
    private let scratch: () throws -> any SegmentStore
    private let columns: [ColumnLeafWriter]
    private var tree: ClusterTreeWriter
    private var root: Int64 = 0
    /// The runs of row groups that the links to each are held at once.
    private let windows: [Range<Int>]
    private var spill: LinkSpill?
    private var window: BacklinkWindow?
    /// The objects behind the last full leaf, where those of the next row group come into the same.
    private var partial: PartialCluster
    private var indexes: [Int64]
    private var position = Position.group(0)

    /// Prepares to write a class.
    ///
    /// - Parameters:
    ///   - index: the place of the class in the snapshot.
    ///   - scans: the links of each column of backlinks.
    ///   - nextCollection: a number that no other nested collection of the file has.
    init(
        _ index: Int, of file: FileLayout, _ reader: ClassReader, scans: [LinkScan], to output: NodeOutput,
        options: RealmFileWriter.Options, scratch: @escaping () throws -> any SegmentStore,
        nextCollection: @escaping () -> Int64
    ) {
        tableIndex = index
        self.file = file
        table = file.tables[index]
        self.reader = reader
        self.scans = scans
        self.output = output
        self.options = options
        self.scratch = scratch
        columns = table.columns.map {
            ColumnLeafWriter(
                $0.property, of: reader.stored.schema.name, to: output, in: options.format, tableKeys: file.tableKeys,
                nextCollection: nextCollection)
        }
        windows = BacklinkWindow.windows(of: index, reader, from: scans, byteLimit: options.linkBytes)
        tree = ClusterTreeWriter(output)
        partial = PartialCluster(columns, backlinks: scans.count)
        indexes = [Int64](repeating: 0, count: columns.count)
    }

    /// Appends the next nodes; the reference to the table once it is whole.
    func step() throws -> Int64? {
        switch position {
        case .group(let group): try begin(group: group)
        case .object(let first, let rows, let arrays): try append(from: first, of: rows, arrays)
        case .column(let column): beginIndex(from: column)
        case .indexing(let column, let group, let sorter): try sort(column, group, with: sorter)
        case .index(let column, let entries, var tree): try append(entries, to: &tree, of: column)
        case .end(let ref): return ref
        }
        return nil
    }

    private func begin(group: Int) throws {
        guard group < reader.rowGroups.count else {
            (window, spill) = (nil, nil)
            try closePartialCluster()
            root = try tree.finish { try emptyColumns() }
            return position = .column(0)
        }
        if !scans.isEmpty, window?.groups.contains(group) != true { try openWindow(from: group) }
        try reader.willRead(columns.indices, inGroup: group)
        let rows = try RowGroupRows(group, of: reader)
        position = .object(0, of: rows, columns: try columns.indices.map { try rows.column($0) })
    }

    private func openWindow(from group: Int) throws {
        window = nil
        let number = windows.partitioningIndex { $0.upperBound > group }
        if windows.count > 1, spill == nil {
            spill = try LinkSpill(to: tableIndex, reader.rowGroups, in: windows, from: scans, store: try scratch())
        }
        window = try BacklinkWindow(
            windows[number], of: tableIndex, reader, from: scans, spill: spill.map { ($0, number) })
    }

    private func append(from first: Int, of rows: RowGroupRows, _ arrays: [ColumnArray]) throws {
        guard first < rows.keys.count else { return position = .group(rows.group + 1) }
        let room = ClusterCursor.nodeLimit - partial.keys.count
        let range = first..<min(first + room, rows.keys.count)
        position = .object(range.upperBound, of: rows, columns: arrays)
        let isWhole = range.count == ClusterCursor.nodeLimit || rows.group == reader.rowGroups.count - 1
        if partial.keys.isEmpty, isWhole {
            var leaves: [Int64] = []
            leaves.reserveCapacity(arrays.count + scans.count)
            for (column, array) in zip(columns, arrays) { leaves.append(try column.append(array, range)) }
            for column in scans.indices {
                leaves.append(output.append(integers: try backlinks(column, of: rows, range), .hasRefs))
            }
            return rows.keys.withUnsafeBufferPointer {
                tree.add(keys: UnsafeBufferPointer(rebasing: $0[range]), columns: leaves)
            }
        }
        partial.keys += rows.keys[range]
        for index in columns.indices { try columns[index].add(arrays[index], range, to: &partial.columns[index]) }
        for column in scans.indices { partial.backlinks[column] += try backlinks(column, of: rows, range) }
        if partial.keys.count == ClusterCursor.nodeLimit { try closePartialCluster() }
    }

    private func closePartialCluster() throws {
        guard !partial.keys.isEmpty else { return }
        var leaves = try zip(columns, partial.columns).map { try $0.append($1) }
        for cells in partial.backlinks { leaves.append(output.append(integers: cells, .hasRefs)) }
        partial.keys.withUnsafeBufferPointer { tree.add(keys: $0, columns: leaves) }
        partial = PartialCluster(columns, backlinks: scans.count)
    }

    /// The cells of a leaf of backlinks, REALM_FORMAT section 13.2.
    private func backlinks(_ column: Int, of rows: RowGroupRows, _ range: Range<Int>) throws -> [Int64] {
        guard let window else { return range.map { _ in 0 } }
        return try range.map { index in
            try window.withOrigins(column: column, group: rows.group, row: rows.row(index)) { origins in
                switch origins.count {
                case 0: Int64(0)
                case 1: NodeOutput.tagged(origins[0])
                default: try append(origins: origins, of: rows.keys[index])
                }
            }
        }
    }

    /// Appends the keys of the objects that link to one.
    private func append(origins: UnsafeBufferPointer<Int64>, of key: Int64) throws(InputError) -> Int64 {
        if options.format.hasBacklinkTrees { return BPlusTreeWriter.append(integers: origins, to: output) }
        guard origins.count <= NodeOutput.elementLimit else {
            throw .notInFormat(
                "\(origins.count) links of one property to one object", options.format, of: reader.stored.schema.name,
                key: key)
        }
        return output.append(integers: origins)
    }

    private func emptyColumns() throws -> [Int64] {
        let properties = try zip(columns, table.columns).map { column, layout in
            try column.append(ColumnBuilder(ColumnType(layout.property)).finish(), 0..<0)
        }
        return properties + scans.map { _ in output.append(integers: [], .hasRefs) }
    }

    private func beginIndex(from column: Int) {
        guard let next = (column..<columns.count).first(where: { table.columns[$0].isIndexed }) else {
            let top = TableTopWriter(table: table, output: output)
            return position = .end(
                top.append(clusters: root, indexes: indexes, nextSequence: reader.stored.nextSequence))
        }
        position = .indexing(column: next, group: 0, IndexSorter(runBytes: options.indexBytes, scratch: scratch))
    }

    private func sort(_ column: Int, _ group: Int, with sorter: IndexSorter) throws {
        guard group < reader.rowGroups.count else {
            let keepsWholeValues = table.columns[column].property.isCollection
            if sorter.hasLongValue, !table.columns[column].canIndexLongValues(in: options.format) {
                return position = .column(column + 1)
            }
            let tree = IndexTreeWriter(output, keepsWholeValues: keepsWholeValues)
            return position = .index(column: column, try sorter.finish(), tree)
        }
        try reader.willRead([column], inGroup: group)
        let rows = try RowGroupRows(group, of: reader)
        let array = try rows.column(column)
        try sorter.add { run in
            try IndexKeys.add(
                array, keys: rows.keys, of: table.columns[column].property.type, in: options.format,
                tableKeys: file.tableKeys, to: run)
        }
        position = .indexing(column: column, group: group + 1, sorter)
    }

    private func append(_ entries: IndexMerge, to tree: inout IndexTreeWriter, of column: Int) throws {
        for _ in 0..<Self.entriesAtOnce {
            guard let (entry, run) = try entries.next() else {
                indexes[column] = tree.finish()
                return position = .column(column + 1)
            }
            tree.add(entry, of: run)
        }
        position = .index(column: column, entries, tree)
    }
}
