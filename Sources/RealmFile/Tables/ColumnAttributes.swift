/// The attributes of a column beside its type, REALM_FORMAT section 8.2.
struct ColumnAttributes: OptionSet {
    let rawValue: Int64

    static let indexed = ColumnAttributes(rawValue: 1)
    static let nullable = ColumnAttributes(rawValue: 16)
    static let list = ColumnAttributes(rawValue: 32)
    static let dictionary = ColumnAttributes(rawValue: 64)
    static let set = ColumnAttributes(rawValue: 128)
    static let fullTextIndexed = ColumnAttributes(rawValue: 256)
}
