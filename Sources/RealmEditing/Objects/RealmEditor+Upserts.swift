import Columns
import RealmModel

/// Objects by primary key and whole rows of values, for who has many of them and has checked them already.
extension RealmEditor {
    /// The object of a primary key; nil where there is none.
    ///
    /// - Parameter value: of the primary key's type.
    package func object(in classIndex: Int, of value: Value) throws -> ObjectReference? {
        let shown = view.schema.classes[classIndex]
        guard let name = shown.primaryKey else { throw EditingError.noPrimaryKey(shown.name) }
        guard let stored = view.workingClass(classIndex), let column = stored.column(named: name) else { return nil }
        return try view.firstKey(of: value, in: classIndex, stored, column).map {
            ObjectReference(side: .new, classIndex: classIndex, key: $0)
        }
    }

    /// Adds an object whose primary key the caller has found to be free.
    ///
    /// - Parameter values: one a stored column, of its type; links are null and embedded objects none yet.
    package func insert(_ values: [Value], into classIndex: Int, primaryKey: Value) throws -> ObjectReference {
        guard let stored = view.workingClass(classIndex) else {
            throw EditingError.unknownClass(view.schema.classes[classIndex].name)
        }
        let key = try stored.create(values)
        view.primaryKeys[classIndex]?.note(primaryKey, of: key.value)
        return ObjectReference(side: .new, classIndex: classIndex, key: key)
    }

    /// Adds objects whose primary keys the caller knows to be free, as a row group of its own.
    ///
    /// - Parameter arrays: one a stored column, of its type and with a row an object; no links, no embedded objects, and no null
    ///   where a value is required.
    /// - Returns: the keys, ascending.
    package func insert(_ arrays: [ColumnArray], count: Int, into classIndex: Int) throws -> [Int64] {
        guard let stored = view.workingClass(classIndex) else {
            throw EditingError.unknownClass(view.schema.classes[classIndex].name)
        }
        view.primaryKeys[classIndex] = nil
        return try stored.create(arrays, count: count)
    }
}
