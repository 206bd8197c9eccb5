import Columns
import RealmEditing
import RealmModel
import Testing

@testable import RealmMigration

/// A realm of a test: its store, its snapshot, and its objects as dictionaries.
struct TestRealm {
    typealias Object = [String: Value]

    let store: any SegmentStore
    let snapshot: Snapshot
    let limits: RowGroupLimits

    init(_ snapshot: Snapshot, store: any SegmentStore, limits: RowGroupLimits) {
        self.snapshot = snapshot
        self.store = store
        self.limits = limits
    }

    /// A realm of some objects; keys are given as Realm gives them, properties left out start as they do by themselves.
    init(
        _ classes: [ObjectSchema], version: UInt64? = 0, objects: [String: [Object]] = [:],
        limits: RowGroupLimits = RowGroupLimits(rows: 2, bytes: 1 << 20)
    ) throws {
        let store = MemorySegmentStore()
        let stored = try classes.map { schema in
            let writer = ClassWriter(schema: schema, store: store, limits: limits)
            let rows = objects[schema.name] ?? []
            for (sequence, object) in rows.enumerated() {
                for (property, builder) in zip(writer.schema.properties, writer.columns) {
                    try builder.append(object[property.name] ?? property.initialValue)
                }
                try writer.endRow(
                    key: .allocated(sequence: Int64(sequence), hasPrimaryKey: schema.primaryKey != nil))
            }
            return try writer.finish(nextSequence: Int64(rows.count))
        }
        self.init(
            Snapshot(schemaVersion: version, declared: Schema(classes), classes: stored), store: store, limits: limits)
    }

    /// The objects of a class in order of their keys, each with its key as `_key`.
    func objects(_ className: String) throws -> [Object] {
        guard let stored = snapshot[className] else { return [] }
        let reader = try ClassReader(stored, store: store)
        var objects: [Object] = []
        for (group, rowGroup) in reader.rowGroups.enumerated() {
            let keys = try reader.keys(inGroup: group)
            let columns = try stored.schema.properties.indices.map { try reader.column($0, inGroup: group) }
            for row in rowGroup.liveRows {
                var object: Object = ["_key": .int(keys[row])]
                for (property, column) in zip(stored.schema.properties, columns) {
                    object[property.name] = try column.value(at: row, as: ColumnType(property))
                }
                objects.append(object)
            }
        }
        return objects
    }

    /// The values of a class's objects in the order of its columns.
    func rows(of stored: StoredClass) throws -> [[Value]] {
        let reader = try ClassReader(stored, store: store)
        return try reader.rowGroups.enumerated().flatMap { group, rowGroup in
            let columns = try stored.schema.properties.indices.map { try reader.column($0, inGroup: group) }
            return try rowGroup.liveRows.map { row in
                try zip(columns, stored.schema.properties).map { try $0.value(at: row, as: ColumnType($1)) }
            }
        }
    }

    /// All objects of all stored classes.
    func contents() throws -> [String: [Object]] {
        try Dictionary(uniqueKeysWithValues: snapshot.classes.map { ($0.schema.name, try objects($0.schema.name)) })
    }

    /// The values of one property in order of the objects' keys.
    func values(_ className: String, _ property: String) throws -> [Value] {
        try objects(className).compactMap { $0[property] }
    }

    /// The rows of each row group of a class.
    func rowGroupSizes(_ className: String) throws -> [Int] {
        try snapshot[className].map { try ClassReader($0, store: store).rowGroups.map(\.rowCount) } ?? []
    }

    /// The realm migrated to other classes at the next version.
    func migrated(
        to classes: [ObjectSchema], version: UInt64? = nil, mode: SchemaMode = .automatic,
        options: DeclaredMigration = DeclaredMigration(), resolving: Bool = false,
        added: MigrationRequest.AddedRequired = .zero, renames: [PropertyRename] = [],
        memory: MemoryLimits = .standard,
        script: ((MigrationTransaction) throws -> Void)? = nil
    ) throws -> TestRealm {
        var request = MigrationRequest(
            source: snapshot, target: Schema(classes), targetVersion: version ?? (snapshot.schemaVersion ?? 0) + 1,
            mode: mode, migration: options, resolveEmbeddedConstraints: resolving, addedRequired: added)
        request.migration.renames = renames
        var migration = Migration(request, store: store, limits: limits)
        migration.memory = memory
        let result = try migration.run(script: script)
        return TestRealm(result.snapshot, store: store, limits: limits)
    }

    /// The text of the error of a migration that has to fail; the realm stays as it was.
    func failure(
        to classes: [ObjectSchema], version: UInt64? = nil, mode: SchemaMode = .automatic,
        options: DeclaredMigration = DeclaredMigration(), resolving: Bool = false,
        added: MigrationRequest.AddedRequired = .zero, renames: [PropertyRename] = [],
        script: ((MigrationTransaction) throws -> Void)? = nil
    ) throws -> String {
        try failed(
            to: classes, version: version, mode: mode, options: options, resolving: resolving, added: added,
            renames: renames,
            script: script
        ).message
    }

    /// The error of a migration that has to fail; the realm stays as it was.
    func failed(
        to classes: [ObjectSchema], version: UInt64? = nil, mode: SchemaMode = .automatic,
        options: DeclaredMigration = DeclaredMigration(), resolving: Bool = false,
        added: MigrationRequest.AddedRequired = .zero, renames: [PropertyRename] = [],
        script: ((MigrationTransaction) throws -> Void)? = nil
    ) throws -> MigrationError {
        let before = try contents()
        let error = #expect(throws: MigrationError.self) {
            try migrated(
                to: classes, version: version, mode: mode, options: options, resolving: resolving, added: added,
                renames: renames,
                script: script)
        }
        #expect(try contents() == before)
        return try #require(error)
    }
}

extension MigrationTransaction {
    /// Calls with every pair that `enumerateObjects` visits, as the script layer does.
    func enumerate(
        _ className: String, _ body: (ObjectReference?, ObjectReference?) throws -> Void
    ) throws {
        guard let enumeration = try enumeration(of: className) else { return }
        for index in enumeration.batches {
            for key in try batch(index, of: enumeration).keys {
                let old = enumeration.oldClass.map {
                    ObjectReference(side: .old, classIndex: $0, key: ObjectKey(key))
                }
                let new = enumeration.newClass.map {
                    ObjectReference(side: .new, classIndex: $0, key: ObjectKey(key))
                }
                if let new, try !isValid(new) { continue }
                try body(old, new)
            }
        }
    }

    /// A property of an object by name.
    func value(_ property: String, of object: ObjectReference) throws -> Value {
        try value(try #require(index(of: property, object)), of: object)
    }

    /// Sets a property of an object by name.
    func set(_ property: String, of object: ObjectReference, to input: ObjectInput) throws {
        try set(try #require(index(of: property, object)), of: object, to: input)
    }

    /// The new object of a key.
    func reference(_ className: String, _ key: Int64) -> ObjectReference {
        ObjectReference(side: .new, classIndex: index(of: className, side: .new) ?? 0, key: ObjectKey(key))
    }

    /// The index of a property in its class's schema.
    func index(of property: String, _ object: ObjectReference) -> Int? {
        let schema = object.side == .old ? oldSchema : newSchema
        return schema.classes[object.classIndex].properties.firstIndex { $0.name == property }
    }
}
