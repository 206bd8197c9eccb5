import RealmModel
import Testing

@testable import RealmMigration

/// A client's local file of the old model, opened with the new one as an app opens it.
@Suite struct `A client's own version` {
    private static let note = ObjectSchema(
        "Note", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("title", .string), Property("rating", .int, isOptional: true),
        ])
    private static let tag = ObjectSchema("Tag", primaryKey: "_id", properties: [Property("_id", .int)])

    private static func note(_ change: (inout ObjectSchema) -> Void) -> [ObjectSchema] {
        var changed = note
        change(&changed)
        return [changed, tag]
    }

    private static let changes: [(SchemaChangeReport.Kind, [ObjectSchema])] = [
        (
            .addObjectType,
            [note, tag, ObjectSchema("Folder", primaryKey: "_id", properties: [Property("_id", .int)])]
        ),
        (.addRequiredProperty, note { $0.properties.append(Property("size", .int)) }),
        (.addOptionalProperty, note { $0.properties.append(Property("size", .int, isOptional: true)) }),
        (.removeObjectType, [note]), (.removeRequiredProperty, note { $0.properties.remove(at: 1) }),
        (.removeOptionalProperty, note { $0.properties.remove(at: 2) }),
        (.changePropertyType, note { $0.properties[1].type = .int }),
        (.changePropertyOptionalToRequired, note { $0.properties[2].isOptional = false }),
        (.changePropertyRequiredToOptional, note { $0.properties[1].isOptional = true }),
        (.changePrimaryKey, note { $0.primaryKey = nil }), (.addIndex, note { $0.properties[1].index = .general }),
    ]

    @Test(arguments: changes.indices)
    func `has to be raised where what the change requires says so, and opens the file then`(index: Int) throws {
        let (kind, model) = Self.changes[index]
        let objects: [TestRealm.Object] = (0..<2).map { ["_id": .int($0), "title": .string("note")] }
        let file = try TestRealm([Self.note, Self.tag], version: 3, objects: ["Note": objects])
        let reports = SchemaChangeReport.compare(existing: file.snapshot.declared, target: Schema(model))
        #expect(reports.map(\.kind) == [kind])
        #expect(kind.requires.contains { $0.hasPrefix("Raise the schema version") } == (kind != .addIndex))
        if kind.needsRaisedVersion {
            let error = try file.failed(to: model, version: 3)
            #expect(error.code == .schemaMismatch)
            #expect(error.message.hasPrefix(SchemaMessageHeader.migrationRequired.rawValue))
        } else {
            #expect(try file.migrated(to: model, version: 3).objects("Note").count == 2)
        }
        #expect(try file.migrated(to: model, version: 4).objects("Note").count == 2)
    }
}
