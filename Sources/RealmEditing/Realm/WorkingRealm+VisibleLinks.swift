import Columns
import RealmModel

extension WorkingRealm {
    /// A column as readers see it: links to deleted objects are null, and gone from lists.
    ///
    /// - Parameter property: the column's, which is no dictionary and not mixed, or the column comes back as it is.
    func visible(_ array: ColumnArray, of property: Property) throws -> ColumnArray {
        guard property.type == .object, let name = property.objectType, hasDeletions,
            let target = self[name], target.deletionCount > 0
        else { return array }
        switch array.values {
        case .int(let keys): return try visible(array, keys: keys, in: target)
        case .list(let offsets, let elements):
            guard case .int(let keys) = elements.values else { return array }
            return try visible(array, offsets: offsets, keys: keys, in: target)
        default: return array
        }
    }

    private func visible(_ array: ColumnArray, keys: [Int64], in target: WorkingClass) throws -> ColumnArray {
        var visible = array
        for row in 0..<array.count where try !array.isNull(row) && target.position(of: keys[row]) == nil {
            if visible.validity == nil { visible.validity = Bitmap(repeating: true, count: array.count) }
            visible.validity?[row] = false
        }
        return visible
    }

    private func visible(
        _ array: ColumnArray, offsets: [Int32], keys: [Int64], in target: WorkingClass
    ) throws -> ColumnArray {
        var kept: [Int64] = []
        var ends: [Int32] = [0]
        kept.reserveCapacity(keys.count)
        ends.reserveCapacity(offsets.count)
        for row in 0..<array.count {
            for index in Int(offsets[row])..<Int(offsets[row + 1]) where try target.position(of: keys[index]) != nil {
                kept.append(keys[index])
            }
            ends.append(Int32(kept.count))
        }
        return ColumnArray(
            count: array.count, validity: array.validity,
            values: .list(offsets: ends, elements: ColumnArray(count: kept.count, values: .int(kept))))
    }
}
