import RealmModel

/// Strings and data, REALM_FORMAT section 4.
extension LeafCopier {
    /// Appends a leaf of strings or data.
    ///
    /// - Returns: nil where it has to be decoded.
    func texts(_ leaf: Node, _ count: Int, of content: ByteLeaf.Content) throws -> Int64? {
        switch (leaf.layout, leaf.hasRefs, leaf.hasContext) {
        case (.cells, false, false) where content == .string: return shortTexts(leaf, count)
        case (.bits, true, false): return try mediumTexts(leaf, count, of: content)
        case (.bits, true, true): return try bigTexts(leaf, count, of: content)
        default: return nil
        }
    }

    private func shortTexts(_ leaf: Node, _ count: Int) -> Int64? {
        guard leaf.isPlain(.cells, count), leaf.width <= NodeOutput.shortLimit + 1, leaf.width > 0 || !isRequired,
            leaf.hasUsualPadding(mayBeNull: !isRequired)
        else { return nil }
        if !UTF8Text.isASCII(leaf.payload) {
            for row in 0..<count {
                let padding = Int(leaf.payload[(row + 1) * leaf.width - 1])
                let end = (row + 1) * leaf.width - 1 - padding
                // A null has no text.
                guard end < row * leaf.width || UTF8Text.isValid(leaf.bytes(row * leaf.width..<end)) else { return nil }
            }
        }
        return output.append(leaf)
    }

    private func mediumTexts(_ leaf: Node, _ count: Int, of content: ByteLeaf.Content) throws(InputError) -> Int64? {
        guard leaf.hasParts(3), let nulls = try image.child(2, of: leaf) else { return nil }
        let ends = try image.integers(0, of: leaf, "the ends of a leaf of strings")
        let blob = try image.requiredChild(1, of: leaf, "the bytes of a leaf of strings")
        guard ends.isPlain(.bits, count), nulls.isPlain(.bits, count), nulls.width <= 1, blob.isBlob,
            areUsual(scratch.integers(of: ends), scratch.moreIntegers(of: nulls), blob, content)
        else { return nil }
        let parts = [output.append(ends), output.append(blob), output.append(nulls)]
        return output.append(integers: parts, .hasRefs)
    }

    /// Whether ends, nulls and bytes of a medium leaf are as the writer has them.
    private func areUsual(
        _ ends: UnsafeMutableBufferPointer<Int64>, _ nulls: UnsafeMutableBufferPointer<Int64>, _ blob: Node,
        _ content: ByteLeaf.Content
    ) -> Bool {
        let terminator = content.rawValue
        let isText = content == .string && !UTF8Text.isASCII(blob.payload)
        var start = 0
        for row in ends.indices {
            guard let end = Int(exactly: ends[row]), end <= blob.count else { return false }
            let length = end - start - terminator
            guard length >= 0, length <= NodeOutput.mediumLimit(of: content),
                terminator == 0 || blob.payload[end - 1] == 0, nulls[row] == 0 || length == 0 && !isRequired,
                !isText || UTF8Text.isValid(blob.bytes(start..<end - terminator))
            else { return false }
            start = end
        }
        return start == blob.count
    }

    private func bigTexts(_ leaf: Node, _ count: Int, of content: ByteLeaf.Content) throws -> Int64? {
        guard leaf.count == count, !leaf.isInner else { return nil }
        // All are looked at before any is copied.
        for row in 0..<count {
            guard let ref = try leaf.reference(at: row) else {
                if isRequired { return nil }
                continue
            }
            guard isUsual(try image.header(at: ref), content) else { return nil }
        }
        var references: [Int64] = []
        references.reserveCapacity(count)
        for row in 0..<count {
            references.append(try image.child(row, of: leaf).map { output.append($0) } ?? 0)
            try flush()
        }
        return output.append(longValues: references)
    }

    private func isUsual(_ blob: Node, _ content: ByteLeaf.Content) -> Bool {
        guard blob.isBlob else { return false }
        guard content == .string else { return true }
        let length = blob.count - 1
        return length >= 0 && length <= RealmLimits.stringBytes && blob.payload[length] == 0
            && UTF8Text.isValid(blob.bytes(0..<length))
    }
}

extension Node {
    /// Whether it is a run of bytes without flags.
    fileprivate var isBlob: Bool { isPlain(.blob, count) }

    /// Whether each cell of a leaf of short strings is a text and zeros, and says how many these are.
    fileprivate func hasUsualPadding(mayBeNull: Bool) -> Bool {
        guard width > 0, let cells = payload.baseAddress else { return true }
        for row in 0..<count {
            let cell = cells + row * width
            let isUsual =
                switch width {
                case 1: Self.isUsual(UInt64(cell.load(as: UInt8.self)), bytes: 1, mayBeNull)
                case 2: Self.isUsual(UInt64(cell.loadUnaligned(as: UInt16.self)), bytes: 2, mayBeNull)
                case 4: Self.isUsual(UInt64(cell.loadUnaligned(as: UInt32.self)), bytes: 4, mayBeNull)
                case 8: Self.isUsual(cell.loadUnaligned(as: UInt64.self), bytes: 8, mayBeNull)
                default:
                    Self.isUsual(
                        cell.loadUnaligned(as: UInt64.self),
                        cell.loadUnaligned(fromByteOffset: 8, as: UInt64.self), mayBeNull)
                }
            guard isUsual else { return false }
        }
        return true
    }

    /// A cell of up to eight bytes: what is above the text, and below the number of zeros, is zero.
    @inline(__always)
    private static func isUsual(_ cell: UInt64, bytes: UInt64, _ mayBeNull: Bool) -> Bool {
        let rest = 8 * (bytes - 1)
        let (padding, text) = (cell >> rest, cell & (1 << rest &- 1))
        guard padding < bytes else { return padding == bytes && text == 0 && mayBeNull }
        return text >> (rest - 8 * padding) == 0
    }

    /// A cell of sixteen bytes, in two words.
    @inline(__always)
    private static func isUsual(_ low: UInt64, _ high: UInt64, _ mayBeNull: Bool) -> Bool {
        let (padding, text) = (high >> 56, high & (1 << 56 &- 1))
        guard padding < 16 else { return padding == 16 && text == 0 && low == 0 && mayBeNull }
        let length = 15 - padding
        return length >= 8 ? text >> (8 * (length - 8)) == 0 : text == 0 && low >> (8 * length) == 0
    }
}
