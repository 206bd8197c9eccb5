import RealmModel
import Testing

@testable import RealmMigration

@Suite struct `Indexes` {
    private func schema(_ property: Property, primaryKey: String? = nil) -> [ObjectSchema] {
        [ObjectSchema("A", primaryKey: primaryKey, properties: [Property("n", .int), property])]
    }

    private func realm(_ property: Property, primaryKey: String? = nil, version: UInt64? = 1) throws -> TestRealm {
        try TestRealm(schema(property, primaryKey: primaryKey), version: version, objects: ["A": [[:]]])
    }

    private let unsupported = "Index not supported for this property: p"
    private let fullTextKey = "Invalid property for object type: primary key cannot have a full text index"

    @Test(arguments: [
        Property("p", .int), Property("p", .mixed, isOptional: true), Property("p", .string, collection: .set),
        Property("p", .object, objectType: "A", isOptional: true),
    ])
    func `of text are for strings and lists of them alone, which is seen when they are made`(plain: Property) throws {
        var indexed = plain
        indexed.index = .fullText
        let source = try realm(plain)
        for version in [UInt64(1), 2] {
            let error = try source.failed(to: schema(indexed), version: version) { _ in Issue.record("It ran.") }
            #expect(error.message == unsupported)
            #expect(error.code == .illegalOperation)
        }
        for mode in [SchemaMode.immutable, .readOnly, .additiveExplicit] {
            let opened = try source.migrated(to: schema(indexed), version: 1, mode: mode)
            #expect(opened.snapshot.classes == source.snapshot.classes)
        }
        #expect(try source.failure(to: schema(indexed), version: 2, mode: .additiveDiscovered) == unsupported)
        #expect(try source.failed(to: schema(indexed), version: 2, mode: .manual) { _ in }.code == .schemaMismatch)
        if !plain.isLink {
            #expect(try source.failure(to: schema(indexed), version: 2, mode: .hardResetFile) == unsupported)
        }
    }

    @Test func `of text come for nothing with an added link, until a script looks`() throws {
        let source = try TestRealm([ObjectSchema("A", properties: [Property("n", .int)])], version: 1)
        let target = schema(Property("p", .object, objectType: "A", isOptional: true, index: .fullText))
        #expect(try source.migrated(to: target).snapshot.storedSchema.classes[0].properties[1].index == .none)
        #expect(try source.failure(to: target) { _ in } == unsupported)
    }

    @Test(arguments: [false, true])
    func `of text are no primary key's, gained or kept`(runsScript: Bool) throws {
        let (plain, indexed) = (Property("p", .string), Property("p", .string, index: .fullText))
        let target = schema(indexed, primaryKey: "p")
        for source in [try realm(plain), try realm(plain, primaryKey: "p"), try realm(indexed)] {
            let error = try source.failed(to: target, script: runsScript ? { _ in } : nil)
            #expect(error.message == fullTextKey)
            #expect(error.code == .invalidProperty)
        }
        let unrelated = try TestRealm([ObjectSchema("B", properties: [])], version: 1)
        let new = try unrelated.migrated(to: target, script: runsScript ? { _ in } : nil)
        #expect(new.snapshot["A"]?.schema.primaryKey == "p")
        #expect(try new.failure(to: target) == fullTextKey)
    }

    @Test(arguments: [200, 201])
    func `keep entries of lists up to a length`(length: Int) throws {
        let text = Value.string(String(repeating: "x", count: length))
        let (plain, indexed) = (
            Property("p", .string, collection: .list), Property("p", .string, collection: .list, index: .general)
        )
        let source = try TestRealm(schema(plain), version: 1, objects: ["A": [[:], ["p": .list([text, text])]]])
        let message = "String of length 201 exceeds maximum string length of 200."
        if length > 200 {
            let error = try source.failed(to: schema(indexed), version: 1)
            #expect(error.message == message)
            #expect(error.code == .limitExceeded)
            #expect(error.details.map(\.key) == [ObjectKey(1)])
        } else {
            #expect(try source.migrated(to: schema(indexed)).objects("A") == source.objects("A"))
        }
        let written = { (transaction: MigrationTransaction) in
            guard case .string(let text) = text else { return }
            try transaction.set("p", of: transaction.reference("A", 0), to: .array([.string(text)]))
        }
        if length > 200 { #expect(try realm(indexed).failure(to: schema(indexed), script: written) == message) }
    }

    @Test func `come with whatever the additive modes write, and alone with none`() throws {
        let source = try realm(Property("p", .int))
        let indexed = schema(Property("p", .int, index: .general))
        var grown = indexed
        grown[0].properties.append(Property("q", .int))
        func index(_ target: [ObjectSchema], _ version: UInt64) throws -> PropertyIndex? {
            let migrated = try source.migrated(to: target, version: version, mode: .additiveExplicit)
            return migrated.snapshot["A"]?.schema.property(named: "p")?.index
        }
        #expect(try index(indexed, 1) == PropertyIndex.none)
        #expect(try index(indexed, 2) == .general)
        #expect(try index(indexed, 0) == .general)
        #expect(try index(grown, 1) == .general)
    }

    @Test(arguments: [(PropertyIndex.general, PropertyIndex.fullText), (.fullText, .general)])
    func `change into each other`(from: PropertyIndex, to: PropertyIndex) throws {
        let source = try realm(Property("p", .string, index: from))
        for script in [nil, { (_: MigrationTransaction) in }] {
            let migrated = try source.migrated(to: schema(Property("p", .string, index: to)), script: script)
            #expect(migrated.snapshot["A"]?.schema.properties[1].index == to)
        }
    }
}
