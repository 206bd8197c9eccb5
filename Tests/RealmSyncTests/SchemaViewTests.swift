import Columns
import RealmModel
import RealmSync
import Testing

@Suite struct `A view of a synced realm` {
    private static let person = ObjectSchema(
        "Person", primaryKey: "_id",
        properties: [
            Property("_id", .int), Property("name", .string), Property("age", .int, isOptional: true),
            Property("home", .object, objectType: "Home", isOptional: true),
        ])
    private static let home = ObjectSchema("Home", kind: .embedded, properties: [Property("city", .string)])
    private static let server = Schema([person, home])

    private static func person(_ change: (inout ObjectSchema) -> Void) -> Schema {
        var changed = person
        change(&changed)
        return Schema([changed, home])
    }

    private static func view(_ declared: Schema, of server: Schema = server) throws -> SchemaView {
        try SchemaView(server: server, version: 1, declared: declared)
    }

    /// Schemas that declare less than the server has, as a version may, one after the other.
    private static let served: [Schema] = [
        server, person { $0.properties.removeLast() }, person { $0.properties.remove(at: 2) },
        person { $0.properties = [$0.properties[0]] }, Schema([home, person]), Schema(),
        person { $0.properties[1].index = .general }, person { $0.properties.reverse() },
    ]

    @Test(arguments: served.indices)
    func `shows and hides together what is stored`(index: Int) throws {
        let declared = Self.served[index]
        let view = try Self.view(declared)
        #expect(view.shown == declared)
        for shown in declared.classes {
            let hidden = view.hidden(in: shown.name).map(\.property.name)
            let stored = try #require(Self.server[shown.name]).properties.map(\.name)
            #expect((shown.properties.map(\.name) + hidden).sorted() == stored.sorted())
        }
    }

    @Test func `of nobody's version is all of the schema`() {
        let view = SchemaView(server: Self.server)
        #expect(view.shown == Self.server)
        #expect(view.version == nil)
        #expect(view.hidden(in: "Person").isEmpty)
    }

    @Test func `gives new objects the default of what it hides, or null, nothing, or the type's empty value`() throws {
        let later = [
            Property("nick", .string, isOptional: true), Property("score", .int), Property("title", .string),
            Property("tags", .string, collection: .list), Property("rank", .int, defaultValue: .int(5)),
            Property("note", .string, isOptional: true, defaultValue: .string("-")),
        ]
        let view = try Self.view(Self.server, of: Self.person { $0.properties += later })
        let hidden = view.hidden(in: "Person")
        #expect(hidden.map(\.property) == later)
        #expect(
            hidden.map(\.initialValue) == [.null, .int(0), .string(""), .list([]), .int(5), .string("-")])
    }

    @Test func `shows a class that was added later to nobody who does not declare it`() throws {
        let view = try Self.view(Schema([Self.person { $0.properties.removeLast() }.classes[0]]))
        #expect(view.shows("Person"))
        #expect(!view.shows("Home"))
        #expect(view.hidden(in: "Home").isEmpty)
    }

    // MARK: The client-side column of Realm's table

    /// A change of a client's model, and whether the table has it as breaking on that side.
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: SchemaChangeReport.Kind
        let model: Schema
        var renames: [SchemaRename] = []
        let isBreaking: Bool

        var testDescription: String { kind.row ?? kind.rawValue }
    }

    private static let tag = ObjectSchema("Tag", primaryKey: "_id", properties: [Property("_id", .int)])

    private static let rows = [
        Row(kind: .addObjectType, model: Schema(server.classes + [tag]), isBreaking: false),
        Row(
            kind: .addRequiredProperty, model: person { $0.properties.append(Property("size", .int)) },
            isBreaking: false),
        Row(
            kind: .addOptionalProperty,
            model: person { $0.properties.append(Property("size", .int, isOptional: true)) },
            isBreaking: false),
        Row(kind: .removeObjectType, model: person { $0.properties.removeLast() }.without("Home"), isBreaking: false),
        Row(kind: .removeRequiredProperty, model: person { $0.properties.remove(at: 1) }, isBreaking: false),
        Row(kind: .removeOptionalProperty, model: person { $0.properties.remove(at: 2) }, isBreaking: false),
        Row(
            kind: .changeObjectTypeName, model: person { $0.name = "User" },
            renames: [.objectType(from: "Person", to: "User")], isBreaking: true),
        Row(
            kind: .changePropertyName, model: person { $0.properties[1].name = "fullName" },
            renames: [.property(className: "Person", from: "name", to: "fullName")], isBreaking: true),
        Row(kind: .changePropertyType, model: person { $0.properties[1].type = .int }, isBreaking: true),
        Row(
            kind: .changePropertyOptionalToRequired, model: person { $0.properties[2].isOptional = false },
            isBreaking: true),
        Row(
            kind: .changePropertyRequiredToOptional, model: person { $0.properties[1].isOptional = true },
            isBreaking: true),
    ]

    @Test func `has all rows of the table`() {
        #expect(Set(Self.rows.map(\.kind)) == Set(SchemaChangeReport.Kind.allCases.filter { $0.row != nil }))
        #expect(Self.rows.count == 11)
    }

    @Test(arguments: rows) func `serves a client's model as the client-side column of the table says`(row: Row) throws {
        #expect((row.kind.client == .breaking) == row.isBreaking)
        guard row.isBreaking else {
            #expect(try Self.view(row.model).shown == row.model)
            return
        }
        let error = #expect(throws: SchemaViewError.self) {
            try SchemaView(server: Self.server, version: 1, declared: row.model, renames: row.renames)
        }
        #expect(error?.version == 1)
        #expect(error?.conflicts.map(\.kind) == [row.kind])
    }

    @Test(arguments: [
        (person { $0.primaryKey = nil }, SchemaChangeReport.Kind.changePrimaryKey),
        (Schema([person, ObjectSchema("Home", properties: home.properties)]), .changeEmbedded),
    ])
    func `is refused for another primary key and another kind of class`(
        declared: Schema, kind: SchemaChangeReport.Kind
    ) throws {
        let error = #expect(throws: SchemaViewError.self) { try Self.view(declared) }
        #expect(error?.conflicts.map(\.kind) == [kind])
    }

    @Test func `is refused in the words of its clients, who had the old type`() throws {
        let error = #expect(throws: SchemaViewError.self) {
            try Self.view(Self.person { $0.properties[1].type = .int })
        }
        #expect(
            error?.conflicts.map(\.message) == ["Property 'Person.name' has been changed from 'int' to 'string'."])
    }

    @Test func `knows what of a model the server's schema can't keep yet`() throws {
        let view = try Self.view(Self.person { $0.properties.append(Property("size", .int)) })
        #expect(!view.stores("size", of: "Person"))
        #expect(view.stores("name", of: "Person"))
        #expect(!view.stores("name", of: "Tag"))
    }

    @Test func `is refused to a version that has what the server's schema had and has no more`() throws {
        let old = Self.person { $0.properties.append(Property("gone", .int)) }
        // Never there: the server's schema may get it yet.
        #expect(try Self.view(old).shown == old)
        let error = #expect(throws: SchemaViewError.self) {
            try SchemaView(server: Self.server, retired: old, version: 1, declared: old)
        }
        #expect(error?.conflicts.map(\.kind) == [.removeRequiredProperty])
        #expect(error?.conflicts.map(\.property) == ["gone"])
        let retired = Schema(Self.server.classes + [Self.tag])
        let withClass = #expect(throws: SchemaViewError.self) {
            try SchemaView(server: Self.server, retired: retired, version: 1, declared: retired)
        }
        #expect(withClass?.conflicts.map(\.kind) == [.removeObjectType])
        #expect(throws: Never.self) {
            try SchemaView(server: Self.server, retired: retired, version: 1, declared: Self.server)
        }
    }

    @Test func `takes another name in programs for no rename`() throws {
        let model = Self.person { $0.properties[1].alias = "fullName" }
        #expect(try Self.view(model).shown == model)
        #expect(try Self.view(model).hidden(in: "Person").isEmpty)
    }

    @Test func `takes names as bytes`() throws {
        let composed = Schema([ObjectSchema("\u{e9}", primaryKey: "_id", properties: [Property("_id", .int)])])
        let decomposed = Schema([ObjectSchema("e\u{301}", primaryKey: "_id", properties: [Property("_id", .int)])])
        let view = try Self.view(composed, of: decomposed)
        #expect(!view.stores("_id", of: "\u{e9}"))
        #expect(throws: SchemaViewError.self) {
            try SchemaView(server: decomposed, retired: composed, version: 1, declared: composed)
        }
    }

    @Test func `of a snapshot leaves what is stored as it is`() throws {
        let snapshot = Snapshot(
            schemaVersion: 3, declared: Self.server, classes: Self.server.classes.map { StoredClass(empty: $0) })
        let declared = Self.served[2]
        let viewed = try Self.view(declared)(snapshot)
        #expect(viewed.declared == declared)
        #expect(viewed.classes == snapshot.classes)
    }
}

extension Schema {
    fileprivate func without(_ className: String) -> Schema {
        Schema(classes.filter { !$0.name.hasSameBytes(as: className) })
    }
}
