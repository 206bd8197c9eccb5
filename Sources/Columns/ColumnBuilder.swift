import RealmModel

/// Collects the values of one column row by row and hands them out as an array.
///
/// The typed `append` functions are for bulk paths; the one of `Value` checks that the value is of the column's type.
/// Their variables are changed for every cell and given to nobody, so that no access to them has to be checked.
public final class ColumnBuilder {
    /// The type of the column.
    public let type: ColumnType
    /// The rows appended since the last `finish`.
    @exclusivity(unchecked) public private(set) var count = 0

    @exclusivity(unchecked) private var validity: Bitmap?
    @exclusivity(unchecked) private var ints: [Int64] = []
    @exclusivity(unchecked) private var nanoseconds: [Int32] = []
    @exclusivity(unchecked) private var bools = Bitmap(count: 0)
    @exclusivity(unchecked) private var floats: [Float] = []
    @exclusivity(unchecked) private var doubles: [Double] = []
    @exclusivity(unchecked) private var offsets: [Int32] = []
    @exclusivity(unchecked) private var bytes: [UInt8] = []
    private let elements: ColumnBuilder?
    private let keys: ColumnBuilder?

    /// An empty builder of a type.
    public init(_ type: ColumnType) {
        self.type = type
        elements = type.collection == .none ? nil : ColumnBuilder(type.elementType)
        keys = type.collection == .dictionary ? ColumnBuilder(ColumnType(.string)) : nil
    }

    /// Bytes of memory that the rows take so far, near enough for a budget.
    public var byteCount: Int {
        ints.count * 8 + nanoseconds.count * 4 + count / 8 + floats.count * 4 + doubles.count * 8 + offsets.count * 4
            + bytes.count + (elements?.byteCount ?? 0) + (keys?.byteCount ?? 0)
    }

    /// Appends a row of any type.
    ///
    /// - Throws: `ColumnError.typeMismatch` where the value is not of the column's type, before anything is appended
    ///   to a column of single values; `ColumnError.rowGroupTooLarge`.
    public func append(_ value: Value) throws(ColumnError) {
        switch (value, type.collection) {
        case (.list(let values), .list), (.list(let values), .set): try append(elements: values)
        case (.dictionary(let entries), .dictionary): try append(entries: entries)
        case (_, .none): try append(single: value)
        default: throw .typeMismatch(expected: type)
        }
    }

    /// Appends a null.
    public func appendNull() {
        switch type.element {
        case _ where type.collection != .none: closeRun(of: elements?.count ?? 0)
        case .int, .object: ints.append(0)
        case .bool: bools.append(false)
        case .float: floats.append(0)
        case .double: doubles.append(0)
        case .date:
            ints.append(0)
            nanoseconds.append(0)
        case .decimal128, .uuid: bytes.append(contentsOf: repeatElement(0, count: 16))
        case .objectId: bytes.append(contentsOf: repeatElement(0, count: ObjectId.byteCount))
        case .string, .data, .mixed, .linkingObjects: closeRun(of: bytes.count)
        }
        if validity == nil { validity = Bitmap(repeating: true, count: count) }
        validity?.append(false)
        count += 1
    }

    /// Appends an integer, or the key that a link leads to.
    public func append(int: Int64) {
        ints.append(int)
        endValidRow()
    }

    /// Appends a truth value.
    public func append(bool: Bool) {
        bools.append(bool)
        endValidRow()
    }

    /// Appends a single-precision number.
    public func append(float: Float) {
        floats.append(float)
        endValidRow()
    }

    /// Appends a double-precision number.
    public func append(double: Double) {
        doubles.append(double)
        endValidRow()
    }

    /// Appends a point in time.
    public func append(date: Timestamp) {
        ints.append(date.seconds)
        nanoseconds.append(date.nanoseconds)
        endValidRow()
    }

    /// Appends a cell of ObjectId, UUID or Decimal128; the caller answers for its width.
    public func append(fixed: some Collection<UInt8>) {
        bytes.append(contentsOf: fixed)
        endValidRow()
    }

    /// Appends the bytes of a string, of data, or of an encoded mixed value.
    public func append(variable run: some Collection<UInt8>) throws(ColumnError) {
        guard bytes.count + run.count <= Int32.max else { throw .rowGroupTooLarge }
        bytes.append(contentsOf: run)
        closeRun(of: bytes.count)
        endValidRow()
    }

    /// Appends the bytes of a string or of data from memory: for bulk paths, compiled for just this.
    public func append(variable run: UnsafeRawBufferPointer) throws(ColumnError) {
        guard bytes.count + run.count <= Int32.max else { throw .rowGroupTooLarge }
        bytes.append(contentsOf: run)
        closeRun(of: bytes.count)
        endValidRow()
    }

    /// Appends a row of a list, a set or a dictionary whose elements (and keys) the caller has appended to `child`.
    public func endCollection() throws(ColumnError) {
        guard let elements, elements.count <= Int32.max else { throw .rowGroupTooLarge }
        closeRun(of: elements.count)
        endValidRow()
    }

    /// The builder of a collection's elements, or of a dictionary's values; nil for a column of single values.
    public var elementBuilder: ColumnBuilder? { elements }

    /// The builder of a dictionary's keys; nil for anything else.
    public var keyBuilder: ColumnBuilder? { keys }

    /// The array of all rows; the builder is empty again afterwards.
    public func finish() -> ColumnArray {
        let array = ColumnArray(count: count, validity: validity, values: finishValues())
        count = 0
        validity = nil
        return array
    }

    private func finishValues() -> ColumnArray.Values {
        if let elements {
            let offsets = takeOffsets()
            if let keys { return .dictionary(offsets: offsets, keys: keys.finish(), values: elements.finish()) }
            return .list(offsets: offsets, elements: elements.finish())
        }
        switch type.element {
        case .int, .object: return .int(take(&ints))
        case .bool:
            defer { bools = Bitmap(count: 0) }
            return .bool(bools)
        case .float: return .float(take(&floats))
        case .double: return .double(take(&doubles))
        case .date: return .date(seconds: take(&ints), nanoseconds: take(&nanoseconds))
        case .decimal128, .uuid: return .fixed(width: 16, take(&bytes))
        case .objectId: return .fixed(width: ObjectId.byteCount, take(&bytes))
        case .string, .data, .mixed, .linkingObjects: return .variable(offsets: takeOffsets(), bytes: take(&bytes))
        }
    }

    private func take<Element>(_ array: inout [Element]) -> [Element] {
        var taken: [Element] = []
        swap(&taken, &array)
        array.reserveCapacity(taken.count)
        return taken
    }

    private func takeOffsets() -> [Int32] {
        [0] + take(&offsets)
    }

    private func closeRun(of end: Int) {
        offsets.append(Int32(end))
    }

    private func endValidRow() {
        validity?.append(true)
        count += 1
    }

    // MARK: Runs of rows

    func appendCells(_ rows: Range<Int>, of values: ColumnArray.Values) throws(ColumnError) {
        switch values {
        case .int(let cells): ints += cells[rows]
        case .bool(let bits): for row in rows { bools.append(bits[row]) }
        case .float(let cells): floats += cells[rows]
        case .double(let cells): doubles += cells[rows]
        case .date(let seconds, let nanos):
            ints += seconds[rows]
            nanoseconds += nanos[rows]
        case .fixed(let width, let cells): bytes += cells[rows.lowerBound * width..<rows.upperBound * width]
        case .variable(let ends, let cells):
            let run = Int(ends[rows.lowerBound])..<Int(ends[rows.upperBound])
            guard bytes.count + run.count <= Int32.max else { throw .rowGroupTooLarge }
            closeRuns(rows, ends, after: bytes.count)
            bytes += cells[run]
        case .list(let ends, let cells):
            guard let elements, keys == nil else { throw .typeMismatch(expected: type) }
            let run = Int(ends[rows.lowerBound])..<Int(ends[rows.upperBound])
            guard elements.count + run.count <= Int32.max else { throw .rowGroupTooLarge }
            closeRuns(rows, ends, after: elements.count)
            try elements.append(run, of: cells)
        case .dictionary(let ends, let names, let cells):
            guard let elements, let keys else { throw .typeMismatch(expected: type) }
            let run = Int(ends[rows.lowerBound])..<Int(ends[rows.upperBound])
            guard elements.count + run.count <= Int32.max else { throw .rowGroupTooLarge }
            closeRuns(rows, ends, after: elements.count)
            try keys.append(run, of: names)
            try elements.append(run, of: cells)
        }
    }

    /// Ends rows where they end in an array, moved to where they are put here.
    private func closeRuns(_ rows: Range<Int>, _ ends: [Int32], after count: Int) {
        let shift = Int32(count) - ends[rows.lowerBound]
        offsets.reserveCapacity(offsets.count + rows.count)
        for row in rows { offsets.append(ends[row + 1] + shift) }
    }

    func appendValidity(_ rows: Range<Int>, of array: ColumnArray) {
        if let bits = array.validity, validity != nil || rows.contains(where: { !bits[$0] }) {
            if validity == nil { validity = Bitmap(repeating: true, count: count) }
            for row in rows { validity?.append(bits[row]) }
        } else if validity != nil {
            for _ in rows { validity?.append(true) }
        }
        count += rows.count
    }

    private func append(single value: Value) throws(ColumnError) {
        switch (value, type.element) {
        case (.null, _): appendNull()
        case (_, .mixed):
            guard ValueCoding.canDecode(value) else { throw .typeMismatch(expected: type) }
            try append(variable: ValueCoding.encode(value))
        case (.int(let number), .int): append(int: number)
        case (.link(let key), .object): append(int: key.value)
        case (.bool(let flag), .bool): append(bool: flag)
        case (.float(let number), .float): append(float: number)
        case (.double(let number), .double): append(double: number)
        case (.string(let text), .string): try append(variable: text.utf8)
        case (.data(let bytes), .data): try append(variable: bytes)
        case (.date(let date), .date): append(date: date)
        case (.objectId(let id), .objectId): append(fixed: id.bytes)
        case (.uuid(let id), .uuid): append(fixed: id.bytes)
        case (.decimal128(let number), .decimal128):
            var writer = ByteWriter()
            writer.write(number.low)
            writer.write(number.high)
            append(fixed: writer.bytes)
        default: throw .typeMismatch(expected: type)
        }
    }

    private func append(elements values: [Value]) throws(ColumnError) {
        for value in values { try elements?.append(value) }
        try endCollection()
    }

    private func append(entries: [DictionaryEntry]) throws(ColumnError) {
        for entry in entries {
            try keys?.append(variable: entry.key.utf8)
            try elements?.append(entry.value)
        }
        try endCollection()
    }
}
