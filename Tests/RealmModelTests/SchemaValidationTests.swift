import RealmModel
import Testing

@Suite struct SchemaValidationTests {
    private static let target = ObjectSchema("T", properties: [Property("x", .int)])
    private static let embedded = ObjectSchema("E", kind: .embedded, properties: [Property("x", .int)])
    private static let oneWay = ObjectSchema(
        "Z", kind: .asymmetric, primaryKey: "_id", properties: [Property("_id", .int)])

    private static func messages(_ classes: [ObjectSchema], _ options: SchemaValidationOptions = []) -> [String] {
        Schema(classes).validate(options).map(\.message)
    }

    /// The messages about a class `A` of some properties beside one to link to and an embedded one.
    private static func messages(_ properties: [Property], primaryKey: String? = nil) -> [String] {
        messages([
            ObjectSchema("A", primaryKey: primaryKey, properties: properties), target,
            ObjectSchema("B", properties: [Property("e", .object, objectType: "E", isOptional: true)]), embedded,
        ])
    }

    @Test(arguments: [
        (
            Property("p", .linkingObjects, collection: .set, objectType: "T", originProperty: "x"),
            [
                "Linking Objects property 'A.p' must be an array.",
                "Property 'T.x' declared as origin of linking objects property 'A.p' is not a link",
            ]
        ),
        (
            Property("p", .object, collection: .list, objectType: "T", isOptional: true),
            ["Property 'A.p' of type 'array' cannot be nullable."]
        ),
        (
            Property("p", .object, collection: .set, objectType: "T", isOptional: true),
            ["Property 'A.p' of type 'set' cannot be nullable."]
        ),
        (Property("p", .object, objectType: "T"), ["Property 'A.p' of type 'object' must be nullable."]),
        (
            Property("p", .object, collection: .dictionary, objectType: "T"),
            ["Property 'A.p' of type 'object' must be nullable."]
        ),
        (Property("p", .mixed), ["Property 'A.p' of type 'Mixed' must be nullable."]),
        (Property("p", .data, index: .general), ["Property 'A.p' of type 'data' cannot be indexed."]),
        (Property("p", .decimal128, index: .general), ["Property 'A.p' of type 'decimal' cannot be indexed."]),
        (
            Property("p", .int, collection: .dictionary, index: .general),
            ["Property 'A.p' of type 'dictionary' cannot be indexed."]
        ),
        (Property("p", .mixed, collection: .list), ["Property 'A.p' of type 'Mixed' must be nullable."]),
        (Property("p", .mixed, collection: .set), ["Property 'A.p' of type 'Mixed' must be nullable."]),
        (Property("p", .mixed, collection: .dictionary), ["Property 'A.p' of type 'Mixed' must be nullable."]),
        (
            Property("p", .objectId, originProperty: "x"),
            ["Property 'A.p' of type 'object id' cannot have an origin property name."]
        ),
        (
            Property("p", .linkingObjects, objectType: "T"),
            [
                "Property 'A.p' of type 'linking objects' must have an origin property name.",
                "Property 'T.' declared as origin of linking objects property 'A.p' does not exist",
            ]
        ),
        (
            Property("p", .uuid, collection: .list, objectType: "T"),
            ["Property 'A.p' of type 'array<uuid>' cannot have an object type."]
        ),
        (
            Property("p", .object, objectType: "Nope", isOptional: true),
            ["Property 'A.p' of type 'object' has unknown object type 'Nope'"]
        ),
        (
            Property("p", .object, collection: .set, objectType: "E"),
            [
                "Set property 'A.p' cannot contain embedded object type 'E'. Set semantics are not applicable to embedded "
                    + "objects."
            ]
        ),
        (
            Property("p", .linkingObjects, objectType: "T", originProperty: "no"),
            ["Property 'T.no' declared as origin of linking objects property 'A.p' does not exist"]
        ),
        (
            Property("p", .linkingObjects, objectType: "B", originProperty: "e"),
            ["Property 'B.e' declared as origin of linking objects property 'A.p' links to type 'E'"]
        ),
    ])
    func `a property is refused`(property: Property, expected: [String]) {
        #expect(Self.messages([property]) == expected)
    }

    @Test(arguments: [
        Property("p", .string, index: .general), Property("p", .string, isOptional: true, index: .fullText),
        Property("p", .string, collection: .list, index: .general),
        Property("p", .mixed, isOptional: true, index: .general),
        Property("p", .string, collection: .list, index: .fullText),
        Property("p", .mixed, collection: .list, isOptional: true),
        // That these can't have a full-text index Realm says when it makes one.
        Property("p", .int, index: .fullText), Property("p", .double, collection: .set, index: .fullText),
        Property("p", .object, objectType: "T", isOptional: true, index: .fullText),
        Property("p", .bool, index: .general), Property("p", .date, index: .general),
        Property("p", .object, collection: .list, objectType: "E"),
        Property("p", .object, collection: .dictionary, objectType: "E", isOptional: true),
        Property("p", .int, collection: .set, isOptional: true), Property("p", .string, alias: "p"),
    ])
    func `a property is accepted`(property: Property) {
        #expect(Self.messages([property]) == [])
    }

    @Test(arguments: PropertyType.allCases.filter { $0 != .object && $0 != .linkingObjects })
    func `four types can be the primary key`(type: PropertyType) {
        let messages = Self.messages([Property("p", type, isOptional: type == .mixed)], primaryKey: "p")
        let isKey = [.int, .string, .objectId, .uuid].contains(type)
        #expect(messages.isEmpty == isKey)
        #expect(messages.allSatisfy { $0.hasSuffix("' cannot be made the primary key.") })
    }

    @Test func `a collection can be the primary key where its elements could, unless it is indexed`() {
        func messages(_ type: PropertyType, _ collection: CollectionKind, _ index: PropertyIndex) -> [String] {
            Self.messages([Property("p", type, collection: collection, index: index)], primaryKey: "p")
        }
        let key = "cannot be made the primary key."
        let index = "cannot be indexed."
        #expect(messages(.string, .list, .none) == [])
        #expect(messages(.string, .list, .general) == [])
        #expect(messages(.int, .set, .none) == [])
        #expect(messages(.int, .set, .general) == ["Property 'A.p' of type 'set' \(index)"])
        #expect(messages(.objectId, .list, .general) == ["Property 'A.p' of type 'array' \(index)"])
        #expect(messages(.double, .none, .none) == ["Property 'A.p' of type 'double' \(key)"])
        #expect(
            messages(.double, .none, .general) == [
                "Property 'A.p' of type 'double' \(key)", "Property 'A.p' of type 'double' \(index)",
            ])
    }

    @Test(
        arguments: [
            ("strin", "string"), ("objectid", "objectId"), ("decimal", "decimal128"), ("Persn", "Person"),
            ("Nope", nil),
        ] as [(String, String?)])
    func `a type that nothing has is asked about where one is near`(type: String, nearest: String?) {
        let schema = Schema([
            ObjectSchema("Person", properties: [Property("p", .object, objectType: type, isOptional: true)])
        ])
        let errors = schema.validate()
        #expect(errors.map(\.message) == ["Property 'Person.p' of type 'object' has unknown object type '\(type)'"])
        #expect(errors.map(\.hint) == [nearest.map { "Did you mean '\($0)'?" }])
    }

    @Test func `names and aliases are unique`() {
        let properties = [
            Property("p", .int, alias: "a"), Property("q", .int, alias: "a"), Property("q", .int),
            Property("r", .int, alias: "s"), Property("s", .int, alias: "t"),
        ]
        #expect(
            Self.messages(properties) == [
                "Alias 'a' appears more than once in the schema for type 'A'.",
                "Property 'q' appears more than once in the schema for type 'A'.",
                "Property 'A.r' has an alias 's' that conflicts with a property of the same name.",
            ])
        #expect(Self.messages([Self.target, Self.target]) == ["Type 'T' appears more than once in the schema."])
    }

    @Test func `names are compared bytewise`() {
        #expect(Self.messages([Property("\u{e9}", .int), Property("e\u{301}", .int)]) == [])
        #expect(Self.messages([ObjectSchema("\u{e9}"), ObjectSchema("e\u{301}")]) == [])
    }

    @Test func `a primary key exists and is not of an embedded class`() {
        #expect(Self.messages([], primaryKey: "no") == ["Specified primary key 'A.no' does not exist."])
        let embedded = ObjectSchema("E", kind: .embedded, primaryKey: "no")
        #expect(
            Self.messages([embedded]) == [
                "Embedded object type 'E' cannot have a primary key.", "Specified primary key 'E.no' does not exist.",
            ])
    }

    @Test func `asymmetric classes are for flexible sync`() {
        let linked = ObjectSchema(
            "A", primaryKey: "_id",
            properties: [Property("_id", .int), Property("z", .object, objectType: "Z", isOptional: true)])
        let linking = ObjectSchema(
            "Y", kind: .asymmetric, primaryKey: "_id",
            properties: [Property("_id", .int), Property("a", .object, objectType: "A", isOptional: true)])
        let links = ["Property 'A.z' of type 'object' cannot be a link to an asymmetric object."]
        #expect(Self.messages([Self.oneWay]) == ["Asymmetric table 'Z' not allowed in a local Realm"])
        #expect(
            Self.messages([Self.oneWay], .partitionSync) == ["Asymmetric table 'Z' not allowed in partition based sync"]
        )
        #expect(Self.messages([linked, linking, Self.oneWay], .flexibleSync) == links)
    }

    @Test func `synced classes have a primary key of one name`() {
        let named = ObjectSchema("N", primaryKey: "id", properties: [Property("id", .int)])
        #expect(
            Self.messages([named, Self.target], .flexibleSync) == [
                "The primary key property on a synchronized Realm must be named '_id' but found 'id' for type 'N'",
                "There must be a primary key property named '_id' on a synchronized Realm but none was found for type "
                    + "'T'",
            ])
    }

    @Test func `classes are checked in the order of their names`() {
        let errors = Schema([ObjectSchema("B", primaryKey: "x"), ObjectSchema("A", primaryKey: "x")]).validate()
        #expect(errors.map(\.className) == ["A", "B"])
        #expect(errors.map(\.property) == ["x", "x"])
        #expect(
            SchemaValidationError.text(errors) == """
                Schema validation failed due to the following errors:
                - Specified primary key 'A.x' does not exist.
                - Specified primary key 'B.x' does not exist.
                """)
    }
}
