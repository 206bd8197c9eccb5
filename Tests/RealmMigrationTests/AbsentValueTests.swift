import RealmJSON
import RealmModel
import Testing

@testable import RealmMigration

/// A required property that is added to a synced realm is given to no object that is there.
@Suite struct `Absent values` {
    private static let note = ObjectSchema("Note", primaryKey: "_id", properties: [Property("_id", .int)])

    private static func grown(_ property: Property) -> [ObjectSchema] {
        var grown = note
        grown.properties.append(property)
        return [grown, ObjectSchema("Tag", primaryKey: "_id", properties: [Property("_id", .int), property])]
    }

    private func realm(_ count: Int = 3) throws -> TestRealm {
        try TestRealm([Self.note], objects: ["Note": (0..<count).map { ["_id": .int(Int64($0))] }])
    }

    private func added(
        _ property: Property, _ options: DeclaredMigration = DeclaredMigration(),
        _ added: MigrationRequest.AddedRequired = .absent
    ) throws -> TestRealm {
        try realm().migrated(to: Self.grown(property), mode: .additiveDiscovered, options: options, added: added)
    }

    @Test(arguments: PropertyType.allCases.filter { !$0.zero.isNull })
    func `are null in a column that may hold none, and counted`(type: PropertyType) throws {
        let after = try added(Property("more", type))
        #expect(try after.values("Note", "more") == [.null, .null, .null])
        #expect(after.snapshot["Note"]?.unsyncedCount == 3)
        #expect(after.snapshot["Note"]?.schema.property(named: "more")?.isOptional == false)
        // A class that is new has no objects that could lack it.
        #expect(after.snapshot["Tag"]?.unsyncedCount == 0)
        let local = try added(Property("more", type), DeclaredMigration(), .zero)
        #expect(try local.values("Note", "more") == [type.zero, type.zero, type.zero])
        #expect(local.snapshot.unsyncedCount == 0)
    }

    @Test(arguments: [
        Property("more", .int, isOptional: true), Property("more", .int, collection: .list),
        Property("more", .string, collection: .dictionary), Property("more", .mixed, isOptional: true),
        Property("more", .object, objectType: "Note", isOptional: true),
    ])
    func `are none of what has a value by itself`(property: Property) throws {
        let after = try added(property)
        #expect(try after.values("Note", "more") == [Value](repeating: property.initialValue, count: 3))
        #expect(after.snapshot.unsyncedCount == 0)
    }

    @Test func `are none where the declared default is applied`() throws {
        let property = Property("more", .int, defaultValue: .int(7))
        let applied = try added(property, DeclaredMigration(applyDefaults: .existing))
        #expect(try applied.values("Note", "more") == [.int(7), .int(7), .int(7)])
        #expect(applied.snapshot.unsyncedCount == 0)
        #expect(try added(property).snapshot.unsyncedCount == 3)
    }

    @Test func `are none in a class without objects`() throws {
        let after = try realm(0).migrated(
            to: Self.grown(Property("more", .int)), mode: .additiveDiscovered, added: .absent)
        #expect(after.snapshot.unsyncedCount == 0)
    }

    @Test(arguments: RealmJSONWriter.Layout.allCases)
    func `have no member in Realm JSON`(layout: RealmJSONWriter.Layout) throws {
        let after = try added(Property("more", .int))
        var writer = RealmJSONWriter(after.snapshot, from: after.store, layout: layout)
        var text = ""
        while let chunk = try writer.next() { text += String(decoding: chunk, as: UTF8.self) }
        #expect(text.contains(#"{"_id":0}"#))
        #expect(!text.contains("null}"))
    }
}
