import RealmModel

extension ClassReader {
    /// The properties of which every object needs a value, by their indexes in `stored.schema.properties`.
    public var requiredProperties: [Int] {
        stored.schema.properties.indices.filter { stored.schema.properties[$0].requiresValue }
    }

    /// The properties with kept values, which objects have that lack one of another property, by their indexes.
    public var awaitingProperties: [Int] {
        stored.schema.properties.indices.filter { stored.schema.properties[$0].isAwaiting }
    }

    /// The rows of a row group whose objects lack a value that the class requires, or one in the place of a kept one, deleted
    /// ones included; nil where there are none.
    ///
    /// Reads nothing of a class that has no such objects.
    public func unsyncedRows(inGroup group: Int) throws -> Bitmap? {
        guard stored.unsyncedCount > 0 else { return nil }
        var rows: Bitmap?
        for property in requiredProperties {
            let array = try column(property, inGroup: group)
            guard array.nullCount > 0 else { continue }
            var found = rows ?? Bitmap(count: array.count)
            for row in 0..<array.count where array.isNull(row) { found[row] = true }
            rows = found
        }
        for index in awaitingProperties {
            let (property, array) = (stored.schema.properties[index], try column(index, inGroup: group))
            guard array.nullCount < array.count else { continue }
            var found = rows ?? Bitmap(count: array.count)
            let type = ColumnType(property)
            for row in 0..<array.count where try !property.isNothing(array.value(at: row, as: type)) {
                found[row] = true
            }
            rows = found
        }
        return rows
    }
}
