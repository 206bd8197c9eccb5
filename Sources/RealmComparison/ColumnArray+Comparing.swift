import Columns

/// Rows of two arrays, pair by pair.
struct RowPairs {
    private(set) var rows: [Int] = []
    private(set) var others: [Int] = []

    var count: Int { rows.count }

    /// None.
    init() {}

    /// Rows of the same numbers in both.
    init(same rows: [Int]) {
        self.rows = rows
        others = rows
    }

    mutating func append(_ row: Int, _ other: Int) {
        rows.append(row)
        others.append(other)
    }

    mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        others.reserveCapacity(count)
    }
}

extension ColumnArray {
    /// The pairs whose cells differ, ascending; nil where the arrays have not the same layout.
    ///
    /// Numbers differ where their bits do: a not-a-number is what it is, and zero is not minus zero.
    func differing(from other: ColumnArray, at pairs: RowPairs) -> [Int]? {
        switch (values, other.values) {
        case (.int(let cells), .int(let others)):
            scan(other, pairs) { cells[$0] == others[$1] }
        case (.bool(let bits), .bool(let others)):
            scan(other, pairs) { bits[$0] == others[$1] }
        case (.float(let cells), .float(let others)):
            scan(other, pairs) { cells[$0].bitPattern == others[$1].bitPattern }
        case (.double(let cells), .double(let others)):
            scan(other, pairs) { cells[$0].bitPattern == others[$1].bitPattern }
        case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)):
            scan(other, pairs) { seconds[$0] == otherSeconds[$1] && nanoseconds[$0] == otherNanoseconds[$1] }
        case (.fixed(let width, let bytes), .fixed(let otherWidth, let others)) where width == otherWidth:
            scan(other, pairs) { row, otherRow in
                (0..<width).allSatisfy { bytes[row * width + $0] == others[otherRow * width + $0] }
            }
        case (.variable(let offsets, let bytes), .variable(let otherOffsets, let others)):
            scan(other, pairs) { row, otherRow in
                bytes[Int(offsets[row])..<Int(offsets[row + 1])].elementsEqual(
                    others[Int(otherOffsets[otherRow])..<Int(otherOffsets[otherRow + 1])])
            }
        case (.list(let offsets, let elements), .list(let otherOffsets, let others)):
            scan(other, pairs) { row, otherRow in
                elements.isSame(Self.run(row, offsets), as: Self.run(otherRow, otherOffsets), of: others)
            }
        case (.dictionary(let offsets, let keys, let values), .dictionary(let otherOffsets, let otherKeys, let others)):
            scan(other, pairs) { row, otherRow in
                let (run, otherRun) = (Self.run(row, offsets), Self.run(otherRow, otherOffsets))
                return keys.isSame(run, as: otherRun, of: otherKeys) && values.isSame(run, as: otherRun, of: others)
            }
        default: nil
        }
    }

    private static func run(_ row: Int, _ offsets: [Int32]) -> Range<Int> { Int(offsets[row])..<Int(offsets[row + 1]) }

    /// Whether a run of cells is the same as one of another array of the same layout.
    func isSame(_ run: Range<Int>, as other: Range<Int>, of array: ColumnArray) -> Bool {
        guard run.count == other.count else { return false }
        guard !run.isEmpty else { return true }
        var pairs = RowPairs()
        for (row, otherRow) in zip(run, other) { pairs.append(row, otherRow) }
        return differing(from: array, at: pairs)?.isEmpty ?? false
    }

    @inline(__always)
    private func scan(_ other: ColumnArray, _ pairs: RowPairs, _ isSame: (Int, Int) -> Bool) -> [Int] {
        var differing: [Int] = []
        let mayBeNull = validity != nil || other.validity != nil
        for index in 0..<pairs.count {
            let (row, otherRow) = (pairs.rows[index], pairs.others[index])
            if mayBeNull {
                let isNull = isNull(row)
                if isNull != other.isNull(otherRow) {
                    differing.append(index)
                    continue
                }
                if isNull { continue }
            }
            if !isSame(row, otherRow) { differing.append(index) }
        }
        return differing
    }
}
