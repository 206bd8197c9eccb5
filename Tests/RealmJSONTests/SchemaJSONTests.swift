import RealmJSON
import RealmModel
import Testing

@Suite struct SchemaJSONTests {
    private func property(_ json: String) throws -> Property {
        let document = #"[{"name": "C", "properties": {"p": \#(json)}}]"#
        let schema = try SchemaJSON.decode(try JSONValue.parse(Array(document.utf8)))
        return try #require(schema.classes.first?.properties.first)
    }

    @Test(arguments: [
        ("\"int\"", Property("p", .int)),
        ("\"int?\"", Property("p", .int, isOptional: true)),
        ("\"int?[]\"", Property("p", .int, collection: .list, isOptional: true)),
        ("\"string{}\"", Property("p", .string, collection: .dictionary)),
        ("\"int<>\"", Property("p", .int, collection: .set)),
        ("\"{}\"", Property("p", .mixed, collection: .dictionary, isOptional: true)),
        ("\"Dog\"", Property("p", .object, objectType: "Dog", isOptional: true)),
        ("\"Dog[]\"", Property("p", .object, collection: .list, objectType: "Dog")),
        ("\"Dog{}\"", Property("p", .object, collection: .dictionary, objectType: "Dog", isOptional: true)),
        ("{\"type\": \"Dog[]\"}", Property("p", .object, collection: .list, objectType: "Dog")),
        // The signs can't be those of a shorthand.
        (
            #"{"type": "list", "objectType": "${x}"}"#,
            Property("p", .object, collection: .list, objectType: "${x}")
        ),
        ("{\"type\": \"mixed\"}", Property("p", .mixed, isOptional: true)),
        ("{\"type\": \"mixed\", \"optional\": false}", Property("p", .mixed)),
        (
            "{\"type\": \"object\", \"objectType\": \"Dog\", \"optional\": false}",
            Property("p", .object, objectType: "Dog")
        ),
        (
            "{\"type\": \"list\", \"objectType\": \"Dog\", \"optional\": true}",
            Property("p", .object, collection: .list, objectType: "Dog", isOptional: true)
        ),
        ("{\"type\": \"string\", \"indexed\": \"full-text\"}", Property("p", .string, index: .fullText)),
        ("{\"type\": \"string\", \"mapTo\": \"q\"}", Property("q", .string, alias: "p")),
        (
            "{\"type\": \"int\", \"objectType\": null, \"optional\": null, \"indexed\": null, \"mapTo\": null}",
            Property("p", .int)
        ),
        ("{\"type\": \"int\", \"default\": 7}", Property("p", .int, defaultValue: .int(7))),
        (
            "{\"type\": \"mixed\", \"default\": {\"$float\": 1.5}}",
            Property("p", .mixed, isOptional: true, defaultValue: .float(1.5))
        ),
        (
            "{\"type\": \"linkingObjects\", \"objectType\": \"Dog\", \"property\": \"owner\"}",
            Property("p", .linkingObjects, objectType: "Dog", originProperty: "owner")
        ),
    ])
    func `reads every way to write a property`(json: String, expected: Property) throws {
        #expect(try property(json) == expected)
    }

    @Test(arguments: [.float(1.5), .float(.infinity), .double(1.5), .int(1), .string("1.5")] as [Value])
    func `a default of any type is written so that it is read as what it was`(value: Value) throws {
        let declared = Property("p", .mixed, isOptional: true, defaultValue: value)
        let written = SchemaJSON.encode(Schema([ObjectSchema("C", properties: [declared])]))
        #expect(try SchemaJSON.decode(written).classes.first?.properties == [declared])
    }

    @Test(arguments: [
        ("7", "malformed_document", "A property has to be a JSON object: /0/properties/p."),
        ("\"int[]?\"", "schema_invalid", "This is no type of a property: /0/properties/p."),
        (
            #"{"type": "list", "objectType": "${x}?"}"#, "schema_invalid",
            "This is no type of a property: /0/properties/p/type."
        ),
        ("{\"type\": \"list\"}", "schema_invalid", "This is no type of a property: /0/properties/p/type."),
        ("{\"type\": 7}", "malformed_document", "type has to be a string: /0/properties/p/type."),
        (
            "{\"type\": \"int\", \"optinal\": true}", "unknown_member",
            "A property at /0/properties/p has no member “optinal”: “optional” is the nearest. "
                + "It has type, objectType, optional, indexed, property, default, mapTo, presentation."
        ),
        (
            "{\"type\": \"int\", \"default\": \"x\"}", "schema_invalid",
            "The default value has to be an int: /0/properties/p/default."
        ),
    ])
    func `refuses what is no property`(json: String, code: String, message: String) throws {
        let error = #expect(throws: InputError.self) { try property(json) }
        #expect(error?.code.rawValue == code)
        #expect(error?.message == message)
    }
}
