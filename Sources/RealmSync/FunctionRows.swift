import Columns
import RealmEditing
import RealmMigration
import RealmModel

/// Objects of a class on their way into functions of one object.
package struct FunctionRows {
    private let view: RealmView
    private let classIndex: Int
    private let shape: FunctionShape
    /// Of each property of the shape its index in the view's class.
    package let indices: [Int]
    /// The primary key's place among the properties; nil where the class has none.
    package let primaryKeyIndex: Int?

    /// Rows of a class of a view.
    ///
    /// - Parameter objectSchema: the properties that are shown; all of them the view's class has, too.
    package init(of objectSchema: ObjectSchema, in view: RealmView) throws {
        guard let classIndex = view.index(of: objectSchema.name) else {
            throw EditingError(.noSuchTable, "Object type '\(objectSchema.name)' not found in schema.")
        }
        self.view = view
        self.classIndex = classIndex
        shape = FunctionShape(objectSchema, in: view.schema)
        let shown = view.schema.classes[classIndex].properties
        indices = try shape.stored.map { property in
            guard let index = shown.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else {
                throw EditingError(
                    .invalidProperty, "Property '\(objectSchema.name).\(property.name)' does not exist.")
            }
            return index
        }
        primaryKeyIndex = shape.stored.firstIndex { objectSchema.isPrimaryKey($0) }
    }

    /// Whether a function sees every property as it is stored: none is a link or an embedded object.
    package var isStoredAsShown: Bool { shape.stored == shape.properties }

    /// What a function sees of an object.
    package var properties: [Property] { shape.properties }

    /// The objects of some keys, in their order, each of which is there.
    package func objects(_ keys: [Int64]) throws -> FunctionObjects {
        var columns: [ColumnArray] = []
        let shown = view.schema.classes[classIndex].properties
        let group = try wholeGroup(keys)
        for (index, property) in zip(indices, shape.properties) {
            // What a function sees as it is stored need not be looked at value by value.
            if let group, property.type != .mixed, shown[index].type == property.type {
                columns.append(try view.column(index, of: classIndex, rowGroup: group))
                continue
            }
            let builder = ColumnBuilder(ColumnType(property))
            for key in keys {
                let object = ObjectReference(side: .new, classIndex: classIndex, key: ObjectKey(key))
                let value = try view.value(index, of: object)
                guard property.type != .mixed || shown[index].type != .mixed || !value.holdsLinks else {
                    throw refusal(of: shown[index], key)
                }
                try builder.append(try plain(value, of: shown[index]))
            }
            columns.append(builder.finish())
        }
        return FunctionObjects(keys: keys.map { ObjectKey($0) }, columns: columns, primaryKey: primaryKeyIndex)
    }

    /// The row group whose objects these are, all of them and no others.
    private func wholeGroup(_ keys: [Int64]) throws -> Int? {
        guard let first = keys.first, let last = keys.last else { return nil }
        let groups = try view.sourceRowGroups(of: classIndex)
        guard
            let group = groups.firstIndex(where: {
                $0.firstKey == first && $0.lastKey == last && $0.rowCount == keys.count
            }), try view.allKeys(ofGroup: group, of: classIndex) == keys
        else { return nil }
        return group
    }

    /// A link inside a mixed value names its class, which a primary key does not: it would not come back as it was.
    private func refusal(of property: Property, _ key: Int64) -> EditingError {
        let message = "A mixed value that links to an object can't be given to a function."
        return EditingError(
            .illegalOperation, message,
            details: [
                ProblemItem(
                    message, className: view.schema.classes[classIndex].name, property: property.publicName,
                    key: ObjectKey(key))
            ])
    }

    /// A value without links: objects by their primary keys, embedded ones as dictionaries.
    private func plain(_ value: Value, of property: Property) throws -> Value {
        switch value {
        case .link(let key):
            guard let target = property.objectType else { return .null }
            return try plain(target, key)
        case .typedLink(let target, let key): return try plain(target, key)
        case .list(let elements): return .list(try elements.map { try plain($0, of: property) })
        case .dictionary(let entries):
            return .dictionary(try entries.map { DictionaryEntry($0.key, try plain($0.value, of: property)) })
        default: return value
        }
    }

    private func plain(_ className: String, _ key: ObjectKey) throws -> Value {
        guard let target = view.index(of: className) else { return .null }
        let shown = view.schema.classes[target]
        let object = ObjectReference(side: .new, classIndex: target, key: key)
        guard shown.isEmbedded else {
            guard let index = shown.properties.firstIndex(where: { shown.isPrimaryKey($0) }) else { return .null }
            return try view.value(index, of: object)
        }
        let entries = try shown.properties.indices.filter { !shown.properties[$0].isComputed }.map { index in
            let property = shown.properties[index]
            return DictionaryEntry(property.publicName, try plain(try view.value(index, of: object), of: property))
        }
        return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
}

extension Value {
    /// Whether the value is, or has inside, a link that names its class.
    fileprivate var holdsLinks: Bool {
        switch self {
        case .typedLink: true
        case .list(let elements): elements.contains(where: \.holdsLinks)
        case .dictionary(let entries): entries.contains { $0.value.holdsLinks }
        default: false
        }
    }
}
