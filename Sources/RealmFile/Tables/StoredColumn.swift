import RealmModel

/// One public column as the table's spec describes it, REALM_FORMAT section 8.
struct StoredColumn {
    /// The most columns of a table: a column's key has 16 bits for its position.
    static let countLimit = 1 << 16

    /// The numbers that columns and mixed values have for their types.
    enum TypeCode {
        static let linkList: Int64 = 13
        static let backlink: Int64 = 14

        /// The property type of a column's type; nil for those that no property has.
        static func propertyType(_ code: Int64) -> PropertyType? {
            switch code {
            case 0: .int
            case 1: .bool
            case 2: .string
            case 4: .data
            case 6: .mixed
            case 8: .date
            case 9: .float
            case 10: .double
            case 11: .decimal128
            case 12, linkList: .object
            case 15: .objectId
            case 17: .uuid
            default: nil
            }
        }
    }

    let name: String
    let type: PropertyType
    let collection: CollectionKind
    let attributes: ColumnAttributes
    let key: ColumnKey
    /// The root of the list of distinct values that an enumerated column's cells are indexes into; nil for others.
    let enumeration: Int64?
    /// The table that links lead to; nil for other types.
    let targetTable: Int64?

    /// The property that the column is, in Realm's canonical form.
    ///
    /// - Parameters:
    ///   - isPrimaryKey: whether the table names the column as its primary key.
    ///   - objectType: the class that links lead to.
    func property(isPrimaryKey: Bool, objectType: String?) -> Property {
        Property(
            name, type, collection: collection, objectType: objectType, isOptional: isOptional,
            index: isPrimaryKey ? .none : index)
    }

    private var isOptional: Bool {
        switch (type, collection) {
        case (.object, .list), (.object, .set): false
        case (.object, _), (.mixed, _): true
        default: attributes.contains(.nullable)
        }
    }

    private var index: PropertyIndex {
        if attributes.contains(.fullTextIndexed) { return .fullText }
        return attributes.contains(.indexed) ? .general : .none
    }
}
