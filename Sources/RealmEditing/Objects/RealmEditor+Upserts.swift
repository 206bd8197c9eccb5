import Columns
import RealmModel

/// Objects by primary key and whole rows of values, for who has many of them and has checked them already.
extension RealmEditor {
    /// The object of a primary key; nil where there is none.
    ///
    /// - Parameter value: of the primary key's type.
    package func object(in classIndex: Int, of value: Value) throws -> ObjectReference? {
        guard let name = view.schema.classes[classIndex].primaryKey else {
            throw EditingError.noPrimaryKey(view.schema.classes[classIndex].name)
        }
        guard let stored = view.workingClass(classIndex), let lookup = view.primaryKeyLookup(of: stored, by: name)
        else { return nil }
        return try lookup.firstKey(of: value).map {
            ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey($0))
        }
    }

    /// Sets properties of an object that are neither links nor mixed, nor its primary key: as `set` does one by one.
    ///
    /// - Parameters:
    ///   - values: of the properties' types.
    ///   - readsBefore: whether to look first what the object has, and to write nothing over the same: for who writes much that is
    ///     there already.
    package func set(
        _ values: [(property: Int, value: Value)], of object: ObjectReference, readsBefore: Bool = false
    ) throws {
        let (stored, position) = try writable(object)
        let bindings = view.bindings(of: object.classIndex)
        for (index, given) in values {
            let property = bindings[index].property
            guard let column = bindings[index].column else { continue }
            let value = try coerce(.value(given), to: property, of: stored.name)
            let mayBeKept = value.mayBeKept(in: property)
            if readsBefore || mayBeKept {
                let before = try stored.value(column, at: position)
                if before == value || mayBeKept && before.isKept(over: value) { continue }
            }
            try dropKept(of: column, in: stored, at: position)
            try stored.set(value, in: column, at: position)
        }
    }

    /// The types of a class's stored columns, in their order.
    package func columnTypes(of classIndex: Int) throws -> [ColumnType] {
        guard let stored = view.workingClass(classIndex) else {
            throw EditingError.unknownClass(view.schema.classes[classIndex].name)
        }
        return stored.columns.map(\.type)
    }

    /// Adds objects whose primary keys the caller knows to be free, as a row group of their own.
    ///
    /// - Parameter arrays: one a stored column, of its type and all of one length, with a row an object; no links, no embedded
    ///   objects, and no null where a value is required.
    /// - Returns: the keys, ascending.
    package func insert(_ arrays: [ColumnArray], into classIndex: Int) throws -> [Int64] {
        guard let stored = view.workingClass(classIndex) else {
            throw EditingError.unknownClass(view.schema.classes[classIndex].name)
        }
        let keys = try stored.create(arrays, count: arrays.first?.count ?? 0)
        if let lookup = view.primaryKeys[stored], let name = view.schema.classes[classIndex].primaryKey,
            let column = stored.columns.firstIndex(where: { $0.property.name.hasSameBytes(as: name) })
        {
            try lookup.note(arrays[column], of: keys)
        }
        return keys
    }
}
