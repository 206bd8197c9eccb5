import RealmModel

extension MigrationTransaction {
    /// The object of a primary key on one side; nil where there is none.
    ///
    /// - Throws: `MigrationError` where the class has no primary key or the input is not of its type.
    public func object(
        in classIndex: Int, side: MigrationSide, primaryKey: ScriptInput
    ) throws -> ObjectReference? {
        let objectSchema = schema(side).classes[classIndex]
        guard let property = objectSchema.primaryKeyProperty else {
            throw MigrationError(
                .invalidArgument, "Object type '\(objectSchema.name)' has no primary key",
                details: [ProblemItem("The class has no primary key.", className: objectSchema.name)])
        }
        guard let stored = workingClass(classIndex, side: side), let column = stored.column(named: property.name)
        else { return nil }
        let wanted: Value
        switch primaryKey {
        case .null, .undefined: wanted = .null
        default:
            guard let value = primaryKey.scalar(as: property.type) else {
                throw MigrationError.wrongType(
                    objectSchema.name, property.name, expected: property.type.expectation, found: primaryKey.kind)
            }
            wanted = value
        }
        return try key(in: classIndex, side: side, of: wanted, in: column, stored).map {
            ObjectReference(side: side, classIndex: classIndex, key: $0)
        }
    }

    /// The first object that has a value for its primary key.
    func key(
        in classIndex: Int, side: MigrationSide, of wanted: Value, in column: WorkingColumn, _ stored: WorkingClass
    ) throws -> ObjectKey? {
        let name = ClassOnSide(side: side, index: classIndex)
        let index = try primaryKeyIndexes[name] ?? PrimaryKeyIndex(of: stored, column: column)
        primaryKeyIndexes[name] = index
        for key in index.candidates(for: wanted) {
            guard let position = try stored.position(of: key), try stored.value(column, at: position) == wanted
            else { continue }
            return ObjectKey(key)
        }
        return nil
    }

    /// The objects of one side that link to an object by a linking-objects property, in order of their keys.
    public func linkingObjects(_ property: Int, of object: ObjectReference) throws -> [ObjectReference] {
        let declared = schema(object.side).classes[object.classIndex].properties[property]
        guard let origin = declared.objectType, let originProperty = declared.originProperty,
            let originIndex = index(of: origin, side: object.side),
            let stored = workingClass(originIndex, side: object.side),
            let column = stored.column(named: originProperty)
        else { return [] }
        _ = try locate(object)
        let name = BacklinkIndex.Name(side: object.side, origin: originIndex, property: originProperty)
        let known = backlinkIndexes[name].flatMap { $0.revision == linkRevision || object.side == .old ? $0 : nil }
        let index = try known ?? BacklinkIndex(of: stored, column: column, revision: linkRevision)
        backlinkIndexes[name] = index
        return index.origins(of: object.key.value).map {
            ObjectReference(side: object.side, classIndex: originIndex, key: ObjectKey($0))
        }
    }
}

/// Which objects of a class link to which, by one column.
struct BacklinkIndex {
    /// What an index is of.
    struct Name: Hashable {
        let side: MigrationSide
        let origin: Int
        let property: String
    }

    /// The transaction's `linkRevision` when it was built.
    let revision: Int
    private var links: [(target: Int64, origin: Int64)] = []

    init(of stored: WorkingClass, column: WorkingColumn, revision: Int) throws {
        self.revision = revision
        try stored.forEachObject { position, key in
            for target in try stored.value(column, at: position).linkedKeys { links.append((target.value, key)) }
        }
        links.sort { ($0.target, $0.origin) < ($1.target, $1.origin) }
    }

    /// The keys of the objects that link to a key, each as often as it does.
    func origins(of key: Int64) -> [Int64] {
        links[links.partitioningIndex { $0.target >= key }...].prefix { $0.target == key }.map(\.origin)
    }
}
