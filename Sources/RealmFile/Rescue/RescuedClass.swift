import Columns
import RealmModel

/// One class of a damaged file, which is read several times: to know its objects, then their relations, then all of them.
final class RescuedClass {
    let schema: ObjectSchema
    /// The objects that come back, from `count` on.
    let census = ObjectCensus()
    var report: RescueReport.Class

    private let table: Table
    private let columns: [StoredColumn]
    private let layout: Table.Layout
    private let image: Image
    private let targets: LinkTargets
    private var nextSequence: NextSequence
    /// The losses of each property.
    private var properties: [RescueReport.Property]

    /// - Parameters:
    ///   - schema: the class, with the properties that can be read alone.
    ///   - columns: those of its properties.
    init(_ schema: ObjectSchema, _ table: Table, columns: [StoredColumn], in image: Image, targets: LinkTargets) {
        self.schema = schema
        self.table = table
        self.columns = columns
        layout = table.layout(of: columns)
        self.image = image
        self.targets = targets
        report = RescueReport.Class(name: schema.name)
        properties = schema.properties.map { RescueReport.Property(name: $0.name) }
        nextSequence = NextSequence(
            counter: table.nextSequence, hasPrimaryKey: schema.primaryKey != nil,
            keysAreHashed: image.formatVersion < FormatVersion.sequentialKeys)
    }

    private func rows() -> any RescuedRows {
        switch layout {
        case .clusters(let root):
            RescuedClusters(columns, schema.properties, root: root, in: image, targets: targets)
        case .trees(let trees):
            RescuedTrees(columns, trees, schema.properties, in: image, targets: targets)
        }
    }

    // MARK: Objects

    /// Finds the objects of which everything is there that an object has to have.
    func count() {
        let rows = rows()
        let required = schema.properties.indices.filter {
            schema.properties[$0].requiresValue || schema.isPrimaryKey(schema.properties[$0])
        }
        while let block = rows.next(&report) {
            let start = ObjectCensus.position(0, inBlock: census.blockCount)
            census.append(block.keys)
            skip(block.keys)
            rows.open(required)
            forEachRun(of: block, rows, required, bytes: RowGroupLimits.standard.bytes) { run, places in
                for column in required {
                    dropLost(rows.cells(of: column, run).lost, of: column, run, block, places, start)
                }
            }
        }
        countExpected(isLost: rows.isCountLost)
    }

    private func skip(_ keys: [Int64]) {
        var keys = keys
        keys.withUnsafeMutableBufferPointer { nextSequence.skip($0) }
    }

    private func dropLost(
        _ lost: [Int], of column: Int, _ run: Range<Int>, _ block: RescuedBlock, _ places: Range<Int>, _ start: Int
    ) {
        guard !lost.isEmpty else { return }
        let property = schema.properties[column]
        let isPrimaryKey = schema.isPrimaryKey(property)
        let lostRows = Set(lost.map { run.lowerBound + $0 })
        for place in places where lostRows.contains(block.rows[place]) && census.isAlive(start + place) {
            census.remove(start + place)
            report.lose(
                block.keys[place], isPrimaryKey ? .primaryKey : .requiredValue,
                property: isPrimaryKey ? nil : property.name)
        }
    }

    /// - Parameter isLost: whether the node that says how many objects there are is one of something else.
    private func countExpected(isLost: Bool) {
        var found = report.lost.reduce(0) { $0 + ($1.reason == .keyOutOfOrder ? $1.count : 0) }
        found += census.objectCount
        let said = isLost ? nil : try? table.rowCount(in: image)
        let hasGaps = report.lost.contains { $0.reason == .unreadable }
        guard hasGaps else {
            // A leaf may be one of another tree that fits in: then nobody knows how many objects there were.
            report.expected = said.map { $0 > found } == true ? nil : found
            return
        }
        // Where no more are said than were found, the node that says so is one of something else.
        report.expected = said.flatMap { $0 > found ? $0 : nil }
        report.loseUnread((report.expected ?? found) - found)
    }

    /// Gives up the objects whose primary key another object has that comes before them.
    func dropDuplicates() {
        guard let column = schema.properties.firstIndex(where: { schema.isPrimaryKey($0) }) else { return }
        let shares = PrimaryKeyDuplicates.shares(of: census.objectCount)
        for share in 0..<shares {
            var keys = PrimaryKeyDuplicates(share: share, of: shares)
            forEachAlive([column]) { rows, run, alive in
                let cells = rows.cells(of: column, run)
                keys.add(cells.array, alive.map { ($0.row - run.lowerBound, $0.position) })
            }
            for position in keys.finish().sorted() { drop(position, .duplicatePrimaryKey) }
        }
    }

    /// Gives up an object.
    func drop(_ position: Int, _ reason: RescueReport.Reason) {
        report.lose(census.key(at: position), reason)
        census.remove(position)
    }

    // MARK: Links

    /// Calls with the keys that links of some objects lead to.
    ///
    /// - Parameters:
    ///   - columns: columns of links.
    ///   - isWanted: whether the links of the object at a position are asked for.
    func forEachLink(_ columns: [Int], where isWanted: (Int) -> Bool, _ body: (_ column: Int, _ key: Int64) -> Void) {
        forEachAlive(columns, where: isWanted) { rows, run, alive in
            for column in columns {
                let array = rows.cells(of: column, run).array
                for (row, _) in alive { array.forEachLink(at: row - run.lowerBound) { body(column, $0) } }
            }
        }
    }

    /// Calls with the runs of rows in which there are objects that come back.
    private func forEachAlive(
        _ columns: [Int], where isWanted: (Int) -> Bool = { _ in true },
        _ body: (any RescuedRows, Range<Int>, [(row: Int, position: Int)]) -> Void
    ) {
        let rows = rows()
        var index = 0
        while let block = rows.next(nil) {
            let start = ObjectCensus.position(0, inBlock: index)
            index += 1
            guard block.keys.indices.contains(where: { census.isAlive(start + $0) && isWanted(start + $0) }) else {
                continue
            }
            rows.open(columns)
            forEachRun(of: block, rows, columns, bytes: RowGroupLimits.standard.bytes) { run, places in
                let alive = places.filter { census.isAlive(start + $0) && isWanted(start + $0) }
                if !alive.isEmpty { body(rows, run, alive.map { (block.rows[$0], start + $0) }) }
            }
        }
    }

    /// Calls with runs of rows of a block that are read at once, and the places in the block of those with a key.
    private func forEachRun(
        of block: RescuedBlock, _ rows: any RescuedRows, _ columns: [Int], bytes: Int,
        _ body: (_ run: Range<Int>, _ places: Range<Int>) throws -> Void
    ) rethrows {
        guard var row = block.rows.first, let last = block.rows.last else { return }
        var place = 0
        while row <= last {
            let run = row..<min(row + min(rows.rowsFitting(in: bytes, from: row, columns), last - row + 1), last + 1)
            var end = place
            while end < block.rows.count, block.rows[end] < run.upperBound { end += 1 }
            if place < end { try body(run, place..<end) }
            (row, place) = (run.upperBound, end)
        }
    }

    // MARK: Values

    /// Writes the objects that come back.
    func write(into store: any SegmentStore, limits: RowGroupLimits, links: LinkRepair) throws -> StoredClass {
        let writer = ClassWriter(schema: schema, store: store, limits: limits)
        let builders = schema.properties.map { ColumnBuilder(ColumnType($0)) }
        var keys: [Int64] = []
        func close() throws {
            guard !keys.isEmpty else { return }
            try writer.append(keys: keys, columns: builders.map { $0.finish() })
            keys = []
        }
        let all = Array(schema.properties.indices)
        var index = 0
        let rows = rows()
        while let block = rows.next(nil) {
            let start = ObjectCensus.position(0, inBlock: index)
            index += 1
            guard block.keys.indices.contains(where: { census.isAlive(start + $0) }) else { continue }
            if keys.count + block.keys.count > limits.rows { try close() }
            rows.open(all)
            try forEachRun(of: block, rows, all, bytes: limits.bytes) { run, places in
                let alive = places.filter { census.isAlive(start + $0) }
                for part in alive.split(into: limits.rows) {
                    if keys.count + part.count > limits.rows { try close() }
                    for column in all {
                        let (array, doubtful, lost) = cells(of: column, rows, run, block, Array(part), links)
                        countSuspects(of: column, rows, run, block, Array(part), doubtful: doubtful, but: lost)
                        for rows in part.map({ block.rows[$0] - run.lowerBound }).runs {
                            try builders[column].append(rows, of: array)
                        }
                    }
                    if block.isSuspect { for place in part { report.suspect(block.keys[place]) } }
                    keys += part.map { block.keys[$0] }
                    if builders.reduce(keys.count * 8, { $0 + $1.byteCount }) >= limits.bytes { try close() }
                }
            }
        }
        try close()
        let stored = try writer.finish(nextSequence: nextSequence.value)
        report.read = stored.objectCount
        report.properties = properties.filter { !$0.isWhole || $0.suspectValues > 0 }
        return stored
    }

    /// Counts the values of a column that stand in doubtful bytes, and those that are doubtful by themselves, but for those that are lost.
    private func countSuspects(
        of column: Int, _ rows: any RescuedRows, _ run: Range<Int>, _ block: RescuedBlock, _ alive: [Int],
        doubtful: [Int], but lost: [Int]
    ) {
        guard image.hasDoubts || !doubtful.isEmpty else { return }
        let suspects = Set((rows.suspects(of: column, run) + doubtful).map { $0 + run.lowerBound })
            .subtracting(lost.map { $0 + run.lowerBound })
        guard !suspects.isEmpty else { return }
        for place in alive where suspects.contains(block.rows[place]) {
            properties[column].suspectValues += 1
            properties[column].suspectKeys.insert(block.keys[place])
        }
    }

    /// The cells of a column in some rows, without what the rest of the file contradicts, the doubtful rows and
    /// those that are lost; what is lost is counted.
    private func cells(
        of column: Int, _ rows: any RescuedRows, _ run: Range<Int>, _ block: RescuedBlock, _ alive: [Int],
        _ links: LinkRepair
    ) -> (array: ColumnArray, doubtful: [Int], lost: [Int]) {
        let property = schema.properties[column]
        var keys: [Int: Int64] = [:]
        var array: ColumnArray
        let cells = rows.cells(of: column, run)
        /// The key of a row of the cells, where its object comes back.
        func key(_ row: Int) -> Int64? {
            if keys.isEmpty { for place in alive { keys[block.rows[place] - run.lowerBound] = block.keys[place] } }
            return keys[row]
        }
        for row in cells.lost {
            if let key = key(row) { properties[column].lose(key, values: 1) }
        }
        for (row, count) in cells.lostElements {
            if let key = key(row) { properties[column].lose(key, elements: count) }
        }
        array = cells.array
        if LinkRepair.concerns(property) {
            array = links.repaired(array, of: property) { row, count in
                if let key = key(row) { properties[column].lose(key, links: count) }
            }
        }
        array = CollectionRepair.repaired(array, of: property) { row, count in
            if let key = key(row) { properties[column].lose(key, elements: count) }
        }
        return (array, cells.doubtful, cells.lost)
    }
}

extension Table {
    /// The layout with the trees of some columns alone.
    fileprivate func layout(of kept: [StoredColumn]) -> Layout {
        guard case .trees(let trees) = layout else { return layout }
        let keys = Set(kept.map(\.key))  // no name
        return .trees(zip(columns, trees).filter { keys.contains($0.0.key) }.map(\.1))
    }
}

extension ColumnArray {
    /// Calls with the keys that a row of a column of links leads to.
    fileprivate func forEachLink(at row: Int, _ body: (Int64) -> Void) {
        switch values {
        case .int(let cells): if !isNull(row) { body(cells[row]) }
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            for element in Int(offsets[row])..<Int(offsets[row + 1]) { elements.forEachLink(at: element, body) }
        default: break
        }
    }
}

extension [Int] {
    /// Ascending numbers as runs of consecutive ones.
    fileprivate var runs: [Range<Int>] {
        reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
    }
}

extension Array {
    /// The elements in parts of so many at most.
    fileprivate func split(into count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
