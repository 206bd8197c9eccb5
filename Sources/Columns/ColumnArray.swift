import RealmModel

/// The values of one property for the rows of one row group, in the layout of Apache Arrow's columnar format.
///
/// A null row has a cell like any other: zero, false, or an empty run.
public struct ColumnArray: Hashable, Sendable {
    /// The number of rows.
    public var count: Int
    /// Set bits are rows with a value; nil where no row is null.
    public var validity: Bitmap?
    /// The cells.
    public var values: Values

    /// The cells of a column, by physical layout.
    public indirect enum Values: Hashable, Sendable {
        /// Integers, and the keys that links lead to.
        case int([Int64])
        case bool(Bitmap)
        case float([Float])
        case double([Double])
        case date(seconds: [Int64], nanoseconds: [Int32])
        /// Cells of `width` bytes one after the other: ObjectId 12, UUID 16, Decimal128 16 (low word first).
        case fixed(width: Int, [UInt8])
        /// UTF-8 strings, data, and mixed values in their own coding; row `i` is `offsets[i]..<offsets[i + 1]`.
        case variable(offsets: [Int32], bytes: [UInt8])
        /// Lists and sets; row `i` is the elements `offsets[i]..<offsets[i + 1]`.
        case list(offsets: [Int32], elements: ColumnArray)
        /// Dictionaries, each row's entries in bytewise order of their keys.
        case dictionary(offsets: [Int32], keys: ColumnArray, values: ColumnArray)
    }

    /// Puts an array together; the caller answers for cells and validity being of `count` rows.
    public init(count: Int, validity: Bitmap? = nil, values: Values) {
        self.count = count
        self.validity = validity
        self.values = values
    }

    /// The number of null rows.
    public var nullCount: Int { validity.map { count - $0.setCount } ?? 0 }

    /// Whether a row is null.
    public func isNull(_ row: Int) -> Bool { validity.map { !$0[row] } ?? false }

    /// Bytes of memory that the cells take, near enough for a budget.
    public var byteCount: Int {
        switch values {
        case .int(let cells): cells.count * 8
        case .bool(let bits): bits.bytes.count
        case .float(let cells): cells.count * 4
        case .double(let cells): cells.count * 8
        case .date(let seconds, _): seconds.count * 12
        case .fixed(_, let bytes): bytes.count
        case .variable(let offsets, let bytes): offsets.count * 4 + bytes.count
        case .list(let offsets, let elements): offsets.count * 4 + elements.byteCount
        case .dictionary(let offsets, let keys, let values): offsets.count * 4 + keys.byteCount + values.byteCount
        }
    }

    /// Bytes of memory that one row's cell takes, near enough for a budget.
    public func byteCount(at row: Int) -> Int {
        switch values {
        case .variable(let offsets, _): Int(offsets[row + 1] - offsets[row])
        case .list(let offsets, let elements): elements.byteCount(of: Int(offsets[row])..<Int(offsets[row + 1]))
        case .dictionary(let offsets, let keys, let values):
            keys.byteCount(of: Int(offsets[row])..<Int(offsets[row + 1]))
                + values.byteCount(of: Int(offsets[row])..<Int(offsets[row + 1]))
        default: 16
        }
    }

    /// Elements of collections, which have no elements of their own.
    private func byteCount(of rows: Range<Int>) -> Int {
        guard case .variable(let offsets, _) = values, !rows.isEmpty else { return rows.count * 16 }
        return rows.count * 16 + Int(offsets[rows.upperBound] - offsets[rows.lowerBound])
    }

    /// Bytes of memory that one row's value takes when it is made, at the most: of collections, and of those in mixed values, it is
    /// many times that of its cell.
    public func valueByteCount(at row: Int, as type: ColumnType) -> Int {
        let mayNest = type.element == .mixed
        return switch values {
        case .variable: valueByteCount(of: row..<row + 1, mayNest: mayNest)
        case .list(let offsets, let elements):
            elements.valueByteCount(of: Int(offsets[row])..<Int(offsets[row + 1]), mayNest: mayNest)
        case .dictionary(let offsets, let keys, let values):
            keys.valueByteCount(of: Int(offsets[row])..<Int(offsets[row + 1]), mayNest: false)
                + values.valueByteCount(of: Int(offsets[row])..<Int(offsets[row + 1]), mayNest: mayNest)
        default: MemoryLayout<Value>.stride
        }
    }

    /// A value, and an object that it links to or the room that an array grows by.
    private static let elementBytes = 2 * MemoryLayout<Value>.stride

    /// - Parameter mayNest: whether cells may be collections themselves.
    private func valueByteCount(of rows: Range<Int>, mayNest: Bool) -> Int {
        guard case .variable(let offsets, let bytes) = values, !rows.isEmpty else {
            return rows.count * Self.elementBytes
        }
        let (start, end) = (Int(offsets[rows.lowerBound]), Int(offsets[rows.upperBound]))
        let plain = rows.count * Self.elementBytes + end - start
        guard mayNest else { return plain }
        return rows.reduce(plain) { count, row in
            let cell = Int(offsets[row])..<Int(offsets[row + 1])
            return count + (ValueCoding.isCollection(bytes[cell]) ? cell.count * ValueCoding.bytesPerNestedByte : 0)
        }
    }

    /// The keys of the objects of a class that one row links to, each as often as it does.
    ///
    /// Links of a type of their own are told without making a value of the row.
    public func forEachLinkedKey(
        at row: Int, as type: ColumnType, ofClass name: String, _ body: (Int64) throws -> Void
    ) throws {
        guard type.element == .object else {
            for key in try value(at: row, as: type).linkedKeys(ofClass: name) { try body(key.value) }
            return
        }
        switch values {
        case .int(let cells) where !isNull(row): try body(cells[row])
        case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
            guard case .int(let cells) = elements.values else { return }
            for place in Int(offsets[row])..<Int(offsets[row + 1]) where !elements.isNull(place) {
                try body(cells[place])
            }
        default: break
        }
    }

    /// The value of one row.
    ///
    /// - Parameters:
    ///   - row: 0 up to `count`.
    ///   - type: the column's type; it tells strings from data and ObjectIds from other cells of their layout.
    /// - Throws: `ColumnError.damaged` where a stored mixed value can't be read.
    public func value(at row: Int, as type: ColumnType) throws -> Value {
        if isNull(row) { return .null }
        switch values {
        case .int(let cells): return type.element == .object ? .link(ObjectKey(cells[row])) : .int(cells[row])
        case .bool(let bits): return .bool(bits[row])
        case .float(let cells): return .float(cells[row])
        case .double(let cells): return .double(cells[row])
        case .date(let seconds, let nanoseconds):
            return .date(Timestamp(seconds: seconds[row], nanoseconds: nanoseconds[row]))
        case .fixed(let width, let bytes):
            return try Self.fixedValue(bytes[row * width..<(row + 1) * width], as: type.element)
        case .variable(let offsets, let bytes):
            return try Self.variableValue(bytes[Int(offsets[row])..<Int(offsets[row + 1])], as: type.element)
        case .list(let offsets, let elements):
            return .list(
                try (Int(offsets[row])..<Int(offsets[row + 1])).map { try elements.value(at: $0, as: type.elementType) }
            )
        case .dictionary(let offsets, let keys, let values):
            return .dictionary(
                try (Int(offsets[row])..<Int(offsets[row + 1])).map {
                    guard case .string(let key) = try keys.value(at: $0, as: ColumnType(.string)) else {
                        throw ColumnError.damaged(what: "dictionary key", offset: $0)
                    }
                    return DictionaryEntry(key, try values.value(at: $0, as: type.elementType))
                })
        }
    }

    private static func fixedValue(_ bytes: ArraySlice<UInt8>, as type: PropertyType) throws -> Value {
        switch type {
        case .objectId: if let id = ObjectId(bytes: bytes) { return .objectId(id) }
        case .uuid: if let id = UUID(bytes: bytes) { return .uuid(id) }
        case .decimal128 where bytes.count == 16:
            let words = [bytes.prefix(8), bytes.suffix(8)].map {
                $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
            return .decimal128(Decimal128(low: words[0], high: words[1]))
        default: break
        }
        throw ColumnError.damaged(what: "cell of \(type.rawValue)", offset: bytes.startIndex)
    }

    private static func variableValue(_ bytes: ArraySlice<UInt8>, as type: PropertyType) throws -> Value {
        switch type {
        case .string: return .string(String(decoding: bytes, as: UTF8.self))
        case .data: return .data(Array(bytes))
        default: return try ValueCoding.decode(Array(bytes))
        }
    }
}
