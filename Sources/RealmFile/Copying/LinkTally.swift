import Columns
import RealmModel

/// The sums of the links of one column, which may lead to several classes.
final class LinkTally {
    private let type: ColumnType
    /// The class that the property names, by its place; nil for mixed values.
    private let target: Int?
    private let classIndexes: [NameKey: Int]
    private let sums: [Int: LinkSum]

    /// - Parameter sums: those of the classes that have backlinks of the column, by their places.
    init(_ source: LinkSource, classIndexes: [NameKey: Int], sums: [Int: LinkSum]) {
        type = source.type
        target = source.target
        self.classIndexes = classIndexes
        self.sums = sums
    }

    /// Adds the links of some objects.
    func add(_ array: ColumnArray, keys: UnsafeBufferPointer<Int64>) throws {
        for row in 0..<array.count {
            try add(try array.value(at: row, as: type), of: keys[row])
        }
    }

    /// Adds the links of elements of one object's list.
    func add(elements array: ColumnArray, of origin: Int64) throws {
        for row in 0..<array.count { try add(try array.value(at: row, as: type.elementType), of: origin) }
    }

    private func add(_ value: Value, of origin: Int64) throws(InputError) {
        switch value {
        case .link(let key): try sum(target).add(links: CollectionOfOne(key.value), of: origin)
        case .typedLink(let className, let key):
            try sum(classIndexes[name: className]).add(links: CollectionOfOne(key.value), of: origin)
        case .list(let elements): for element in elements { try add(element, of: origin) }
        case .dictionary(let entries): for entry in entries { try add(entry.value, of: origin) }
        default: break
        }
    }

    private func sum(_ target: Int?) throws(InputError) -> LinkSum {
        guard let sum = target.flatMap({ sums[$0] }) else { throw .uncopied("links without backlinks") }
        return sum
    }
}
