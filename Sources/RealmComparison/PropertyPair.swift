import Columns
import RealmModel

/// A property that is compared, by its stored names on both sides.
struct PropertyName: Hashable {
    var from: String
    var to: String
}

/// A property that both classes of a comparison have.
struct PropertyPair {
    var name: PropertyName
    /// The columns.
    var property: Int
    var other: Int
    /// The types of the values.
    var oldType: ColumnType
    var newType: ColumnType
    /// Whether a null has no place in it any more.
    var becameRequired: Bool
    /// The class that it links to, by its old name.
    var target: String?
    /// The class that it links to now.
    var newTarget: String?
    /// Whether both are the same column of the same row groups.
    var isShared: Bool
    /// The embedded objects that differ and that it may own; nil where there are none.
    var parts: ChangedKeys?

    var hasSameType: Bool { oldType == newType }

    /// - Returns: nil where one of the classes has it not.
    init?(_ name: PropertyName, _ from: StoredClass, _ to: StoredClass, parts: ChangedKeys? = nil) {
        guard let property = from.index(of: name.from), let other = to.index(of: name.to) else { return nil }
        let (old, new) = (from.schema.properties[property], to.schema.properties[other])
        self.name = name
        self.property = property
        self.other = other
        (oldType, newType) = (ColumnType(old), ColumnType(new))
        becameRequired = old.isOptional && !new.isOptional
        target = old.type == .object ? old.objectType : nil
        newTarget = new.type == .object ? new.objectType : nil
        let sharesRows = from.rowGroups == to.rowGroups && from.keys == to.keys && from.patches == to.patches
        self.parts = parts
        isShared = parts == nil && sharesRows && oldType == newType && from.columns[property] == to.columns[other]
    }
}

extension StoredClass {
    /// The column of a property.
    func index(of property: String) -> Int? {
        schema.index(ofProperty: property)
    }
}
