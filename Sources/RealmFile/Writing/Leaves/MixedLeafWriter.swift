import Columns
import RealmModel

/// Appends leaves of mixed values and the collections in them, REALM_FORMAT section 12.
final class MixedLeafWriter {
    private let output: NodeOutput
    private let tableKeys: [NameKey: Int64]
    /// The error of a link to a class that is not there.
    private let brokenLink: InputError
    private let tooLong: InputError
    private let nested: InputError
    private let format: WrittenFormat
    /// A number that no other nested collection of the file has.
    private let nextCollection: () -> Int64

    init(
        _ output: NodeOutput, in format: WrittenFormat, tableKeys: [NameKey: Int64], className: String,
        property: String,
        nextCollection: @escaping () -> Int64
    ) {
        self.output = output
        self.format = format
        self.tableKeys = tableKeys
        self.nextCollection = nextCollection
        brokenLink = .brokenLink(of: className, property)
        tooLong = .stringTooLong(of: className, property)
        nested = .nestedCollection(format, of: className, property)
    }

    /// A leaf while its values come.
    struct Leaf {
        fileprivate var composites: [Int64] = []
        fileprivate var integers: [Int64] = []
        fileprivate var pairs: [Int64] = []
        fileprivate var texts: TextLeaf
        fileprivate var references: [Int64] = []
        fileprivate var keys: [Int64] = []

        fileprivate init(_ output: NodeOutput) {
            texts = TextLeaf(of: .string, to: output)
        }

        fileprivate mutating func add(type: Int64, slot: Int64 = 0, _ rest: Int64) {
            composites.append((type + 1) | slot << 5 | rest << 8)
            keys.append(0)
        }

        fileprivate mutating func add(type: Int64, integer: Int64) {
            add(type: type, slot: 1, Int64(integers.count))
            integers.append(integer)
        }

        fileprivate mutating func add(type: Int64, _ first: Int64, _ second: Int64) {
            add(type: type, slot: 2, Int64(pairs.count / 2))
            pairs += [first, second]
        }

        fileprivate mutating func add(type: Int64, bytes run: [UInt8]) {
            add(type: type, slot: 3, Int64(texts.count))
            run.withUnsafeBytes { texts.append($0) }
        }

        fileprivate mutating func add(type: Int64, collection: Int64, key: Int64) {
            add(type: type, slot: 4, Int64(references.count))
            references.append(collection)
            keys[keys.count - 1] = key
        }
    }

    /// A leaf without values.
    func makeLeaf() -> Leaf { Leaf(output) }

    /// Appends a leaf of values.
    ///
    /// - Parameter values: at most `BPlusTree.leafLimit`, or one a row of a cluster.
    func append(_ values: [Value]) throws -> Int64 {
        var leaf = makeLeaf()
        for value in values { try add(value, to: &leaf) }
        return append(leaf)
    }

    /// Appends a leaf.
    func append(_ leaf: Leaf) -> Int64 {
        var parts = [
            output.append(integers: leaf.composites),
            leaf.integers.isEmpty ? 0 : output.append(integers: leaf.integers),
            leaf.pairs.isEmpty ? 0 : output.append(integers: leaf.pairs),
            leaf.texts.count == 0 ? 0 : leaf.texts.finish(),
        ]
        if format.hasNestedCollections {
            parts.append(leaf.references.isEmpty ? 0 : output.append(integers: leaf.references, .hasRefs))
            parts.append(leaf.references.isEmpty ? 0 : output.append(integers: leaf.keys))
        }
        return output.append(integers: parts, .hasRefs)
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

    /// Adds a value to a leaf; the collections in it are appended at once.
    func add(_ value: Value, to leaf: inout Leaf) throws {
        switch value {
        case .null:
            leaf.composites.append(0)
            leaf.keys.append(0)
        case .int(let number):
            if let small = Int32(exactly: number) {
                leaf.add(type: 0, Int64(small))
            } else {
                leaf.add(type: 0, integer: number)
            }
        case .bool(let flag): leaf.add(type: 1, flag ? 1 : 0)
        case .string(let text): try add(Array(text.utf8), type: 2, to: &leaf)
        case .data(let bytes): try add(bytes, type: 4, to: &leaf)
        case .date(let date): leaf.add(type: 8, date.seconds, Int64(date.nanoseconds))
        case .float(let number): leaf.add(type: 9, integer: Int64(number.bitPattern))
        case .double(let number): leaf.add(type: 10, integer: Int64(bitPattern: number.bitPattern))
        case .decimal128(let number):
            leaf.add(type: 11, Int64(bitPattern: number.low), Int64(bitPattern: number.high))
        case .objectId(let id): leaf.add(type: 15, bytes: id.bytes)
        case .uuid(let id): leaf.add(type: 17, bytes: id.bytes)
        case .typedLink(let className, let key):
            guard let table = tableKeys[name: className] else { throw brokenLink }
            leaf.add(type: 16, table, key.value)
        case .link: throw brokenLink
        case .list where !format.hasNestedCollections, .dictionary where !format.hasNestedCollections: throw nested
        case .list(let elements):
            let ref = elements.isEmpty ? 0 : try append(tree: elements)
            leaf.add(type: 19, collection: ref, key: nextCollection())
        case .dictionary(let entries):
            let ref = entries.isEmpty ? 0 : try append(entries)
            leaf.add(type: 21, collection: ref, key: nextCollection())
        }
    }

    private func add(_ bytes: [UInt8], type: Int64, to leaf: inout Leaf) throws {
        guard bytes.count <= RealmLimits.stringBytes else { throw tooLong }
        leaf.add(type: type, bytes: bytes)
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
