import RealmModel

extension StoredClass {
    /// The same class without patches.
    ///
    /// Row groups that these touch are written anew in the columns that they touch, and objects that they add go into row
    /// groups of their own, the last one being filled up first. Row groups and columns that no patch touches are shared.
    public func folded(in store: any SegmentStore, limits: RowGroupLimits = .standard) throws -> StoredClass {
        guard !patches.isEmpty else { return self }
        let folding = PatchFolding(try ClassReader(self, store: store), store, limits)
        try folding.run()
        return try folding.finish()
    }
}

/// One class on its way to row groups without patches; holds a row group.
private final class PatchFolding {
    private let reader: ClassReader
    private let store: any SegmentStore
    private let limits: RowGroupLimits
    private var groups: [RowGroup] = []
    private var keySegments: [Segment] = []
    private var columnSegments: [[Segment]]
    private var keys: [Int64] = []
    private let builders: [ColumnBuilder]
    /// Rows that are appended before bytes are counted again.
    private static let rowsUnseen = 64

    init(_ reader: ClassReader, _ store: any SegmentStore, _ limits: RowGroupLimits) {
        self.reader = reader
        self.store = store
        self.limits = limits
        let properties = reader.stored.schema.properties
        columnSegments = properties.map { _ in [] }
        builders = properties.map { ColumnBuilder(ColumnType($0)) }
    }

    func run() throws {
        let storedCount = reader.storedGroupCount
        let adds = reader.rowGroups.count > storedCount
        for (index, group) in reader.rowGroups.enumerated() where group.objectCount > 0 {
            try reader.willRead(reader.stored.schema.properties.indices, inGroup: index)
            let isFilledUp = adds && index == storedCount - 1 && group.objectCount < limits.rows
            if index < storedCount, group.objectCount * 2 >= group.rowCount, !isFilledUp {
                try keep(index)
            } else {
                try append(index)
            }
        }
        try close()
    }

    /// Keeps a row group's rows where they are.
    private func keep(_ index: Int) throws {
        try close()
        groups.append(reader.rowGroups[index])
        keySegments.append(try reader.keySegment(inGroup: index))
        for property in columnSegments.indices {
            let segment = try reader.segment(property, inGroup: index)
            columnSegments[property].append(
                try segment ?? store.write(try reader.column(property, inGroup: index)))
        }
    }

    /// Puts a row group's objects behind those before them.
    private func append(_ index: Int) throws {
        let group = reader.rowGroups[index]
        let all = try reader.keys(inGroup: index)
        let columns = try columnSegments.indices.map { try reader.column($0, inGroup: index) }
        for run in group.liveRuns {
            var start = run.lowerBound
            while start < run.upperBound {
                let end = min(start + min(Self.rowsUnseen, limits.rows - keys.count), run.upperBound)
                keys += all[start..<end]
                for (builder, array) in zip(builders, columns) { try builder.append(start..<end, of: array) }
                start = end
                let bytes = builders.reduce(0) { $0 + $1.byteCount }
                if keys.count >= limits.rows || bytes >= limits.bytes { try close() }
            }
        }
    }

    private func close() throws {
        guard let first = keys.first, let last = keys.last else { return }
        groups.append(RowGroup(rowCount: keys.count, firstKey: ObjectKey(first), lastKey: ObjectKey(last)))
        keySegments.append(try store.write(ColumnArray(count: keys.count, values: .int(keys))))
        for (property, builder) in builders.enumerated() {
            columnSegments[property].append(try store.write(builder.finish()))
        }
        keys = []
    }

    func finish() throws -> StoredClass {
        var stored = reader.stored
        stored.patches = []
        guard !groups.isEmpty else {
            var empty = StoredClass(empty: stored.schema)
            empty.nextSequence = stored.nextSequence
            return empty
        }
        stored.rowGroups = try store.write(segment: SnapshotCoding.encode(rowGroups: groups))
        stored.keys = try column(keySegments, instead: stored.keys)
        stored.columns = try zip(columnSegments, stored.columns).map { try column($0, instead: $1) }
        return stored
    }

    /// A column of segments; the one that was there where it has the same, so that what is known of it stays of use.
    private func column(_ segments: [Segment], instead old: Column) throws -> Column {
        switch old {
        case .constant(let value):
            if segments.allSatisfy({ $0.content == .constant(value) }) { return old }
        case .segments(let id):
            if try store.read(column: id) == segments { return old }
        }
        return .segments(try store.write(column: segments))
    }
}

extension RowGroup {
    /// The rows whose objects are not deleted, as runs of rows that follow one another.
    var liveRuns: [Range<Int>] {
        guard let deleted else { return rowCount > 0 ? [0..<rowCount] : [] }
        var runs: [Range<Int>] = []
        var start: Int?
        for row in 0..<rowCount {
            if deleted[row] {
                if let first = start { runs.append(first..<row) }
                start = nil
            } else if start == nil {
                start = row
            }
        }
        if let first = start { runs.append(first..<rowCount) }
        return runs
    }
}
