import RealmModel

extension ColumnArray {
    /// Whether the cells lie as those of a column of the type do; bytes from elsewhere need not.
    public func hasLayout(of type: ColumnType) -> Bool {
        switch (values, type.collection) {
        case (.list(_, let elements), .list), (.list(_, let elements), .set):
            elements.hasLayout(of: type.elementType)
        case (.dictionary(_, let keys, let values), .dictionary):
            keys.hasLayout(of: ColumnType(.string)) && keys.validity == nil && values.hasLayout(of: type.elementType)
        case (_, .none): hasLayout(ofSingle: type.element)
        default: false
        }
    }

    private func hasLayout(ofSingle type: PropertyType) -> Bool {
        switch (values, type) {
        case (.int, .int), (.int, .object), (.bool, .bool), (.float, .float), (.double, .double), (.date, .date): true
        case (.fixed(let width, _), .objectId): width == ObjectId.byteCount
        case (.fixed(let width, _), .uuid): width == UUID.byteCount
        case (.fixed(let width, _), .decimal128): width == MemoryLayout<Decimal128>.size
        case (.variable, .string), (.variable, .data), (.variable, .mixed): true
        default: false
        }
    }
}
