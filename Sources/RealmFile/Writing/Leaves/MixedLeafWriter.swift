import Columns
import RealmModel

/// Appends leaves of mixed values and the collections in them, REALM_FORMAT section 12.
final class MixedLeafWriter {
    private let output: NodeOutput
    private let tableKeys: [String: Int64]
    /// The error of a link to a class that is not there.
    private let brokenLink: InputError
    private let tooLong: InputError
    /// A number that no other nested collection of the file has.
    private let nextCollection: () -> Int64

    init(
        _ output: NodeOutput, tableKeys: [String: Int64], className: String, property: String,
        nextCollection: @escaping () -> Int64
    ) {
        self.output = output
        self.tableKeys = tableKeys
        self.nextCollection = nextCollection
        brokenLink = .brokenLink(of: className, property)
        tooLong = .stringTooLong(of: className, property)
    }

    /// The arrays of a leaf.
    private struct Parts {
        var composites: [Int64] = []
        var integers: [Int64] = []
        var pairs: [Int64] = []
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        var references: [Int64] = []
        var keys: [Int64] = []

        mutating func add(type: Int64, slot: Int64 = 0, _ rest: Int64) {
            composites.append((type + 1) | slot << 5 | rest << 8)
            keys.append(0)
        }

        mutating func add(type: Int64, integer: Int64) {
            add(type: type, slot: 1, Int64(integers.count))
            integers.append(integer)
        }

        mutating func add(type: Int64, _ first: Int64, _ second: Int64) {
            add(type: type, slot: 2, Int64(pairs.count / 2))
            pairs += [first, second]
        }

        mutating func add(type: Int64, bytes run: some Collection<UInt8>) {
            add(type: type, slot: 3, Int64(offsets.count - 1))
            bytes.append(contentsOf: run)
            offsets.append(Int32(bytes.count))
        }

        mutating func add(type: Int64, collection: Int64, key: Int64) {
            add(type: type, slot: 4, Int64(references.count))
            references.append(collection)
            keys[keys.count - 1] = key
        }
    }

    /// Appends a leaf of values.
    ///
    /// - Parameter values: at most `BPlusTree.leafLimit`, or one a row of a cluster.
    func append(_ values: [Value]) throws -> Int64 {
        var parts = Parts()
        for value in values { try add(value, to: &parts) }
        return output.append(
            integers: [
                output.append(integers: parts.composites),
                parts.integers.isEmpty ? 0 : output.append(integers: parts.integers),
                parts.pairs.isEmpty ? 0 : output.append(integers: parts.pairs),
                parts.offsets.count == 1 ? 0 : append(strings: parts),
                parts.references.isEmpty ? 0 : output.append(integers: parts.references, .hasRefs),
                parts.references.isEmpty ? 0 : output.append(integers: parts.keys),
            ], .hasRefs)
    }

    /// Appends a B+tree of values.
    func append(tree values: [Value]) throws -> Int64 {
        try BPlusTreeWriter.append(count: values.count, to: output) { try append(Array(values[$0])) }
    }

    /// Appends a dictionary: the tree of its keys and that of its values.
    ///
    /// - Parameter keys: in bytewise order; key `i` is `offsets[i]..<offsets[i + 1]` of `bytes`.
    func append(keys: (offsets: ArraySlice<Int32>, bytes: [UInt8]), values: [Value]) throws -> Int64 {
        let keysRef = try keys.offsets.withUnsafeBufferPointer { offsets in
            try keys.bytes.withUnsafeBytes { bytes in
                try BPlusTreeWriter.append(count: values.count, to: output) { rows in
                    let runs = NodeOutput.Runs(
                        offsets: UnsafeBufferPointer(rebasing: offsets[rows.lowerBound...rows.upperBound]),
                        bytes: bytes
                    ) { _ in false }
                    guard runs.longest <= RealmLimits.stringBytes else { throw tooLong }
                    return output.append(leaf: runs, of: .string)
                }
            }
        }
        return output.append(integers: [keysRef, try append(tree: values)], .hasRefs)
    }

    private func append(strings parts: Parts) -> Int64 {
        parts.offsets.withUnsafeBufferPointer { offsets in
            parts.bytes.withUnsafeBytes { bytes in
                output.append(leaf: NodeOutput.Runs(offsets: offsets, bytes: bytes) { _ in false }, of: .string)
            }
        }
    }

    private func add(_ value: Value, to parts: inout Parts) throws {
        switch value {
        case .null:
            parts.composites.append(0)
            parts.keys.append(0)
        case .int(let number):
            if let small = Int32(exactly: number) {
                parts.add(type: 0, Int64(small))
            } else {
                parts.add(type: 0, integer: number)
            }
        case .bool(let flag): parts.add(type: 1, flag ? 1 : 0)
        case .string(let text): try add(Array(text.utf8), type: 2, to: &parts)
        case .data(let bytes): try add(bytes, type: 4, to: &parts)
        case .date(let date): parts.add(type: 8, date.seconds, Int64(date.nanoseconds))
        case .float(let number): parts.add(type: 9, integer: Int64(number.bitPattern))
        case .double(let number): parts.add(type: 10, integer: Int64(bitPattern: number.bitPattern))
        case .decimal128(let number):
            parts.add(type: 11, Int64(bitPattern: number.low), Int64(bitPattern: number.high))
        case .objectId(let id): parts.add(type: 15, bytes: id.bytes)
        case .uuid(let id): parts.add(type: 17, bytes: id.bytes)
        case .typedLink(let className, let key):
            guard let table = tableKeys[className] else { throw brokenLink }
            parts.add(type: 16, table, key.value)
        case .link: throw brokenLink
        case .list(let elements):
            let ref = elements.isEmpty ? 0 : try append(tree: elements)
            parts.add(type: 19, collection: ref, key: nextCollection())
        case .dictionary(let entries):
            let ref = entries.isEmpty ? 0 : try append(entries)
            parts.add(type: 21, collection: ref, key: nextCollection())
        }
    }

    private func add(_ bytes: [UInt8], type: Int64, to parts: inout Parts) throws {
        guard bytes.count <= RealmLimits.stringBytes else { throw tooLong }
        guard parts.bytes.count + bytes.count <= Int32.max else { throw ColumnError.rowGroupTooLarge }
        parts.add(type: type, bytes: bytes)
    }

    private func append(_ entries: [DictionaryEntry]) throws -> Int64 {
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        for entry in entries {
            bytes += entry.key.utf8
            offsets.append(Int32(bytes.count))
        }
        return try append(keys: (offsets[...], bytes), values: entries.map(\.value))
    }
}
