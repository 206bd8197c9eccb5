import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// The kind of a mixed value on its way to a script or back, a byte a row.
enum MixedKind: UInt8, CaseIterable {
    /// Back: the row was not written.
    case kept
    case null
    case no
    case yes
    case number
    case text
    /// There: the value is asked for by itself.
    case other
}

/// A column of mixed values as the prelude takes it: the plain ones by their kind, as numbers and as texts.
struct MixedColumn {
    let kinds: [UInt8]
    /// 0 where a row is no number.
    let numbers: [Double]
    /// Empty where a row is no text.
    let text: TextColumn

    /// - Parameter tellsTypes: whether Floats, and Doubles that are whole, are asked for by themselves, with their type.
    init(_ array: ColumnArray, tellingTypes tellsTypes: Bool) {
        var (kinds, numbers, ends, texts): ([UInt8], [Double], [Int32], [UInt8]) = ([], [], [0], [])
        if case .variable(let offsets, let bytes) = array.values {
            kinds.reserveCapacity(array.count)
            numbers.reserveCapacity(array.count)
            ends.reserveCapacity(array.count + 1)
            bytes.withUnsafeBytes { bytes in
                for row in 0..<array.count {
                    let cell = Int(offsets[row])..<Int(offsets[row + 1])
                    let (kind, number, range) =
                        array.isNull(row) ? (.null, 0, nil) : Self.plain(bytes, cell, tellsTypes)
                    kinds.append(kind.rawValue)
                    numbers.append(number)
                    if let range { texts += bytes[range] }
                    ends.append(Int32(texts.count))
                }
            }
        }
        (self.kinds, self.numbers) = (kinds, numbers)
        text = TextColumn(offsets: ends, bytes: texts)
    }

    /// The kind of a cell, its number or 0, and where its text stands.
    private static func plain(
        _ bytes: UnsafeRawBufferPointer, _ cell: Range<Int>, _ tellsTypes: Bool
    ) -> (MixedKind, Double, Range<Int>?) {
        switch ValueCoding.plainCell(bytes, cell) {
        case .bool(let flag): (flag ? .yes : .no, 0, nil)
        case .int(let integer) where integer.magnitude <= JavaScriptContext.safeIntegers:
            (.number, Double(integer), nil)
        case .float(let float): tellsTypes ? (.other, 0, nil) : (.number, Double(float), nil)
        case .double(let double): tellsTypes && double.isWhole ? (.other, 0, nil) : (.number, double, nil)
        case .string(let range): (.text, 0, range)
        case .int, .other: (.other, 0, nil)
        }
    }
}

/// Rows of a mixed property that a script wrote.
struct MixedRows {
    /// The kind of each row; rows behind were not written.
    let kinds: [UInt8]
    /// A number for each row, 0 where it is none.
    let numbers: [Double]
    /// The texts of all rows in one string.
    let text: JavaScriptString
    /// The number of UTF-16 units of each row's text.
    let lengths: [Int32]

    /// The column with these rows written over it.
    ///
    /// - Parameter input: what a number is stored as.
    func replacing(
        _ current: ColumnArray, input: (Double) -> ObjectInput
    ) throws -> ColumnArray {
        guard case .variable(let oldOffsets, let old) = current.values, kinds.count <= current.count,
            numbers.count == kinds.count, lengths.count == kinds.count
        else { throw PendingColumn.mismatch }
        let blank = PendingColumn(ColumnArray(count: kinds.count, values: .variable(offsets: [], bytes: [])))
        let texts = try blank.replacing(text: text, lengths: lengths)
        guard case .variable(let textOffsets, let textBytes) = texts.values else { throw PendingColumn.mismatch }
        var (offsets, writer): ([Int32], ByteWriter) = ([0], ByteWriter())
        offsets.reserveCapacity(current.count + 1)
        var states = [UInt8](repeating: PendingState.kept, count: kinds.count)
        for row in 0..<current.count {
            switch row < kinds.count ? MixedKind(rawValue: kinds[row]) : .kept {
            case .kept: writer.write(raw: old[Int(oldOffsets[row])..<Int(oldOffsets[row + 1])])
            case .null: states[row] = PendingState.null
            case .no: ValueCoding.encode(.bool(false), into: &writer)
            case .yes: ValueCoding.encode(.bool(true), into: &writer)
            case .number:
                switch input(numbers[row]) {
                case .int(let integer): ValueCoding.encode(.int(integer), into: &writer)
                default: ValueCoding.encode(.double(numbers[row]), into: &writer)
                }
            case .text:
                ValueCoding.encode(
                    string: textBytes[Int(textOffsets[row])..<Int(textOffsets[row + 1])], into: &writer)
            case .other, nil: throw PendingColumn.mismatch
            }
            if row < kinds.count, kinds[row] > MixedKind.null.rawValue { states[row] = PendingState.written }
            guard let end = Int32(exactly: writer.bytes.count) else {
                throw MigrationError(nil, "One row group has more than 2 GiB of mixed values.")
            }
            offsets.append(end)
        }
        return ColumnArray(
            count: current.count, validity: PendingColumn(current).validity(states),
            values: .variable(offsets: offsets, bytes: writer.bytes))
    }
}
