/// Strings and data, REALM_FORMAT section 4.
extension NodeOutput {
    /// The longest string that a leaf of short strings of a column holds.
    static let shortLimit = 15
    /// The longest string of a leaf that keeps them in one blob.
    static let mediumStringLimit = 63
    /// The longest data of a leaf that keeps them in one blob.
    static let mediumDataLimit = 64
    /// The most bytes of one blob.
    static let blobLimit = 0xff_fff8 - 8

    /// Runs of bytes, some of them null, as a leaf takes them.
    struct Runs {
        /// Run `i` is `offsets[i]..<offsets[i + 1]` of `bytes`.
        let offsets: UnsafeBufferPointer<Int32>
        let bytes: UnsafeRawBufferPointer
        /// Whether a run is null.
        let isNull: (Int) -> Bool

        var count: Int { max(offsets.count - 1, 0) }

        func bytes(at index: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[Int(offsets[index])..<Int(offsets[index + 1])])
        }

        /// Bytes of the longest run; 0 where there is none.
        var longest: Int {
            var longest: Int32 = 0
            for index in 0..<count { longest = max(longest, offsets[index + 1] - offsets[index]) }
            return Int(longest)
        }
    }

    /// Appends a leaf of strings or data in the form that their length asks for.
    func append(leaf runs: Runs, of content: ByteLeaf.Content) -> Int64 {
        let longest = runs.longest
        switch content {
        case .string where longest <= Self.shortLimit: return append(short: runs, longest: longest)
        case _ where longest <= Self.mediumLimit(of: content): return append(medium: runs, of: content)
        default: return append(big: runs, of: content)
        }
    }

    /// The longest value of a leaf that keeps its values together.
    static func mediumLimit(of content: ByteLeaf.Content) -> Int {
        switch content {
        case .string: mediumStringLimit
        case .data: mediumDataLimit
        }
    }

    /// Appends one value of a leaf that refers to each of its values.
    func append(value bytes: UnsafeRawBufferPointer, of content: ByteLeaf.Content) -> Int64 {
        append(blob: bytes, terminator: content.rawValue)
    }

    /// Appends a leaf that refers to each of its values.
    ///
    /// - Parameter references: what `append(value:of:)` gave, 0 for null.
    func append(longValues references: [Int64]) -> Int64 {
        append(integers: references, [.hasRefs, .context])
    }

    /// Appends a list of names, of which none is null.
    func append(names: [String]) -> Int64 {
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        for name in names {
            bytes += name.utf8
            offsets.append(Int32(bytes.count))
        }
        return offsets.withUnsafeBufferPointer { offsets in
            bytes.withUnsafeBytes { bytes in
                let runs = Runs(offsets: offsets, bytes: bytes) { _ in false }
                return append(short: runs, longest: runs.longest)
            }
        }
    }

    /// - Parameter longest: bytes of the longest run, below 64.
    private func append(short runs: Runs, longest: Int) -> Int64 {
        let isEmpty = longest == 0 && (0..<runs.count).allSatisfy(runs.isNull)
        // A cell has a byte for the padding; the next power of two holds both.
        let width = isEmpty ? 0 : longest == 0 ? 1 : 1 << (Int.bitWidth - longest.leadingZeroBitCount)
        return append([], .cells, width: width, count: runs.count, payloadBytes: runs.count * width) { payload in
            for index in 0..<runs.count {
                let cell = payload + index * width
                let run = runs.bytes(at: index)
                if let start = run.baseAddress { cell.copyMemory(from: start, byteCount: run.count) }
                let padding = runs.isNull(index) ? width : width - 1 - run.count
                cell.storeBytes(of: UInt8(truncatingIfNeeded: padding), toByteOffset: width - 1, as: UInt8.self)
            }
        }
    }

    private func append(medium runs: Runs, of content: ByteLeaf.Content) -> Int64 {
        var ends: [Int64] = []
        var nulls: [Int64] = []
        ends.reserveCapacity(runs.count)
        nulls.reserveCapacity(runs.count)
        var end = 0
        for index in 0..<runs.count {
            end += runs.bytes(at: index).count + content.rawValue
            ends.append(Int64(end))
            nulls.append(runs.isNull(index) ? 1 : 0)
        }
        let endsRef = append(integers: ends)
        let blobRef = append([], .blob, width: 0, count: end, payloadBytes: end) { payload in
            var position = 0
            for index in 0..<runs.count {
                let run = runs.bytes(at: index)
                if let start = run.baseAddress { (payload + position).copyMemory(from: start, byteCount: run.count) }
                position += run.count + content.rawValue
            }
        }
        let nullsRef = append(integers: nulls)
        return append(integers: [endsRef, blobRef, nullsRef], .hasRefs)
    }

    private func append(big runs: Runs, of content: ByteLeaf.Content) -> Int64 {
        var refs: [Int64] = []
        refs.reserveCapacity(runs.count)
        for index in 0..<runs.count {
            refs.append(runs.isNull(index) ? 0 : append(value: runs.bytes(at: index), of: content))
        }
        return append(longValues: refs)
    }

    /// Appends one value; data past the limit of a blob is cut into several.
    private func append(blob bytes: UnsafeRawBufferPointer, terminator: Int) -> Int64 {
        guard bytes.count + terminator > Self.blobLimit else {
            return append(part: bytes, terminator: terminator)
        }
        var refs: [Int64] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.blobLimit, bytes.count)
            refs.append(append(part: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), terminator: 0))
            start = end
        }
        return append(integers: refs, [.hasRefs, .context])
    }

    private func append(part bytes: UnsafeRawBufferPointer, terminator: Int) -> Int64 {
        let count = bytes.count + terminator
        return append([], .blob, width: 0, count: count, payloadBytes: count) { payload in
            if let start = bytes.baseAddress { payload.copyMemory(from: start, byteCount: bytes.count) }
        }
    }
}
