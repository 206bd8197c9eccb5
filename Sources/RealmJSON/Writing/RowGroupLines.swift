import Columns
import RealmModel

/// The objects of a row group as lines of NDJSON, made column by column: the texts of each property first, then of these the lines.
///
/// Several times as fast as object by object where properties are plain values.
struct RowGroupLines {
    /// What a property is written as in each of the rows.
    fileprivate struct Texts {
        /// What stands before the value: the comma, where it is not the first, and the name.
        let label: [UInt8]
        /// Row `i` of those that are written is `ends[i - 1]..<ends[i]`.
        var ends: [Int] = []
        var bytes: [UInt8] = []
    }

    private let group: RowGroupView
    private let writer: ObjectWriter
    private let rows: [Int]

    init(_ group: RowGroupView, by writer: ObjectWriter) {
        self.group = group
        self.writer = writer
        rows = group.rowGroup.liveRows
    }

    /// Appends the lines.
    func append(to out: inout [UInt8]) throws {
        guard !rows.isEmpty else { return }
        // Such objects leave members out, each its own.
        guard !group.view.hasUnsynced else {
            for row in rows { try writer.append(line: row, of: group, to: &out) }
            return
        }
        var columns: [Texts] = []
        if group.view.schema.primaryKey == nil, !group.view.schema.isEmbedded {
            let keys = try group.keys()
            var texts = Texts(label: Array("\"_key\":".utf8))
            texts.append(rows) { JSONText.append(int: keys[$0], to: &$1) }
            columns.append(texts)
        }
        for property in group.view.properties {
            let comma = columns.isEmpty ? [] : [UInt8(ascii: ",")]
            columns.append(try texts(of: property, label: comma + property.label))
        }
        assemble(columns, to: &out)
    }

    private func texts(of property: PropertyView, label: [UInt8]) throws -> Texts {
        var texts = Texts(label: label)
        let array = try group.column(property)
        let isNull = array.validity.map { bits in { !bits[$0] } } ?? { (_: Int) in false }
        switch (array.values, property.type.element) {
        case (.int(let cells), .int):
            texts.append(rows) {
                isNull($0) ? JSONText.append("null", to: &$1) : JSONText.append(int: cells[$0], to: &$1)
            }
        case (.variable(let offsets, let bytes), .string):
            bytes.withUnsafeBytes { bytes in
                texts.append(rows) { row, out in
                    guard !isNull(row) else { return JSONText.append("null", to: &out) }
                    let range = Int(offsets[row])..<Int(offsets[row + 1])
                    JSONText.append(string: UnsafeRawBufferPointer(rebasing: bytes[range]), to: &out)
                }
            }
        default:
            try texts.append(rows) { try writer.append(array, $0, property, to: &$1) }
        }
        return texts
    }

    private func assemble(_ columns: [Texts], to out: inout [UInt8]) {
        var head = Array("{\"class\":".utf8)
        JSONText.append(string: group.view.schema.name, to: &head)
        head += Array(",\"object\":{".utf8)
        let tail = Array("}}\n".utf8)
        let fixed = columns.reduce(head.count + tail.count) { $0 + $1.label.count }
        let size = columns.reduce(fixed * rows.count) { $0 + $1.bytes.count }
        let lines = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var place = 0
            func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
                guard let base = bytes.baseAddress, let start = buffer.baseAddress else { return }
                (start + place).update(from: base, count: bytes.count)
                place += bytes.count
            }
            func copy(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer(copy) }
            var starts = [Int](repeating: 0, count: columns.count)
            for row in rows.indices {
                copy(head)
                for index in columns.indices {
                    copy(columns[index].label)
                    let end = columns[index].ends[row]
                    columns[index].bytes.withUnsafeBufferPointer {
                        copy(UnsafeBufferPointer(rebasing: $0[starts[index]..<end]))
                    }
                    starts[index] = end
                }
                copy(tail)
            }
            count = place
        }
        out += lines
    }
}

extension RowGroupLines.Texts {
    /// Appends a text for each row.
    @inline(__always)
    fileprivate mutating func append(_ rows: [Int], _ body: (Int, inout [UInt8]) throws -> Void) rethrows {
        ends.reserveCapacity(rows.count)
        for row in rows {
            try body(row, &bytes)
            ends.append(bytes.count)
        }
    }
}
