import RealmModel

/// Copies leaves of single values as they are, where the writer could have written them for the same values.
///
/// A leaf is checked as decoding would check it: one that has to be told apart, repaired or written otherwise is not copied, and its
/// decoder then finds what is wrong. Links are copied by `LinkColumnCopier`, as they have backlinks.
struct LeafCopier {
    let image: Image
    let output: NodeOutput
    let type: PropertyType
    /// Whether the column that is read has no nulls.
    let isRequired: Bool
    /// Whether the column that is written is another in that.
    let becomesOptional: Bool
    /// Hands out what was appended, where that is much.
    let flush: () throws -> Void
    let scratch = CopyScratch()

    /// Appends a leaf.
    ///
    /// - Parameter count: the values that it has to have.
    /// - Returns: nil where it has to be decoded.
    func copy(_ leaf: Node, count: Int) throws -> Int64? {
        switch type {
        case .int: return becomesOptional ? nil : try integers(leaf, count)
        case .bool: return bools(leaf, count)
        case .float: return becomesOptional ? nil : cells(leaf, count, width: MemoryLayout<Float>.size)
        case .double: return becomesOptional ? nil : cells(leaf, count, width: MemoryLayout<Double>.size)
        case .string: return try texts(leaf, count, of: .string)
        case .data: return try texts(leaf, count, of: .data)
        case .date: return try dates(leaf, count)
        case .decimal128: return decimals(leaf, count)
        case .objectId: return identifiers(leaf, count, width: ObjectId.byteCount)
        case .uuid: return identifiers(leaf, count, width: UUID.byteCount)
        case .mixed, .object, .linkingObjects: return nil
        }
    }

    /// How many values a leaf has.
    ///
    /// - Returns: nil where it is of no form that is copied.
    func count(of leaf: Node) throws(InputError) -> Int? {
        switch (type, leaf.layout) {
        case (.int, .bits): isRequired ? leaf.count : leaf.count - 1
        case (.objectId, .cells): Self.identifierCount(leaf.payload.count, width: ObjectId.byteCount)
        case (.uuid, .cells): Self.identifierCount(leaf.payload.count, width: UUID.byteCount)
        case (.date, .bits): try partCount(1, of: leaf)
        case (.string, .bits) where leaf.hasRefs && !leaf.hasContext, (.data, .bits) where !leaf.hasContext:
            try partCount(0, of: leaf)
        case (.mixed, _), (.object, _), (.linkingObjects, _): nil
        default: leaf.count
        }
    }

    private func partCount(_ index: Int, of leaf: Node) throws(InputError) -> Int? {
        guard let ref = try leaf.reference(at: index) else { return nil }
        return try image.header(at: ref).count
    }

    // MARK: Numbers

    private func integers(_ leaf: Node, _ count: Int) throws(InputError) -> Int64? {
        isRequired ? leaf.isPlain(.bits, count) ? output.append(leaf) : nil : try optionalIntegers(leaf, count)
    }

    private func optionalIntegers(_ leaf: Node, _ count: Int) throws(InputError) -> Int64? {
        guard leaf.isPlain(.bits, count + 1), try hasUsualMark(leaf) else { return nil }
        return output.append(leaf)
    }

    /// Whether what stands for null is the number that Realm Core takes for it when it writes more, REALM_FORMAT section 10.1.
    private func hasUsualMark(_ leaf: Node) throws(InputError) -> Bool {
        switch leaf.width {
        case 0, 64: true
        case 1, 2, 4: try leaf.integer(at: 0) == 1 << leaf.width - 1
        default: try leaf.integer(at: 0) == 1 << (leaf.width - 1) - 1
        }
    }

    private func bools(_ leaf: Node, _ count: Int) -> Int64? {
        guard leaf.isPlain(.bits, count) else { return nil }
        // Of one bit each is a truth value.
        if leaf.width > 1 {
            let known = scratch.integers(of: leaf).allSatisfy { $0 == 0 || $0 == 1 || $0 == 3 && !isRequired }
            guard known else { return nil }
        }
        return output.append(leaf)
    }

    private func cells(_ leaf: Node, _ count: Int, width: Int) -> Int64? {
        leaf.isPlain(.cells, count) && leaf.width == width ? output.append(leaf) : nil
    }

    private func decimals(_ leaf: Node, _ count: Int) -> Int64? {
        guard leaf.isPlain(.cells, count), leaf.width == MemoryLayout<Decimal128>.size else { return nil }
        if isRequired {
            for row in 0..<count {
                let low = leaf.payload.loadUnaligned(fromByteOffset: row * 16, as: UInt64.self)
                let high = leaf.payload.loadUnaligned(fromByteOffset: row * 16 + 8, as: UInt64.self)
                if Decimal128.isNull(low: low, high: high) { return nil }
            }
        }
        return output.append(leaf)
    }

    private func dates(_ leaf: Node, _ count: Int) throws(InputError) -> Int64? {
        guard leaf.hasParts(2) else { return nil }
        let seconds = try image.integers(0, of: leaf, "the seconds of a leaf of dates")
        let nanoseconds = try image.integers(1, of: leaf, "the nanoseconds of a leaf of dates")
        guard seconds.isPlain(.bits, count + 1), nanoseconds.isPlain(.bits, count), try hasUsualMark(seconds) else {
            return nil
        }
        let whole = scratch.integers(of: seconds)
        let fractions = scratch.moreIntegers(of: nanoseconds)
        for row in 0..<count {
            let (second, fraction) = (whole[row + 1], fractions[row])
            let isNull = second == whole[0]
            guard isNull ? fraction == 0 && !isRequired : NanosecondDecoder.range.contains(fraction),
                isNull || second.signum() * fraction.signum() >= 0
            else { return nil }
        }
        let parts = [output.append(seconds), output.append(nanoseconds)]
        return output.append(integers: parts, .hasRefs)
    }

    // MARK: Ids

    private static func identifierCount(_ bytes: Int, width: Int) -> Int {
        (bytes - (bytes + 8 * width) / (1 + 8 * width)) / width
    }

    private func identifiers(_ leaf: Node, _ count: Int, width: Int) -> Int64? {
        let size = count * width + (count + 7) / 8
        guard leaf.isPlain(.cells, size), leaf.width == 1 else { return nil }
        for block in 0..<(count + 7) / 8 {
            let nulls = leaf.payload[block * (1 + 8 * width)]
            let values = min(count - block * 8, 8)
            guard isRequired ? nulls == 0 : Int(nulls) >> values == 0 else { return nil }
        }
        return output.append(leaf)
    }
}

/// Memory for the numbers of leaves, kept from one to the next.
final class CopyScratch {
    @exclusivity(unchecked) private var first = CellBuffer<Int64>()
    @exclusivity(unchecked) private var second = CellBuffer<Int64>()

    /// The elements of a node of integers, until the next is asked for.
    func integers(of node: Node) -> UnsafeMutableBufferPointer<Int64> { Self.read(node, to: &first) }

    /// The same beside the ones that were asked for last.
    func moreIntegers(of node: Node) -> UnsafeMutableBufferPointer<Int64> { Self.read(node, to: &second) }

    private static func read(
        _ node: Node, to buffer: inout CellBuffer<Int64>
    ) -> UnsafeMutableBufferPointer<Int64> {
        buffer.clear()
        let cells = buffer.grow(by: node.count)
        node.copyIntegers(0..<node.count, to: cells)
        return cells
    }
}

extension Node {
    /// Whether it is a leaf of so many elements without references and flags.
    func isPlain(_ layout: Layout, _ count: Int) -> Bool {
        self.layout == layout && self.count == count && !hasRefs && !hasContext && !isInner
    }

    /// Whether it is an array of so many references without other flags.
    func hasParts(_ count: Int) -> Bool {
        layout == .bits && self.count == count && hasRefs && !hasContext && !isInner
    }
}
