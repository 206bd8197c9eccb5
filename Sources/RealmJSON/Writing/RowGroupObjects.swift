import Columns
import RealmModel

/// Some objects of a row group as Realm JSON, made column by column: the texts of each property first, then of these the objects.
///
/// Several times as fast as object by object where properties are plain values.
struct RowGroupObjects {
    private let group: RowGroupView
    private let writer: ObjectWriter
    private let rows: [Int]

    /// - Parameter rows: those of the objects, ascending; of all that are not deleted, by default.
    init(_ group: RowGroupView, rows: [Int]? = nil, by writer: ObjectWriter) {
        self.group = group
        self.writer = writer
        self.rows = rows ?? group.rowGroup.liveRows
    }

    /// Appends the objects as lines of NDJSON.
    func appendLines(to out: inout [UInt8]) throws {
        // Such objects leave members out, each its own.
        guard !group.view.hasUnsynced else {
            for row in rows { try writer.append(line: row, of: group, to: &out) }
            return
        }
        var head = Array("{\"class\":".utf8)
        JSONText.append(string: group.view.schema.name, to: &head)
        try append(head: head + Array(",\"object\":{".utf8), tail: Array("}}\n".utf8), to: &out)
    }

    /// Appends the objects as elements of an array, a comma before each but the first.
    func appendElements(to out: inout [UInt8], isFirst: Bool) throws {
        guard !group.view.hasUnsynced else {
            for (index, row) in rows.enumerated() {
                if index > 0 || !isFirst { out.append(UInt8(ascii: ",")) }
                try writer.append(row: row, of: group, to: &out)
            }
            return
        }
        let start = out.count
        try append(head: Array(",{".utf8), tail: Array("}".utf8), to: &out)
        if isFirst, out.count > start { out.remove(at: start) }
    }

    private func append(head: [UInt8], tail: [UInt8], to out: inout [UInt8]) throws {
        guard !rows.isEmpty else { return }
        var columns: [RowTexts] = []
        if group.view.schema.primaryKey == nil, !group.view.schema.isEmbedded {
            columns.append(RowTexts(of: try group.keys(), rows, label: Array("\"_key\":".utf8)))
        }
        for property in group.view.properties {
            let comma = columns.isEmpty ? [] : [UInt8(ascii: ",")]
            columns.append(try texts(of: property, label: comma + property.label))
        }
        assemble(columns, head: head, tail: tail, to: &out)
    }

    private func texts(of property: PropertyView, label: [UInt8]) throws -> RowTexts {
        let array = try group.column(property)
        switch (array.values, property.type.element) {
        case (.int(let cells), .int) where array.validity == nil:
            return RowTexts(of: cells, rows, label: label)
        case (.variable(let offsets, let bytes), .string) where array.validity == nil:
            let texts = Int(offsets[rows[0]])..<Int(offsets[rows[rows.count - 1] + 1])
            if !JSONText.needsEscape(bytes[texts]) {
                return RowTexts(quoting: bytes, offsets, rows, label: label)
            }
        default: break
        }
        return try RowTexts(rows, label: label) { try writer.append(array, $0, property, to: &$1) }
    }

    /// Puts the objects together, a column at a time: where each text begins follows from the lengths of those before it.
    private func assemble(_ columns: [RowTexts], head: [UInt8], tail: [UInt8], to out: inout [UInt8]) {
        var places = [Int](repeating: head.count + tail.count, count: rows.count)
        for column in columns { column.addLengths(to: &places) }
        var size = 0
        for index in places.indices {
            let length = places[index]
            places[index] = size
            size += length
        }
        out += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            RowTexts.write(head, into: buffer, at: &places)
            for column in columns { column.write(into: buffer, at: &places) }
            RowTexts.write(tail, into: buffer, at: &places)
            count = size
        }
    }
}
