import Columns
import RealmModel

extension [StoredClass] {
    /// The places of classes by their names.
    var classIndexes: [NameKey: Int] {
        Dictionary(enumerated().map { (NameKey($1.schema.name), $0) }) { first, _ in first }
    }
}

/// A property that links come from, and where they may lead.
struct LinkSource {
    /// The class, by its place in the snapshot.
    let classIndex: Int
    /// The property, by its place in the class.
    let propertyIndex: Int
    let type: ColumnType
    /// The class that the property names; nil for mixed properties.
    let target: Int?
    /// How many links lead to each row group of each class that any lead to; a property that names a class has an
    /// entry for it in any case.
    var counts: [Int: [Int]]

    /// The classes that links lead to, in order.
    var targets: [Int] { counts.keys.sorted() }

    /// How many links lead to some row groups of a class.
    func linkCount(to target: Int, _ groups: Range<Int>) -> Int {
        counts[target]?[groups].reduce(0, +) ?? 0
    }
}
