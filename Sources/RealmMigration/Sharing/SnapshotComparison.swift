import Columns
import RealmModel

/// Whether two results of a migration are the same, cell by cell.
struct SnapshotComparison {
    let store: any SegmentStore

    /// Names the first class, and where it is one property alone the first property, that differ; nil where none does.
    func firstDifference(_ one: Snapshot, _ other: Snapshot) throws -> String? {
        guard one.classes.map(\.schema) == other.classes.map(\.schema) else { return "the schema" }
        for (class1, class2) in zip(one.classes, other.classes) where class1 != class2 {
            if let difference = try firstDifference(class1, class2) { return difference }
        }
        return nil
    }

    private func firstDifference(_ one: StoredClass, _ other: StoredClass) throws -> String? {
        let (reader1, reader2) = (try ClassReader(one, store: store), try ClassReader(other, store: store))
        let groups = reader1.rowGroups.indices
        guard reader1.rowGroups == reader2.rowGroups, one.nextSequence == other.nextSequence,
            try groups.allSatisfy({ try reader1.keys(inGroup: $0) == reader2.keys(inGroup: $0) })
        else { return "the objects of class '\(one.schema.name)'" }
        for (index, property) in one.schema.properties.enumerated() where one.columns[index] != other.columns[index] {
            let isSame = try groups.allSatisfy { group in
                let column1 = try reader1.column(index, inGroup: group)
                let column2 = try reader2.column(index, inGroup: group)
                // Every number that is none is another one than itself.
                return column1 == column2 || SegmentCoding.encode(column1) == SegmentCoding.encode(column2)
            }
            if !isSame { return "property '\(one.schema.name).\(property.name)'" }
        }
        return nil
    }
}
