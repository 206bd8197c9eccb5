import Columns

extension ColumnArray {
    /// The array of some of the rows.
    ///
    /// - Parameter rows: in any order, which is that of the result.
    func keeping(_ rows: [Int]) -> ColumnArray {
        ColumnArray(
            count: rows.count, validity: validity.map { Self.keeping(rows, of: $0) }, values: keepingValues(rows))
    }

    private func keepingValues(_ rows: [Int]) -> Values {
        switch values {
        case .int(let cells): return .int(rows.map { cells[$0] })
        case .bool(let bits): return .bool(Self.keeping(rows, of: bits))
        case .float(let cells): return .float(rows.map { cells[$0] })
        case .double(let cells): return .double(rows.map { cells[$0] })
        case .date(let seconds, let nanoseconds):
            return .date(seconds: rows.map { seconds[$0] }, nanoseconds: rows.map { nanoseconds[$0] })
        case .fixed(let width, let bytes):
            return .fixed(width: width, rows.flatMap { bytes[$0 * width..<($0 + 1) * width] })
        case .variable(let offsets, let bytes):
            let runs = rows.map { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
            return .variable(offsets: Self.offsets(of: runs), bytes: runs.flatMap { bytes[$0] })
        case .list(let offsets, let elements):
            let runs = rows.map { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
            return .list(offsets: Self.offsets(of: runs), elements: elements.keeping(runs.flatMap { $0 }))
        case .dictionary(let offsets, let keys, let values):
            let runs = rows.map { Int(offsets[$0])..<Int(offsets[$0 + 1]) }
            let kept = runs.flatMap { $0 }
            return .dictionary(
                offsets: Self.offsets(of: runs), keys: keys.keeping(kept), values: values.keeping(kept))
        }
    }

    private static func offsets(of runs: [Range<Int>]) -> [Int32] {
        var end: Int32 = 0
        return [0]
            + runs.map {
                end += Int32($0.count)
                return end
            }
    }

    private static func keeping(_ rows: [Int], of bits: Bitmap) -> Bitmap {
        var kept = Bitmap(count: rows.count)
        for (index, row) in rows.enumerated() where bits[row] { kept[index] = true }
        return kept
    }
}
