import Columns
import RealmJSON
import RealmModel

/// Lines of PostgreSQL's `COPY` in its text format.
enum CopyText {
    /// How the cells of a column become text.
    enum Form: Hashable {
        case plain
        case truth
        case bytes
        /// A number that PostgreSQL reads back as the same 32 bits.
        case float

        init(_ type: PropertyType) {
            switch type {
            case .bool: self = .truth
            case .data: self = .bytes
            case .float: self = .float
            default: self = .plain
            }
        }
    }

    /// The lines of a class's rows.
    static func lines(_ rows: ArraySlice<Int>, of cells: [PinnedCells], _ forms: [Form]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(rows.count * cells.count * 8)
        for row in rows {
            for (index, column) in cells.enumerated() {
                if index > 0 { out.append(UInt8(ascii: "\t")) }
                append(column, row, forms[index], to: &out)
            }
            out.append(UInt8(ascii: "\n"))
        }
        return out
    }

    /// The lines of a collection's rows.
    static func lines(
        _ elements: RelationRows.Elements, hasPosition: Bool, of rows: [Int], _ owner: Form, _ value: Form
    ) throws -> [UInt8] {
        let columns = [elements.owners, elements.values] + (elements.keys.map { [$0] } ?? [])
        return PinnedCells.with(columns) { cells in
            var out: [UInt8] = []
            for row in rows {
                let run = Int(elements.offsets[row])..<Int(elements.offsets[row + 1])
                for element in run {
                    append(cells[0], row, owner, to: &out)
                    out.append(UInt8(ascii: "\t"))
                    if hasPosition { DecimalDigits.append(Int64(element - run.lowerBound), to: &out) }
                    if cells.count == 3 { append(cells[2], element, .plain, to: &out) }
                    if hasPosition || cells.count == 3 { out.append(UInt8(ascii: "\t")) }
                    append(cells[1], element, value, to: &out)
                    out.append(UInt8(ascii: "\n"))
                }
            }
            return out
        }
    }

    /// The line of a few texts.
    static func line(_ texts: [String?]) -> [UInt8] {
        var out: [UInt8] = []
        for (index, text) in texts.enumerated() {
            if index > 0 { out.append(UInt8(ascii: "\t")) }
            guard var text else {
                out += null
                continue
            }
            text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0), to: &out) }
        }
        return out + [UInt8(ascii: "\n")]
    }

    private static let null = Array("\\N".utf8)
    private static let digits = Array("0123456789abcdef".utf8)

    @inline(__always)
    private static func append(_ cells: PinnedCells, _ row: Int, _ form: Form, to out: inout [UInt8]) {
        switch cells.cell(row) {
        case .null: out += null
        case .integer(let number):
            if form == .truth {
                out.append(UInt8(ascii: number != 0 ? "t" : "f"))
            } else {
                DecimalDigits.append(number, to: &out)
            }
        case .real(let number):
            if form == .float, number.isFinite {
                out.append(contentsOf: Float(number).description.utf8)
            } else {
                DecimalText.append(number, to: &out)
            }
        case .bytes(let bytes):
            guard form == .bytes else { return append(escaping: bytes, to: &out) }
            out += [UInt8(ascii: "\\"), UInt8(ascii: "\\"), UInt8(ascii: "x")]
            for byte in bytes {
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            }
        }
    }

    /// Appends a text; a tab, an end of a line and a backslash would mean something.
    @inline(__always)
    private static func append(escaping bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) {
        var start = 0
        for index in 0..<bytes.count where bytes[index] < 0x0e || bytes[index] == 0x5c {
            let letter: UInt8
            switch bytes[index] {
            case 0x09: letter = UInt8(ascii: "t")
            case 0x0a: letter = UInt8(ascii: "n")
            case 0x0d: letter = UInt8(ascii: "r")
            case 0x5c: letter = UInt8(ascii: "\\")
            default: continue
            }
            out.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            out.append(UInt8(ascii: "\\"))
            out.append(letter)
            start = index + 1
        }
        out.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
}
