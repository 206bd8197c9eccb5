import Columns
import RealmJSON
import RealmModel

/// Lines of comma-separated values.
enum CSVRow {
    /// How the cells of a column become text.
    enum Form: Hashable {
        case number
        case truth
        case text
        /// Base 64.
        case bytes
        /// Realm JSON; null is a cell without a value.
        case json

        init(_ type: PropertyType) {
            switch type {
            case .bool: self = .truth
            case .data: self = .bytes
            case .string, .mixed: self = .text
            default: self = .number
            }
        }
    }

    static let lineEnd: [UInt8] = [0x0d, 0x0a]

    private static let reservedBytes = 1 << 20

    /// The lines of some rows.
    static func lines(_ rows: [Int], of cells: [PinnedCells], _ forms: [Form]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(min(rows.count * cells.count * 8, reservedBytes))
        for row in rows {
            for (index, column) in cells.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                append(column, row, forms[index], to: &out)
            }
            out.append(0x0d)
            out.append(0x0a)
        }
        return out
    }

    @inline(__always)
    private static func append(_ cells: PinnedCells, _ row: Int, _ form: Form, to out: inout [UInt8]) {
        switch cells.cell(row) {
        case .null: break
        case .integer(let number):
            if form == .truth {
                out += number != 0 ? Self.yes : Self.no
            } else {
                DecimalDigits.append(number, to: &out)
            }
        case .real(let number): DecimalText.append(number, to: &out)
        case .bytes(let bytes):
            switch form {
            case .bytes: append(text: base64(bytes), to: &out)
            case .text, .json: bytes.append(quotedTo: &out)
            case .number, .truth: out.append(contentsOf: bytes)
            }
        }
    }

    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    private static func base64(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        Base64.append(Array(bytes), to: &text)
        return text
    }

    /// Appends a text, in quotes where it needs them.
    static func append(text: [UInt8], to out: inout [UInt8]) { text.withUnsafeBytes { $0.append(quotedTo: &out) } }
}

extension UnsafeRawBufferPointer {
    /// Appends the bytes as a cell, in quotes where there is a comma, a quote, an end of a line, or nothing.
    @inline(__always)
    fileprivate func append(quotedTo out: inout [UInt8]) {
        var needsQuotes = isEmpty
        for byte in self where byte == 0x2c || byte == 0x22 || byte == 0x0d || byte == 0x0a {
            needsQuotes = true
            break
        }
        guard needsQuotes else { return out.append(contentsOf: self) }
        out.append(0x22)
        for byte in self {
            if byte == 0x22 { out.append(0x22) }
            out.append(byte)
        }
        out.append(0x22)
    }
}
