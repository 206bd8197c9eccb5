import Columns
import RealmModel

/// Goes through the links of one property, row by row.
struct LinkScan {
    /// Called with the row, the class that the link leads to, and the object's key.
    typealias Body = (_ row: Int, _ target: Int, _ key: Int64) throws -> Void

    let source: LinkSource
    let reader: ClassReader
    private let classIndexes: [NameKey: Int]
    private let format: WrittenFormat

    init(_ source: LinkSource, _ reader: ClassReader, classIndexes: [NameKey: Int], in format: WrittenFormat) {
        self.format = format
        self.source = source
        self.reader = reader
        self.classIndexes = classIndexes
    }

    /// The error of a link of the property.
    ///
    /// - Parameter key: the key of the object that has it.
    func brokenLink(key: Int64? = nil) -> InputError {
        .brokenLink(
            of: reader.stored.schema.name, reader.stored.schema.properties[source.propertyIndex].name, key: key)
    }

    private func nestedCollection(_ row: Int, inGroup group: Int) throws -> InputError {
        let key = try reader.keys(inGroup: group)[row]
        let property = reader.stored.schema.properties[source.propertyIndex].name
        return .nestedCollection(format, of: reader.stored.schema.name, property, key: key)
    }

    /// Hands over the links of the objects of a row group that are not deleted.
    func forEachLink(inGroup group: Int, _ body: Body) throws {
        if case .constant(let value)? = try reader.segment(source.propertyIndex, inGroup: group)?.content {
            switch value {
            case .null: return
            case .list([]), .dictionary([]):
                if source.type.collection != .none || format.hasNestedCollections { return }
            default: break
            }
        }
        let deleted = reader.rowGroups[group].deleted
        let array = try reader.column(source.propertyIndex, inGroup: group)
        for row in 0..<array.count where deleted?[row] != true {
            switch array.values {
            case .list(let offsets, let elements), .dictionary(let offsets, _, let elements):
                for element in Int(offsets[row])..<Int(offsets[row + 1]) {
                    try forEachLink(in: elements, at: element, of: row, inGroup: group, body)
                }
            default: try forEachLink(in: array, at: row, of: row, inGroup: group, body)
            }
        }
    }

    private func forEachLink(
        in array: ColumnArray, at index: Int, of row: Int, inGroup group: Int, _ body: Body
    ) throws {
        if array.isNull(index) { return }
        if case .int(let keys) = array.values {
            guard let target = source.target else { throw brokenLink() }
            return try body(row, target, keys[index])
        }
        let value = try array.value(at: index, as: source.type.elementType)
        if !format.hasNestedCollections, value.isCollection { throw try nestedCollection(row, inGroup: group) }
        try forEachLink(in: value, of: row, body)
    }

    private func forEachLink(in value: Value, of row: Int, _ body: Body) throws {
        switch value {
        case .typedLink(let className, let key):
            guard let target = classIndexes[name: className] else { throw brokenLink() }
            try body(row, target, key.value)
        case .list(let elements): for element in elements { try forEachLink(in: element, of: row, body) }
        case .dictionary(let entries): for entry in entries { try forEachLink(in: entry.value, of: row, body) }
        default: break
        }
    }
}

extension Value {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }
}
