import Columns
import RealmModel

extension ObjectWriter {
    /// Appends a cell of a column.
    func append(_ array: ColumnArray, _ row: Int, _ property: PropertyView, to out: inout [UInt8]) throws {
        guard !array.isNull(row) else { return JSONText.append("null", to: &out) }
        switch array.values {
        case .int(let cells): try append(cells[row], property, to: &out)
        case .bool(let bits): ScalarText.append(bits[row], to: &out)
        case .float(let cells): ScalarText.append(Double(cells[row]), to: &out)
        case .double(let cells): ScalarText.append(cells[row], to: &out)
        case .variable(let offsets, let bytes):
            try append(bytes, Int(offsets[row])..<Int(offsets[row + 1]), property, to: &out)
        case .date, .fixed: ScalarText.append(try array.value(at: row, as: property.type.elementType), to: &out)
        case .list(let offsets, let elements) where isForComparing && property.type.collection == .set:
            var texts: [[UInt8]] = []
            for index in offsets[row]..<offsets[row + 1] where try !hidesElement(elements, Int(index), property) {
                var text: [UInt8] = []
                try append(elements, Int(index), property, to: &text)
                texts.append(text)
            }
            let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
            out += [UInt8(ascii: "[")] + sorted.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        case .list(let offsets, let elements):
            out.append(UInt8(ascii: "["))
            var isFirst = true
            for index in offsets[row]..<offsets[row + 1] {
                if try hidesElement(elements, Int(index), property) { continue }
                if !isFirst { out.append(UInt8(ascii: ",")) }
                isFirst = false
                try append(elements, Int(index), property, to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .dictionary(let offsets, let keys, let values):
            out.append(UInt8(ascii: "{"))
            for index in offsets[row]..<offsets[row + 1] {
                if index > offsets[row] { out.append(UInt8(ascii: ",")) }
                try append(string: keys, Int(index), to: &out)
                out.append(UInt8(ascii: ":"))
                try append(values, Int(index), property, to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Appends an integer, or what a link with this key is written as.
    private func append(_ cell: Int64, _ property: PropertyView, to out: inout [UInt8]) throws {
        guard property.type.element == .object else { return DecimalDigits.append(cell, to: &out) }
        guard let name = property.property.objectType, let target = try view(of: name) else {
            return JSONText.append("null", to: &out)
        }
        if try hidesLink(to: cell, of: name) {
            JSONText.append("null", to: &out)
        } else if target.schema.isEmbedded {
            try append(embedded: cell, of: target, to: &out)
        } else {
            try append(link: cell, to: target, to: &out)
        }
    }

    /// Whether an element of a list or set is a link that is not shown.
    private func hidesElement(_ elements: ColumnArray, _ index: Int, _ property: PropertyView) throws -> Bool {
        switch elements.values {
        case .int(let cells):
            guard property.type.element == .object, let name = property.property.objectType, !elements.isNull(index)
            else { return false }
            return try hidesLink(to: cells[index], of: name)
        case .variable where property.type.element == .mixed && !elements.isNull(index):
            return try hidesLink(in: try elements.value(at: index, as: property.type.elementType))
        default: return false
        }
    }

    private func hidesLink(in value: Value) throws -> Bool {
        guard case .typedLink(let name, let key) = value else { return false }
        return try hidesLink(to: key.value, of: name)
    }

    private func append(
        _ bytes: [UInt8], _ range: Range<Int>, _ property: PropertyView, to out: inout [UInt8]
    ) throws {
        switch property.type.element {
        case .string:
            bytes.withUnsafeBytes { JSONText.append(string: UnsafeRawBufferPointer(rebasing: $0[range]), to: &out) }
        case .data: ScalarText.append(.data(Array(bytes[range])), to: &out)
        default: try append(mixed: try ValueCoding.decode(Array(bytes[range])), to: &out)
        }
    }

    private func append(string array: ColumnArray, _ index: Int, to out: inout [UInt8]) throws {
        guard case .variable(let offsets, let bytes) = array.values else {
            throw ColumnError.damaged(what: "dictionary key", offset: index)
        }
        let range = Int(offsets[index])..<Int(offsets[index + 1])
        bytes.withUnsafeBytes { JSONText.append(string: UnsafeRawBufferPointer(rebasing: $0[range]), to: &out) }
    }

    /// Appends a mixed value.
    func append(mixed value: Value, to out: inout [UInt8]) throws {
        switch value {
        case .float(let number):
            JSONText.append("{\"$float\":", to: &out)
            ScalarText.append(mixedFloat: number, to: &out)
            out.append(UInt8(ascii: "}"))
        case .typedLink(let name, let key):
            guard let target = try view(of: name), try !hidesLink(in: value),
                !hidesUndeclared || snapshot.declared[name] != nil
            else {
                return JSONText.append("null", to: &out)
            }
            JSONText.append("{\"$ref\":", to: &out)
            JSONText.append(string: name, to: &out)
            JSONText.append(",\"$id\":", to: &out)
            try append(link: key.value, to: target, to: &out)
            out.append(UInt8(ascii: "}"))
        case .list(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in try elements.filter({ try !hidesLink(in: $0) }).enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                try append(mixed: element, to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .dictionary(let entries):
            out.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                JSONText.append(string: entry.key, to: &out)
                out.append(UInt8(ascii: ":"))
                try append(mixed: entry.value, to: &out)
            }
            out.append(UInt8(ascii: "}"))
        default: ScalarText.append(value, to: &out)
        }
    }
}
