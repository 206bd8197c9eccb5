import Columns
import RealmModel

/// The cells of some rows of a column, those that can't be read among them.
struct RescuedCells {
    /// A cell for each row; null, or an empty collection, where it can't be read.
    var array: ColumnArray
    /// The rows that can't be read, ascending, counted from the first of the cells.
    var lost: [Int] = []
    /// The rows whose collections lack elements that can't be read, and how many.
    var lostElements: [(row: Int, count: Int)] = []
    /// The rows that may have another value than was written: a text that is no valid UTF-8, or a cell beside others that can't be
    /// read.
    var doubtful: [Int] = []
}

/// Reads a column of a class, leaf by leaf, and of a leaf that can't be read as a whole each value that can.
final class RescuedColumn {
    let type: ColumnType

    /// Makes a decoder of the column, or of the elements of its collections, that has read nothing.
    typealias Maker = () throws(InputError) -> any ColumnDecoder

    private let image: Image
    private let makeDecoder: Maker
    /// Nil where collections are read as a whole or not at all.
    private let makeElements: Maker?
    private let dictionaries: RescuedDictionary?
    private var decoder: (any ColumnDecoder)?
    private var leaf: Node?
    /// The suspect rows of the leaf, once they were asked for.
    private var suspectRows: SuspectRows?
    private var rowCount = 0
    /// Whether bytes of the list of distinct values are doubtful.
    private let isEnumerationSuspect: Bool

    /// - Parameter enumeration: the root of a list of distinct values that the cells are places in.
    init(
        _ type: ColumnType, in image: Image, elements: Maker? = nil, dictionaries: RescuedDictionary? = nil,
        enumeration: Int64? = nil, _ makeDecoder: @escaping Maker
    ) {
        let root = enumeration.flatMap { try? image.header(at: $0) }
        isEnumerationSuspect = root.map { image.isDoubtful(tree: $0) } ?? false
        self.dictionaries = dictionaries
        self.type = type
        self.image = image
        self.makeDecoder = makeDecoder
        makeElements = elements
    }

    /// Reads a column of clusters.
    convenience init(_ column: StoredColumn, property: Property, in image: Image, targets: LinkTargets) {
        let factory = ColumnDecoderFactory(image: image, targets: targets)
        let isList = column.collection == .list || column.collection == .set
        let elements: Maker = { () throws(InputError) in try factory.elements(of: column) }
        guard let root = column.enumeration, column.type == .string, column.collection == .none else {
            let dictionaries = RescuedDictionary(column, in: image, targets: targets)
            self.init(
                ColumnType(property), in: image, elements: isList ? elements : nil,
                dictionaries: column.collection == .dictionary ? dictionaries : nil
            ) { () throws(InputError) in try factory.decoder(of: column) }
            return
        }
        // Read once, however often a decoder is made anew.
        let enumeration = try? Enumeration(root: image.node(at: root), in: image)
        self.init(ColumnType(property), in: image, enumeration: root) {
            TextDecoder(
                .string, isRequired: !column.attributes.contains(.nullable), in: image, enumeration: enumeration)
        }
    }

    /// The number of values of a leaf; nil where it is none of this column.
    func count(of leaf: Node) -> Int? {
        guard let decoder = try? makeDecoder() else { return nil }
        return try? decoder.open(leaf)
    }

    /// Starts on a leaf.
    ///
    /// - Parameters:
    ///   - leaf: nil where it can't be read.
    ///   - count: the number of values that it has to have.
    func open(_ leaf: Node?, count: Int) {
        self.leaf = leaf
        (rowCount, suspectRows) = (count, nil)
        if !reopen(count: count) { self.leaf = nil }
    }

    /// Opens the leaf with a decoder that has no part of another value.
    private func reopen(count: Int? = nil) -> Bool {
        guard let leaf, let decoder = decoder ?? (try? makeDecoder()) else { return false }
        self.decoder = decoder
        guard let found = try? decoder.open(leaf), count == nil || found == count else {
            self.decoder = nil
            return false
        }
        return true
    }

    /// How many rows, from one on, fit into so many bytes; at least 1.
    func rowsFitting(in bytes: Int, from row: Int) -> Int {
        guard leaf != nil, let decoder else { return .max }
        return max((try? decoder.rowsFitting(in: bytes, from: row)) ?? 1, 1)
    }

    /// Reads rows of the leaf.
    func read(_ rows: Range<Int>) -> RescuedCells {
        image.count(cells: rows.count)
        guard leaf != nil else { return nothing(of: rows) }
        let before = image.repairedTexts
        if let array = attempt(rows), image.repairedTexts == before { return RescuedCells(array: array) }
        return readEach(rows)
    }

    /// The rows whose cells stand in doubtful bytes, counted from the first of them.
    func suspects(_ rows: Range<Int>) -> [Int] {
        guard image.hasDoubts, let leaf else { return [] }
        if isEnumerationSuspect { return Array(0..<rows.count) }
        let known =
            suspectRows
            ?? SuspectRows(of: leaf, count: rowCount, SuspectRows.Shape(type.element, type.collection), in: image)
        suspectRows = known
        return known.among(rows).map { $0 - rows.lowerBound }
    }

    private func attempt(_ rows: Range<Int>) -> ColumnArray? {
        guard decoder != nil || reopen() else { return nil }
        guard let decoder else { return nil }
        do {
            try decoder.append(rows)
            let array = decoder.take()
            // A list leaves out links to tombstones, so that rows are what is counted.
            if array.count == rows.count { return array }
        } catch {
            // Which of the rows it is, is found one by one.
        }
        self.decoder = nil
        return nil
    }

    private func readEach(_ rows: Range<Int>) -> RescuedCells {
        let builder = ColumnBuilder(type)
        var cells = RescuedCells(array: ColumnArray(count: 0, values: .int([])))
        for (index, row) in rows.enumerated() {
            let before = image.repairedTexts
            defer { if image.repairedTexts > before, cells.lost.last != index { cells.doubtful.append(index) } }
            if let array = attempt(row..<row + 1), (try? builder.append(0..<1, of: array)) != nil { continue }
            if let (array, lost) = collection(at: row) ?? dictionary(at: row),
                (try? builder.append(0..<1, of: array)) != nil
            {
                cells.lostElements.append((index, lost))
                continue
            }
            appendNothing(to: builder)
            cells.lost.append(index)
        }
        cells.array = builder.finish()
        // The bytes that are none of a value may go on into those of another, and look like some there.
        if !cells.lost.isEmpty, leafHoldsValues {
            cells.doubtful = Set(0..<rows.count).subtracting(cells.lost).sorted()
        }
        return cells
    }

    /// Whether the leaf has its values beside each other, rather than references to what has them, which is read or not by itself.
    private var leafHoldsValues: Bool {
        switch (type.collection, type.element) {
        case (.none, .string), (.none, .data): leaf?.hasContext == false
        case (.none, .date): true
        default: false
        }
    }

    private func nothing(of rows: Range<Int>) -> RescuedCells {
        let builder = ColumnBuilder(type)
        for _ in rows { appendNothing(to: builder) }
        return RescuedCells(array: builder.finish(), lost: Array(0..<rows.count))
    }

    private func appendNothing(to builder: ColumnBuilder) {
        // An empty collection of the builder's own type is always taken.
        if type.collection == .none { builder.appendNull() } else { try? builder.endCollection() }
    }

    /// The readable part of a damaged dictionary, and the number of entries that are missing.
    ///
    /// - Returns: an array of one row; nil where nothing can be read.
    private func dictionary(at row: Int) -> (ColumnArray, lost: Int)? {
        guard let dictionaries, let leaf, let root = try? image.child(row, of: leaf),
            let (entries, lost) = dictionaries.entries(of: root)
        else { return nil }
        let builder = ColumnBuilder(type)
        // A mixed value may be of another type than the dictionary has.
        let fitting = entries.filter { (try? ColumnBuilder(type.elementType).append($0.value)) != nil }
        guard !fitting.isEmpty, (try? builder.append(.dictionary(fitting))) != nil else { return nil }
        return (builder.finish(), lost + entries.count - fitting.count)
    }

    /// The readable part of a list or of a set whose tree is damaged, and the number of elements that are missing.
    ///
    /// - Returns: an array of one row; nil where nothing can be read.
    private func collection(at row: Int) -> (ColumnArray, lost: Int)? {
        guard let makeElements, let leaf, let root = try? image.child(row, of: leaf) else { return nil }
        let builder = ColumnBuilder(type.elementType)
        var lost = 0
        let repaired = image.repairedTexts
        var cursor = LeafCursor(root: root, in: image)
        var seen = 0
        while true {
            do {
                guard let leaf = try cursor.next() else { break }
                lost += appendElements(of: leaf, makeElements, to: builder, seen: &seen)
            } catch {
                // How many it would have had follows from the total.
            }
        }
        if root.isInner, let total = (try? root.tagged(at: root.count - 1)).flatMap({ Int(exactly: $0) }),
            (0...Int(Int32.max)).contains(total)
        {
            lost += max(total - seen, 0)
        }
        guard builder.count > 0 else { return nil }
        var elements = builder.finish()
        // Sets of older formats, and the links of mixed ones, are in another order, which who reads them puts right; so are texts
        // that came back as others.
        let hasOrder =
            image.formatVersion >= FormatVersion.bytewiseSets && image.repairedTexts == repaired
            && type.element != .mixed
        if type.collection == .set, !hasOrder {
            let values = (0..<elements.count).compactMap { try? elements.value(at: $0, as: type.elementType) }
            if let sorted = try? ColumnArray(ValueOrder.sortedUnique(values), as: type.elementType) {
                lost += elements.count - sorted.count
                elements = sorted
            }
        }
        let offsets = [0, Int32(truncatingIfNeeded: elements.count)]
        return (ColumnArray(count: 1, values: .list(offsets: offsets, elements: elements)), max(lost, 1))
    }

    /// Appends the elements of a leaf that can be read, and counts the others.
    private func appendElements(
        of leaf: Node, _ makeElements: Maker, to builder: ColumnBuilder, seen: inout Int
    ) -> Int {
        guard let whole = try? makeElements(), let count = try? whole.open(leaf), count <= whole.leafLimit
        else { return 0 }
        seen += count
        if (try? whole.append(0..<count)) != nil {
            let array = whole.take()
            if (try? builder.append(0..<array.count, of: array)) != nil { return 0 }
        }
        var lost = 0
        for index in 0..<count {
            guard let single = try? makeElements(), (try? single.open(leaf)) != nil,
                (try? single.append(index..<index + 1)) != nil
            else {
                lost += 1
                continue
            }
            let array = single.take()
            if (try? builder.append(0..<array.count, of: array)) == nil { lost += 1 }
        }
        return lost
    }
}
