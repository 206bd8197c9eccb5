import Columns
import RealmModel

/// Takes links to objects that do not come back out of cells.
struct LinkRepair {
    /// The objects of each class, by the class's name.
    let censuses: [NameKey: ObjectCensus]

    /// Whether a property may hold links.
    static func concerns(_ property: Property) -> Bool { property.type == .object || property.type == .mixed }

    /// The cells without links to what is not there: null, or left out of lists and sets.
    ///
    /// - Parameter lose: hears of each row that had such links, and of their number.
    func repaired(_ array: ColumnArray, of property: Property, lose: (_ row: Int, _ count: Int) -> Void) -> ColumnArray
    {
        switch array.values {
        case .list(let offsets, let elements):
            let (nulled, broken) = nulled(elements, of: property)
            guard !broken.isEmpty else { return array }
            let leavesOut = property.type == .object || property.collection == .set
            return Self.tell(broken, offsets, lose) {
                leavesOut ? Self.without(broken, offsets, elements, as: ColumnType(property)) : nil
            }
                ?? ColumnArray(
                    count: array.count, validity: array.validity, values: .list(offsets: offsets, elements: nulled))
        case .dictionary(let offsets, let keys, let values):
            let (nulled, broken) = nulled(values, of: property)
            guard !broken.isEmpty else { return array }
            return Self.tell(broken, offsets, lose) { nil }
                ?? ColumnArray(
                    count: array.count, validity: array.validity,
                    values: .dictionary(offsets: offsets, keys: keys, values: nulled))
        default:
            let (nulled, broken) = nulled(array, of: property)
            for (row, count) in broken { lose(row, count) }
            return nulled
        }
    }

    /// Tells of the rows of broken elements, then makes something of them.
    private static func tell(
        _ broken: [(row: Int, count: Int)], _ offsets: [Int32], _ lose: (Int, Int) -> Void,
        _ body: () -> ColumnArray?
    ) -> ColumnArray? {
        var row = 0
        for (element, count) in broken {
            while Int(offsets[row + 1]) <= element { row += 1 }
            lose(row, count)
        }
        return body()
    }

    /// Lists without some of their elements; nil where they can't be made.
    private static func without(
        _ broken: [(row: Int, count: Int)], _ offsets: [Int32], _ elements: ColumnArray, as type: ColumnType
    ) -> ColumnArray? {
        let builder = ColumnBuilder(type.elementType)
        var ends: [Int32] = [0]
        var next = broken.startIndex
        for row in 0..<offsets.count - 1 {
            var start = Int(offsets[row])
            let end = Int(offsets[row + 1])
            while next < broken.endIndex, broken[next].row < end {
                guard (try? builder.append(start..<broken[next].row, of: elements)) != nil else { return nil }
                start = broken[next].row + 1
                next += 1
            }
            guard (try? builder.append(start..<end, of: elements)) != nil else { return nil }
            ends.append(Int32(truncatingIfNeeded: builder.count))
        }
        return ColumnArray(count: offsets.count - 1, values: .list(offsets: ends, elements: builder.finish()))
    }

    /// Single cells, null where they were links to what is not there, and which those are.
    private func nulled(
        _ array: ColumnArray, of property: Property
    ) -> (ColumnArray, broken: [(row: Int, count: Int)]) {
        switch array.values {
        case .int(let cells) where property.type == .object: return nulled(array, cells, of: property)
        case .variable(let offsets, let bytes) where property.type == .mixed: return nulled(array, offsets, bytes)
        default: return (array, [])
        }
    }

    private func nulled(
        _ array: ColumnArray, _ cells: [Int64], of property: Property
    ) -> (ColumnArray, broken: [(row: Int, count: Int)]) {
        let census = property.objectType.flatMap { censuses[name: $0] }
        let broken = cells.indices.filter { !array.isNull($0) && census?.contains(cells[$0]) != true }
        guard !broken.isEmpty else { return (array, []) }
        var (cells, validity) = (cells, array.validity ?? Bitmap(repeating: true, count: array.count))
        for row in broken {
            cells[row] = 0
            validity[row] = false
        }
        return (
            ColumnArray(count: array.count, validity: validity, values: .int(cells)), broken.map { ($0, 1) }
        )
    }

    private func nulled(
        _ array: ColumnArray, _ offsets: [Int32], _ bytes: [UInt8]
    ) -> (ColumnArray, broken: [(row: Int, count: Int)]) {
        var repaired: [Int: Value] = [:]
        var broken: [(row: Int, count: Int)] = []
        for row in 0..<array.count where !array.isNull(row) && offsets[row] < offsets[row + 1] {
            guard ValueCoding.mayHaveLinks(bytes[Int(offsets[row])]),
                var value = try? array.value(at: row, as: ColumnType(.mixed))
            else { continue }
            let count = remove(from: &value)
            guard count > 0 else { continue }
            repaired[row] = value
            broken.append((row, count))
        }
        guard !broken.isEmpty else { return (array, []) }
        let builder = ColumnBuilder(ColumnType(.mixed))
        var next = 0
        for (row, _) in broken {
            // Values that were decoded a moment ago are taken again.
            guard (try? builder.append(next..<row, of: array)) != nil,
                (try? builder.append(repaired[row] ?? .null)) != nil
            else { return (array, []) }
            next = row + 1
        }
        guard (try? builder.append(next..<array.count, of: array)) != nil else { return (array, []) }
        return (builder.finish(), broken)
    }

    /// Makes links to what is not there null, however deep they are, and counts them.
    private func remove(from value: inout Value) -> Int {
        switch value {
        case .typedLink(let name, let key):
            if censuses[name: name]?.contains(key.value) == true { return 0 }
            value = .null
            return 1
        case .list(var elements):
            let count = elements.indices.reduce(0) { $0 + remove(from: &elements[$1]) }
            value = .list(elements)
            return count
        case .dictionary(var entries):
            let count = entries.indices.reduce(0) { $0 + remove(from: &entries[$1].value) }
            value = .dictionary(entries)
            return count
        default: return 0
        }
    }
}
