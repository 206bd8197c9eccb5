import Columns
import RealmMigration

/// Lists that a script wrote over those of a row group.
struct PendingLists {
    /// For each row the number of elements that it has now, or `PendingState.keptLength`; rows behind were not written.
    let lengths: [Int32]
    /// The elements of all lists that were written.
    let elements: ColumnArray

    private static let mismatch = MigrationError(.invalidArgument, "The lists written do not fit their column.")

    /// The lists of all rows.
    ///
    /// - Parameter current: the lists as they were; nil where all are written.
    func replacing(_ current: ColumnArray?) throws(MigrationError) -> ColumnArray {
        guard let current else { return try whole() }
        guard case .list(let offsets, let old) = current.values, lengths.count <= current.count else {
            throw Self.mismatch
        }
        var runs: [ElementRun] = []
        var ends: [Int32] = [0]
        var start = 0
        var count = 0
        for row in 0..<current.count {
            let length = row < lengths.count ? lengths[row] : PendingState.keptLength
            if length == PendingState.keptLength {
                let kept = Int(offsets[row])..<Int(offsets[row + 1])
                append(ElementRun(isWritten: false, range: kept), to: &runs)
                count += kept.count
            } else {
                guard length >= 0, Int(length) <= elements.count - start else { throw Self.mismatch }
                append(ElementRun(isWritten: true, range: start..<start + Int(length)), to: &runs)
                start += Int(length)
                count += Int(length)
            }
            guard let end = Int32(exactly: count) else { throw Self.mismatch }
            ends.append(end)
        }
        guard start == elements.count else { throw Self.mismatch }
        return ColumnArray(
            count: current.count, values: .list(offsets: ends, elements: try merge(old, runs, count: count)))
    }

    private func whole() throws(MigrationError) -> ColumnArray {
        var ends: [Int32] = [0]
        ends.reserveCapacity(lengths.count + 1)
        var count = 0
        for length in lengths {
            guard length >= 0 else { throw Self.mismatch }
            count += Int(length)
            guard count <= elements.count, let end = Int32(exactly: count) else { throw Self.mismatch }
            ends.append(end)
        }
        guard count == elements.count else { throw Self.mismatch }
        return ColumnArray(count: lengths.count, values: .list(offsets: ends, elements: elements))
    }

    /// Adds elements to those before them; rows that follow one another are mostly of one kind.
    private func append(_ run: ElementRun, to runs: inout [ElementRun]) {
        if let last = runs.last, last.isWritten == run.isWritten, last.range.upperBound == run.range.lowerBound {
            runs[runs.count - 1].range = last.range.lowerBound..<run.range.upperBound
        } else {
            runs.append(run)
        }
    }

    /// The elements of some rows: some of those that were written, or of those that were there.
    private struct ElementRun {
        let isWritten: Bool
        var range: Range<Int>
    }

    private func merge(_ old: ColumnArray, _ runs: [ElementRun], count: Int) throws(MigrationError) -> ColumnArray {
        let values: ColumnArray.Values
        switch (old.values, elements.values) {
        case (.int(let left), .int(let right)): values = .int(gather(left, right, runs, count))
        case (.double(let left), .double(let right)): values = .double(gather(left, right, runs, count))
        case (.float(let left), .float(let right)): values = .float(gather(left, right, runs, count))
        case (.bool(let left), .bool(let right)): values = .bool(gather(left, right, runs, count))
        case (.date(let leftSeconds, let left), .date(let rightSeconds, let right)):
            values = .date(
                seconds: gather(leftSeconds, rightSeconds, runs, count),
                nanoseconds: gather(left, right, runs, count))
        case (.variable(let leftOffsets, let left), .variable(let rightOffsets, let right)):
            values = try gather((leftOffsets, left), (rightOffsets, right), runs)
        default: throw Self.mismatch
        }
        return ColumnArray(count: count, validity: validity(old, runs, count: count), values: values)
    }

    private func gather<Cell>(_ old: [Cell], _ written: [Cell], _ runs: [ElementRun], _ count: Int) -> [Cell] {
        var cells: [Cell] = []
        cells.reserveCapacity(count)
        for run in runs { cells += run.isWritten ? written[run.range] : old[run.range] }
        return cells
    }

    private func gather(_ old: Bitmap, _ written: Bitmap, _ runs: [ElementRun], _ count: Int) -> Bitmap {
        var bits = Bitmap(count: count)
        var place = 0
        for run in runs {
            for index in run.range {
                bits[place] = run.isWritten ? written[index] : old[index]
                place += 1
            }
        }
        return bits
    }

    private func gather(
        _ old: (offsets: [Int32], bytes: [UInt8]), _ written: (offsets: [Int32], bytes: [UInt8]), _ runs: [ElementRun]
    ) throws(MigrationError) -> ColumnArray.Values {
        var offsets: [Int32] = [0]
        var bytes: [UInt8] = []
        for run in runs where !run.range.isEmpty {
            let source = run.isWritten ? written : old
            let start = Int(source.offsets[run.range.lowerBound])
            guard Int(source.offsets[run.range.upperBound]) - start + bytes.count <= Int32.max else {
                throw MigrationError(nil, "One row group has more than 2 GiB of text.")
            }
            let shift = bytes.count - start
            for index in run.range { offsets.append(Int32(Int(source.offsets[index + 1]) + shift)) }
            bytes += source.bytes[start..<Int(source.offsets[run.range.upperBound])]
        }
        return .variable(offsets: offsets, bytes: bytes)
    }

    private func validity(_ old: ColumnArray, _ runs: [ElementRun], count: Int) -> Bitmap? {
        guard old.nullCount > 0 || elements.nullCount > 0 else { return nil }
        let all = Bitmap(repeating: true, count: max(old.count, elements.count))
        return gather(old.validity ?? all, elements.validity ?? all, runs, count)
    }
}
