import Columns
import RealmMigration
import RealmModel

/// The marks of a script's writes to a column, a row each.
enum PendingState {
    /// Lengths of text: the row is null now, or was not written.
    static let nullLength: Int32 = -1
    static let keptLength: Int32 = -2
    /// States of cells: the row was not written, has a value now, or is null now.
    static let kept: UInt8 = 0
    static let written: UInt8 = 1
    static let null: UInt8 = 2

    /// The states of rows by their lengths.
    static func states(of lengths: [Int32]) -> [UInt8] {
        lengths.map { $0 >= 0 ? written : $0 == nullLength ? null : kept }
    }
}

/// A column of a row group, and the rows that a script wrote over it.
///
/// Rows behind the last one that is spoken of were not written.
struct PendingColumn {
    private let current: ColumnArray

    init(_ current: ColumnArray) {
        self.current = current
    }

    /// A column of a type, to be written over in all its rows: it has no cells.
    static func blank(_ type: PropertyType, count: Int) -> ColumnArray? {
        let values: ColumnArray.Values
        switch type {
        case .string: values = .variable(offsets: [], bytes: [])
        case .int, .object: values = .int([])
        case .double: values = .double([])
        case .float: values = .float([])
        case .bool: values = .bool(Bitmap(count: count))
        case .date: values = .date(seconds: [], nanoseconds: [])
        case .data, .mixed: values = .variable(offsets: [], bytes: [])
        case .objectId: values = .fixed(width: ObjectId.byteCount, [])
        case .uuid, .decimal128: values = .fixed(width: 16, [])
        case .linkingObjects: return nil
        }
        return ColumnArray(count: count, values: values)
    }

    static let mismatch = MigrationError(.invalidArgument, "The rows written do not fit their column.")

    // MARK: Text

    /// The column with texts in some rows.
    ///
    /// - Parameters:
    ///   - text: the texts of all written rows in one string.
    ///   - lengths: of each row its number of UTF-16 units, or one of `PendingState`.
    func replacing(text: JavaScriptString, lengths: [Int32]) throws(MigrationError) -> ColumnArray {
        if lengths.count == current.count, !lengths.contains(PendingState.keptLength), let bytes = text.ascii {
            return try whole(bytes, lengths: lengths)
        }
        return try text.withCodeUnits { (units) throws(MigrationError) in try replacing(text: units, lengths: lengths) }
    }

    /// All rows written, with a byte a unit, as data has and mostly text: nothing to convert.
    private func whole(_ bytes: [UInt8], lengths: [Int32]) throws(MigrationError) -> ColumnArray {
        var offsets: [Int32] = [0]
        offsets.reserveCapacity(lengths.count + 1)
        var end: Int32 = 0
        var nullCount = 0
        for length in lengths {
            if length < 0 { nullCount += 1 }
            let (sum, isOver) = end.addingReportingOverflow(max(length, 0))
            guard !isOver else { throw Self.mismatch }
            end = sum
            offsets.append(end)
        }
        guard Int(end) == bytes.count else { throw Self.mismatch }
        var validity: Bitmap?
        if nullCount > 0 {
            validity = Bitmap(repeating: true, count: lengths.count)
            for (row, length) in lengths.enumerated() where length < 0 { validity?[row] = false }
        }
        return ColumnArray(count: lengths.count, validity: validity, values: .variable(offsets: offsets, bytes: bytes))
    }

    private func replacing(
        text: UnsafeBufferPointer<UInt16>, lengths: [Int32]
    ) throws(MigrationError) -> ColumnArray {
        guard case .variable(let oldOffsets, let oldBytes) = current.values, lengths.count <= current.count else {
            throw Self.mismatch
        }
        var written = 0
        for length in lengths where length > 0 { written += Int(length) }
        guard written == text.count else { throw Self.mismatch }
        let capacity = text.count * 3 + oldBytes.count
        guard capacity <= Int32.max else { throw MigrationError(nil, "One row group has more than 2 GiB of text.") }

        var offsets: [Int32] = []
        offsets.reserveCapacity(current.count + 1)
        offsets.append(0)
        // Copied at the end: what is not used counts as memory all the same.
        let bytes = Array(
            [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                var unit = 0
                count = 0
                for row in 0..<current.count {
                    let length = row < lengths.count ? lengths[row] : PendingState.keptLength
                    if length >= 0 {
                        let end = unit + Int(length)
                        count += UTF8Encoding.encode(text[unit..<end], into: buffer, at: count)
                        unit = end
                    } else if length == PendingState.keptLength {
                        for byte in oldBytes[Int(oldOffsets[row])..<Int(oldOffsets[row + 1])] {
                            buffer[count] = byte
                            count += 1
                        }
                    }
                    offsets.append(Int32(count))
                }
            })
        return ColumnArray(
            count: current.count, validity: validity(PendingState.states(of: lengths)),
            values: .variable(offsets: offsets, bytes: bytes))
    }

    // MARK: Cells

    func replacing(states: [UInt8], numbers: [Double], nanoseconds: [Int32]) throws(MigrationError) -> ColumnArray {
        guard states.count <= current.count, numbers.count == states.count else { throw Self.mismatch }
        switch current.values {
        case .double(let cells): return with(states, .double(merge(cells, states, numbers)))
        case .float(let cells): return with(states, .float(merge(cells, states, numbers.map { Float($0) })))
        case .bool(var bits):
            for (row, state) in states.enumerated() where state != PendingState.kept { bits[row] = numbers[row] != 0 }
            return with(states, .bool(bits))
        case .int, .date:
            let integers = numbers.map { Int64(exactly: $0) ?? 0 }
            return try replacing(states: states, integers: integers, nanoseconds: nanoseconds)
        default: throw Self.mismatch
        }
    }

    func replacing(states: [UInt8], integers: [Int64], nanoseconds: [Int32]) throws(MigrationError) -> ColumnArray {
        guard states.count <= current.count, integers.count == states.count else { throw Self.mismatch }
        switch current.values {
        case .int(let cells): return with(states, .int(merge(cells, states, integers)))
        case .date(let seconds, let oldNanoseconds):
            guard nanoseconds.count == states.count else { throw Self.mismatch }
            return with(
                states,
                .date(
                    seconds: merge(seconds, states, integers),
                    nanoseconds: merge(oldNanoseconds, states, nanoseconds)))
        default: throw Self.mismatch
        }
    }

    /// - Parameter words: cells of ObjectId, UUID or Decimal128 as they lie in memory.
    func replacing(states: [UInt8], words: [Int32]) throws(MigrationError) -> ColumnArray {
        guard case .fixed(let width, let old) = current.values, states.count <= current.count,
            words.count * 4 == states.count * width
        else { throw Self.mismatch }
        let written = words.withUnsafeBytes { [UInt8]($0) }
        if states.count == current.count, !states.contains(PendingState.kept) {
            return with(states, .fixed(width: width, written))
        }
        var merged = old
        for (row, state) in states.enumerated() where state != PendingState.kept {
            let cell = row * width..<(row + 1) * width
            merged.replaceSubrange(cell, with: written[cell])
        }
        return with(states, .fixed(width: width, merged))
    }

    // MARK: Data

    /// The column with data in some rows.
    ///
    /// - Parameters:
    ///   - bytes: the data of all written rows, one behind the other.
    ///   - lengths: of each row its number of bytes, or one of `PendingState`.
    func replacing(bytes written: [UInt8], lengths: [Int32]) throws(MigrationError) -> ColumnArray {
        guard case .variable(let oldOffsets, let old) = current.values, lengths.count <= current.count else {
            throw Self.mismatch
        }
        if lengths.count == current.count, !lengths.contains(PendingState.keptLength) {
            return try whole(written, lengths: lengths)
        }
        var (offsets, bytes, place): ([Int32], [UInt8], Int) = ([0], [], 0)
        offsets.reserveCapacity(current.count + 1)
        bytes.reserveCapacity(written.count)
        for row in 0..<current.count {
            let length = row < lengths.count ? lengths[row] : PendingState.keptLength
            if length == PendingState.keptLength {
                bytes += old[Int(oldOffsets[row])..<Int(oldOffsets[row + 1])]
            } else {
                let end = place + Int(max(length, 0))
                guard end <= written.count else { throw Self.mismatch }
                bytes += written[place..<end]
                place = end
            }
            guard let end = Int32(exactly: bytes.count) else {
                throw MigrationError(nil, "One row group has more than 2 GiB of data.")
            }
            offsets.append(end)
        }
        guard place == written.count else { throw Self.mismatch }
        return ColumnArray(
            count: current.count, validity: validity(PendingState.states(of: lengths)),
            values: .variable(offsets: offsets, bytes: bytes))
    }

    private func merge<Cell>(_ cells: [Cell], _ states: [UInt8], _ written: [Cell]) -> [Cell] {
        if states.count == current.count, !states.contains(PendingState.kept) { return written }
        var merged = cells
        for (row, state) in states.enumerated() where state != PendingState.kept { merged[row] = written[row] }
        return merged
    }

    private func with(_ states: [UInt8], _ values: ColumnArray.Values) -> ColumnArray {
        ColumnArray(count: current.count, validity: validity(states), values: values)
    }

    func validity(_ states: [UInt8]) -> Bitmap? {
        guard current.validity != nil || states.contains(PendingState.null) else { return nil }
        var validity = current.validity ?? Bitmap(repeating: true, count: current.count)
        for (row, state) in states.enumerated() where state != PendingState.kept {
            validity[row] = state == PendingState.written
        }
        return validity.setCount == validity.count ? nil : validity
    }
}

/// The encoding form of Unicode that columns of text have.
private enum UTF8Encoding {
    /// Writes UTF-16 units as UTF-8, each lone surrogate as U+FFFD; the caller answers for three bytes a unit.
    ///
    /// - Returns: the bytes written.
    static func encode(
        _ units: Slice<UnsafeBufferPointer<UInt16>>, into buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) -> Int {
        var place = start
        var index = units.startIndex
        while index < units.endIndex {
            let unit = units[index]
            index += 1
            if unit < 0x80 {
                buffer[place] = UInt8(truncatingIfNeeded: unit)
                place += 1
                continue
            }
            var scalar = UInt32(unit)
            if unit & 0xf800 == 0xd800 {
                let isPair = unit < 0xdc00 && index < units.endIndex && units[index] & 0xfc00 == 0xdc00
                scalar = isPair ? 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(units[index] & 0x3ff)) : 0xfffd
                if isPair { index += 1 }
            }
            for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{fffd}") ?? UTF8.encodedReplacementCharacter {
                buffer[place] = byte
                place += 1
            }
        }
        return place - start
    }
}
