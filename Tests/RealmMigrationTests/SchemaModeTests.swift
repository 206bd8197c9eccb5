import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Schema modes` {
    private let before = [ObjectSchema("A", properties: [Property("n", .int)])]
    private let retyped = [ObjectSchema("A", properties: [Property("n", .string)])]
    private let indexed = [ObjectSchema("A", properties: [Property("n", .int, index: .general)])]
    private let grown = [ObjectSchema("A", properties: [Property("n", .int), Property("m", .int)])]

    private func realm() throws -> TestRealm { try TestRealm(before, version: 1, objects: ["A": [["n": .int(5)]]]) }

    private let noScript: (MigrationTransaction) throws -> Void = { _ in Issue.record("The script ran.") }

    @Test(arguments: [UInt64(1), 2])
    func `that reset start empty where a migration would be needed`(version: UInt64) throws {
        for mode in [SchemaMode.softResetFile, .hardResetFile] {
            let migrated = try realm().migrated(to: retyped, version: version, mode: mode, script: noScript)
            #expect(try migrated.contents() == ["A": []])
            #expect(migrated.snapshot.schemaVersion == version)
            #expect(migrated.snapshot.storedSchema == Schema(retyped))
            #expect(migrated.snapshot.classes[0].nextSequence == 0)
        }
    }

    @Test func `that reset keep a realm that is as it should be`() throws {
        for mode in [SchemaMode.softResetFile, .hardResetFile] {
            let migrated = try realm().migrated(to: before, version: 1, mode: mode, script: noScript)
            #expect(try migrated.values("A", "n") == [.int(5)])
        }
        let indexedRealm = try realm().migrated(to: indexed, version: 1, mode: .softResetFile, script: noScript)
        #expect(try indexedRealm.values("A", "n") == [.int(5)])
        #expect(try realm().migrated(to: indexed, version: 1, mode: .hardResetFile).values("A", "n").isEmpty)
    }

    @Test(arguments: [SchemaMode.readOnly, .immutable])
    func `that are read only permit another index and write nothing`(mode: SchemaMode) throws {
        let source = try TestRealm(indexed, version: 1, objects: ["A": [["n": .int(5)]]])
        let opened = try source.migrated(to: before, version: 1, mode: mode, script: noScript)
        #expect(opened.snapshot.classes == source.snapshot.classes)
        #expect(try source.failed(to: retyped, version: 1, mode: mode).code == .invalidSchemaChange)
    }

    @Test func `that are immutable need the stored version`() throws {
        #expect(
            try realm().failure(to: before, version: 2, mode: .immutable)
                == "Provided schema version 2 does not equal last set version 1.")
        #expect(try realm().migrated(to: before, version: 2, mode: .readOnly).snapshot == realm().snapshot)
    }

    @Test(arguments: [SchemaMode.additiveDiscovered, .additiveExplicit])
    func `that are additive add and never take away, without a script`(mode: SchemaMode) throws {
        let added = try realm().migrated(to: grown, version: 1, mode: mode, script: noScript)
        #expect(try added.objects("A") == [["_key": .int(0), "n": .int(5), "m": .int(0)]])
        let fewer = try added.migrated(to: before, version: 2, mode: mode, script: noScript)
        #expect(try fewer.objects("A") == added.objects("A"))
        let error = try realm().failed(to: retyped, version: 2, mode: mode)
        #expect(
            error.message
                == "The following changes cannot be made in additive-only schema mode:\n"
                + "- Property 'A.n' has been changed from 'int' to 'string'.\nIf your app is running in development mode, "
                + "you can delete the realm and restart the app to update your schema.")
        #expect(error.code == .invalidSchemaChange)
    }

    @Test func `that are manual leave every change to the script, which can only rename`() throws {
        let renamed = [ObjectSchema("A", properties: [Property("m", .int)])]
        let migrated = try realm().migrated(to: renamed, version: 2, mode: .manual) {
            try $0.renameProperty(of: "A", from: "n", to: "m")
        }
        #expect(try migrated.values("A", "m") == [.int(5)])
        #expect(try realm().failed(to: grown, version: 2, mode: .manual) { _ in }.code == .schemaMismatch)
    }

    private static let keyed = [ObjectSchema("A", primaryKey: "k", properties: [Property("k", .int, isOptional: true)])]

    /// Realm lets go of the primary key meanwhile, and asks for it back in no manual migration.
    @Test(arguments: [Value.int(1), .null], [false, true])
    func `that are manual lose a primary key that is made twice, deleted again or not`(
        _ value: Value, _ deletes: Bool
    ) throws {
        let source = try TestRealm(Self.keyed, objects: ["A": [["k": .int(1)], ["k": .null]]])
        let script: (MigrationTransaction) throws -> Void = {
            let created = try $0.create(in: "A", .members([(name: "k", value: value.isNull ? .null : .int(1))]))
            if deletes { try $0.delete(created) }
        }
        #expect(
            try source.failure(to: Self.keyed, version: 2, mode: .manual, script: script)
                == "Migration is required due to the following errors:\n- Property 'A.k' has been made indexed.\n"
                + "- Primary Key for class 'A' has been added.")
        if deletes {
            let migrated = try source.migrated(to: Self.keyed, version: 2, script: script)
            #expect(try migrated.values("A", "k") == [.int(1), .null])
        } else {
            #expect(
                try source.failure(to: Self.keyed, version: 2, script: script)
                    == "Primary key property 'A.k' has duplicate values after migration.")
        }
    }

    @Test func `that are manual keep a primary key that is made once`() throws {
        let migrated = try TestRealm(Self.keyed, objects: ["A": [["k": .int(1)]]])
            .migrated(to: Self.keyed, version: 2, mode: .manual) {
                _ = try $0.create(in: "A", .members([(name: "k", value: .int(2))]))
                // Without a value it is null, and found by that.
                _ = try $0.create(in: "A", .members([]))
                #expect(try $0.object(in: 0, side: .new, primaryKey: .null) != nil)
            }
        #expect(try migrated.values("A", "k") == [.int(1), .int(2), .null])
    }
}
