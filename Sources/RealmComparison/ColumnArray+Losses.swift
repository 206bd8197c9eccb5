import Columns
import RealmModel

extension ColumnArray {
    /// What a value has lost that is another one now, of a property whose type is the same.
    ///
    /// - Parameters:
    ///   - type: of the values, or of their elements.
    ///   - other: an array of the same layout.
    /// - Returns: nil where nothing is lost, or that can't be told.
    func loss(at row: Int, to other: ColumnArray, at otherRow: Int, of type: PropertyType) -> ConversionLoss? {
        if case .variable(let offsets, let bytes) = other.values, type == .string,
            ConversionLoss.isSlip(bytes[Int(offsets[otherRow])..<Int(offsets[otherRow + 1])])
        {
            return .wrongType
        }
        if isNull(row) { return nil }
        switch (values, other.values) {
        case (.int(let cells), .int(let others)) where type == .int:
            // What a script's numbers make of an integer that is larger than they are exact.
            let cell = cells[row]
            let isLarge = cell.magnitude > 1 << 53
            return isLarge && others[otherRow] != cell && Double(others[otherRow]) == Double(cell) ? .inexact : nil
        case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)):
            let (part, otherPart) = (nanoseconds[row], otherNanoseconds[otherRow])
            let isCut = seconds[row] == otherSeconds[otherRow] && part / 1_000_000 == otherPart / 1_000_000
            return isCut && otherPart.isMultiple(of: 1_000_000) && part != otherPart ? .truncated : nil
        case (.double(let cells), .double(let others)):
            return others[otherRow].isNaN && !cells[row].isNaN ? .wrongType : nil
        case (.float(let cells), .float(let others)):
            return others[otherRow].isNaN && !cells[row].isNaN ? .wrongType : nil
        case (.variable(let offsets, let bytes), .variable(let otherOffsets, let others))
        where type == .string || type == .data:
            let cell = bytes[Int(offsets[row])..<Int(offsets[row + 1])]
            let otherCell = others[Int(otherOffsets[otherRow])..<Int(otherOffsets[otherRow + 1])]
            return ConversionLoss.isCut(cell, to: otherCell, isText: type == .string) ? .truncated : nil
        case (.list(let offsets, let elements), .list(let otherOffsets, let others)):
            let run = Int(offsets[row])..<Int(offsets[row + 1])
            let otherRun = Int(otherOffsets[otherRow])..<Int(otherOffsets[otherRow + 1])
            guard !otherRun.isEmpty, otherRun.count < run.count else { return nil }
            return elements.isSame(run.prefix(otherRun.count), as: otherRun, of: others) ? .truncated : nil
        default: return nil
        }
    }
}
