import RealmModel

extension StoredColumn.TypeCode {
    static let link: Int64 = 12
    /// The key type of dictionaries, in the bits above a column's type.
    static let stringKeys: Int64 = 2 << 16

    /// The number of a property's type; a list of links has one of its own in some formats.
    static func code(of type: PropertyType) -> Int64 {
        switch type {
        case .int: 0
        case .bool: 1
        case .string: 2
        case .data: 4
        case .mixed: 6
        case .date: 8
        case .float: 9
        case .double: 10
        case .decimal128: 11
        case .object: link
        case .linkingObjects: backlink
        case .objectId: 15
        case .uuid: 17
        }
    }
}

extension ColumnKey {
    /// The key of a column of a table that never lost one, REALM_FORMAT section 8.3.
    init(leafIndex: Int, type: Int64, attributes: ColumnAttributes, table: Int64) {
        let kept = attributes.subtracting([.indexed, .fullTextIndexed]).rawValue & 0xff
        value = Int64(leafIndex) | type << 16 | kept << 22 | table << 30
    }
}

extension ColumnAttributes {
    /// The attributes of a property's column, as SDKs expect them (REALM_FORMAT section 8.2).
    init(of property: Property) {
        switch property.collection {
        case .none: self = []
        case .list: self = .list
        case .set: self = .set
        case .dictionary: self = .dictionary
        }
        switch (property.type, property.collection) {
        case (.object, .list), (.object, .set): break
        case (.object, _), (.mixed, _): insert(.nullable)
        default: if property.isOptional { insert(.nullable) }
        }
    }
}
