import RealmModel

extension RealmView {
    /// The object of a primary key, of several the first; nil where there is none.
    ///
    /// - Throws: `EditingError` where the class has no primary key or the input is not of its type.
    package func object(in classIndex: Int, primaryKey: ObjectInput) throws -> ObjectReference? {
        let shown = schema.classes[classIndex]
        guard let property = shown.primaryKeyProperty else { throw EditingError.noPrimaryKey(shown.name) }
        guard let stored = workingClass(classIndex), let column = stored.column(named: property.name) else {
            return nil
        }
        let wanted: Value
        switch primaryKey {
        case .null, .undefined: wanted = .null
        default:
            guard let value = primaryKey.scalar(as: property.type) else {
                throw EditingError.wrongType(
                    shown.name, property.name, expected: property.type.expectation,
                    found: primaryKey.kind(insteadOf: property.type))
            }
            wanted = value
        }
        return try firstKey(of: wanted, in: classIndex, stored, column).map {
            ObjectReference(side: side, classIndex: classIndex, key: $0)
        }
    }

    /// Hears that objects of a class are going to be looked up by some primary keys, so that what that takes is read at once.
    package func willLookUp(_ values: [Value], in classIndex: Int) throws {
        guard let name = schema.classes[classIndex].primaryKey, let stored = workingClass(classIndex) else { return }
        try primaryKeyLookup(of: stored, by: name)?.willLookUp(values)
    }

    /// Looks objects up by primary key; nil where the class has no such property.
    func primaryKeyLookup(of stored: WorkingClass, by name: String) -> PrimaryKeyLookup? {
        if let known = primaryKeys[stored] { return known }
        return stored.column(named: name).map { primaryKeys.lookup(of: stored, by: $0) }
    }

    /// The first object that has a value for its primary key.
    func firstKey(
        of value: Value, in classIndex: Int, _ stored: WorkingClass, _ column: WorkingColumn
    ) throws -> ObjectKey? {
        let lookup = primaryKeys.lookup(of: stored, by: column)
        return try lookup.firstKey(of: value).map { ObjectKey($0) }
    }

    /// The objects that link to an object by a linking-objects property, in order of their keys.
    package func linkingObjects(_ property: Int, of object: ObjectReference) throws -> [ObjectReference] {
        let declared = schema.classes[object.classIndex].properties[property]
        guard let origin = declared.objectType, let originProperty = declared.originProperty else { return [] }
        return try linkingObjects(from: origin, by: originProperty, to: object)
    }

    /// The objects of a class that link to an object by a property, in order of their keys.
    package func linkingObjects(
        from origin: String, by originProperty: String, to object: ObjectReference
    ) throws -> [ObjectReference] {
        guard let originIndex = index(of: origin), let stored = workingClass(originIndex),
            let column = stored.column(named: originProperty)
        else { return [] }
        _ = try locate(object)
        let name = BacklinkIndex.Name(
            origin: originIndex, property: NameKey(originProperty), target: object.classIndex)
        let known = backlinkIndexes[name].flatMap { $0.revision == linkRevision ? $0 : nil }
        let target = schema.classes[object.classIndex].name
        let index = try known ?? BacklinkIndex(of: stored, column: column, to: target, revision: linkRevision)
        backlinkIndexes[name] = index
        return index.origins(of: object.key.value).map {
            ObjectReference(side: side, classIndex: originIndex, key: ObjectKey($0))
        }
    }
}
