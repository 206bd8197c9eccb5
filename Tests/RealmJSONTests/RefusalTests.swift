import Columns
import RealmJSON
import RealmModel
import Testing

/// Everything that a document is refused for, with its message in full.
@Suite struct RefusalTests {
    private static let schema = """
        [{"name": "Person", "primaryKey": "id", "properties": {"id": "int?", "name": "string", "age": "int?",
          "level": {"type": "int", "default": 3}, "height": "float?", "born": "date?", "photo": "data?", "price": "decimal128?",
          "oid": "objectId?", "uuid": "uuid?", "isOn": "bool?", "weight": "double?", "friend": "Person", "dog": "Dog",
          "dogs": "Dog[]", "tags": "string[]", "notes": "string?{}", "numbers": "int<>", "any": "mixed", "anys": "mixed<>",
          "home": "Address", "homes": "Address[]", "places": "Address{}"}},
         {"name": "Dog", "properties": {"name": "string?", "owners": {"type": "linkingObjects", "objectType": "Person", "property": "dog"}}},
         {"name": "Address", "embedded": true, "properties": {"street": "string", "inner": "Room"}}, {"name": "Room", "embedded": true, "properties": {"number": "int"}}]
        """.split(separator: "\n").joined()

    private func refusal(_ text: String, _ layout: RealmJSONWriter.Layout = .document) throws -> InputError {
        try #require(
            #expect(throws: InputError.self) {
                try Document.read(Array(text.utf8), layout, into: MemorySegmentStore())
            })
    }

    @Test func `a class without a name, which Realm would not see, is refused`() throws {
        let error = try refusal(#"{"schema": [{"name": "", "properties": {}}], "objects": {}}"#)
        #expect(error.message == "A class has no name.")
    }

    @Test func `a property without a name, which Realm takes for a primary key, is refused`() throws {
        let error = try refusal(#"{"schema": [{"name": "A", "properties": {"": "int"}}], "objects": {}}"#)
        #expect(error.message == "A property of the class 'A' has no name.")
    }

    @Test func `objects that leave out more than their text pays for are refused`() throws {
        let properties = (0..<5000).map { "\"p\($0)\": \"int?\"" }.joined(separator: ",")
        func document(_ count: Int) -> String {
            let objects = repeatElement("{}", count: count).joined(separator: ",")
            let wide = "{\"name\": \"Wide\", \"properties\": {\(properties)}}"
            return "{\"schema\": [\(wide)], \"objects\": {\"Wide\": [\(objects)]}}"
        }
        _ = try Document.read(Array(document(3000).utf8), .document, into: MemorySegmentStore())
        let error = try refusal(document(5000))
        #expect(error.code == .tooLarge)
        #expect(error.message.hasPrefix("Wide has properties that so many objects leave out"), "\(error.message)")
    }

    /// The document's text up to the third line, which is the object that is refused.
    private static let opening =
        #"{"schema": \#(schema), "objects": {"Dog": [{"_key": 0}], "Person": ["# + "\n"
        + #"{"id": 1, "name": "Ada"},"# + "\n"

    private func refusal(ofPerson members: String) throws -> InputError {
        try refusal("\(Self.opening){\(members)}]}}")
    }

    private static func place(_ column: Int) -> String {
        "line 3, column \(column) (byte \(opening.utf8.count + column - 1))"
    }

    @Test(arguments: [
        (
            #""id": 2, "name": 7"#, "type_mismatch",
            #"Person.name has to be a string"#, 19, #"/objects/Person/1/name"#
        ),
        (
            #""id": 2"#, "missing_value",
            #"Person.name is missing"#, 1, #"/objects/Person/1/name"#
        ),
        (
            #""id": 2, "name": null"#, "missing_value",
            #"Person.name may not be null"#, 19, #"/objects/Person/1/name"#
        ),
        (
            #""id": 1, "name": "B""#, "duplicate_key",
            #"Person.id has the same value in two objects"#, 8, #"/objects/Person/1/id"#
        ),
        (
            #""id": "x", "name": "B""#, "type_mismatch",
            #"Person.id has to be an int"#, 8, #"/objects/Person/1/id"#
        ),
        (
            #""id": 2, "name": "", "nick": 1"#, "unknown_property",
            #"Person has no property 'nick'"#, 23, #"/objects/Person/1"#
        ),
        (
            #""id": 2, "name": "", "name": """#, "malformed_document",
            #"Person has a member twice"#, 23, #"/objects/Person/1"#
        ),
        (
            #""id": 2, "name": "", "age": 1.0"#, "type_mismatch",
            #"Person.age has to be an int"#, 30, #"/objects/Person/1/age"#
        ),
        (
            #""id": 2, "name": "", "age": 9223372036854775808"#, "type_mismatch",
            #"Person.age has to be an integer of 64 bits"#, 30, #"/objects/Person/1/age"#
        ),
        (
            #""id": 2, "name": "", "level": null"#, "missing_value",
            #"Person.level may not be null"#, 32, #"/objects/Person/1/level"#
        ),
        (
            #""id": 2, "name": "", "height": 1e300"#, "type_mismatch",
            #"Person.height has to be within the range of a float"#, 33, #"/objects/Person/1/height"#
        ),
        (
            #""id": 2, "name": "", "height": "1""#, "type_mismatch",
            #"Person.height has to be a float"#, 33, #"/objects/Person/1/height"#
        ),
        (
            #""id": 2, "name": "", "born": "2020-01-01""#, "type_mismatch",
            #"Person.born has to be a date, {"$date": "2020-01-31T10:00:00Z"}"#, 31, #"/objects/Person/1/born"#
        ),
        (
            #""id": 2, "name": "", "born": {"$date": "x"}"#, "type_mismatch",
            #"Person.born has to be a date, {"$date": "2020-01-31T10:00:00Z"}"#, 31, #"/objects/Person/1/born"#
        ),
        (
            #""id": 2, "name": "", "photo": {"$binary": {"base64": "!!", "subType": "00"}}"#, "type_mismatch",
            #"Person.photo has to be data, {"$binary": {"base64": "..", "subType": "00"}}"#, 32,
            #"/objects/Person/1/photo"#
        ),
        (
            #""id": 2, "name": "", "photo": {"$binary": {"base64": "", "subType": "04"}}"#, "type_mismatch",
            #"Person.photo has to be data, {"$binary": {"base64": "..", "subType": "00"}}"#, 32,
            #"/objects/Person/1/photo"#
        ),
        (
            #""id": 2, "name": "", "price": {"$numberDecimal": "x"}"#, "type_mismatch",
            #"Person.price has to be a decimal128, {"$numberDecimal": ".."}"#, 32, #"/objects/Person/1/price"#
        ),
        (
            #""id": 2, "name": "", "oid": {"$oid": "12"}"#, "type_mismatch",
            #"Person.oid has to be an objectId, {"$oid": ".."}"#, 30, #"/objects/Person/1/oid"#
        ),
        (
            #""id": 2, "name": "", "uuid": {"$uuid": "12"}"#, "type_mismatch",
            #"Person.uuid has to be a uuid, {"$uuid": ".."}"#, 31, #"/objects/Person/1/uuid"#
        ),
        (
            #""id": 2, "name": "", "isOn": 1"#, "type_mismatch",
            #"Person.isOn has to be a bool"#, 31, #"/objects/Person/1/isOn"#
        ),
        (
            #""id": 2, "name": "", "weight": {"$numberDouble": "1.0"}"#, "type_mismatch",
            #"Person.weight has to be a double"#, 33, #"/objects/Person/1/weight"#
        ),
        (
            #""id": 2, "name": "", "friend": "x""#, "type_mismatch",
            #"Person.friend has to be an int"#, 33, #"/objects/Person/1/friend"#
        ),
        (
            #""id": 2, "name": "", "dog": -3"#, "broken_link",
            #"Person.dog links to an object that is not there"#, 30, #"/objects/Person/1/dog"#
        ),
        (
            #""id": 2, "name": "", "dog": "x""#, "type_mismatch",
            #"Person.dog has to be an object key"#, 30, #"/objects/Person/1/dog"#
        ),
        (
            #""id": 2, "name": "", "dogs": [null]"#, "missing_value",
            #"Person.dogs may not hold null"#, 32, #"/objects/Person/1/dogs"#
        ),
        (
            #""id": 2, "name": "", "dogs": 1"#, "type_mismatch",
            #"Person.dogs has to be a list"#, 31, #"/objects/Person/1/dogs"#
        ),
        (
            #""id": 2, "name": "", "tags": ["a", null]"#, "missing_value",
            #"Person.tags may not hold null"#, 37, #"/objects/Person/1/tags"#
        ),
        (
            #""id": 2, "name": "", "tags": ["a", 1]"#, "type_mismatch",
            #"Person.tags has to be a string"#, 37, #"/objects/Person/1/tags"#
        ),
        (
            #""id": 2, "name": "", "tags": null"#, "type_mismatch",
            #"Person.tags has to be a list"#, 31, #"/objects/Person/1/tags"#
        ),
        (
            #""id": 2, "name": "", "notes": []"#, "type_mismatch",
            #"Person.notes has to be a dictionary"#, 32, #"/objects/Person/1/notes"#
        ),
        (
            #""id": 2, "name": "", "notes": {"$a": "b"}"#, "type_mismatch",
            #"Person.notes has a dictionary key that starts with $ or contains a dot"#, 33, #"/objects/Person/1/notes"#
        ),
        (
            #""id": 2, "name": "", "notes": {"a.b": "b"}"#, "type_mismatch",
            #"Person.notes has a dictionary key that starts with $ or contains a dot"#, 33, #"/objects/Person/1/notes"#
        ),
        (
            #""id": 2, "name": "", "notes": {"a": "b", "a": null}"#, "duplicate_key",
            #"Person.notes has a dictionary key twice"#, 43, #"/objects/Person/1/notes"#
        ),
        (
            #""id": 2, "name": "", "numbers": [1, "a"]"#, "type_mismatch",
            #"Person.numbers has to be an int"#, 38, #"/objects/Person/1/numbers"#
        ),
        (
            #""id": 2, "name": "", "numbers": {}"#, "type_mismatch",
            #"Person.numbers has to be a set"#, 34, #"/objects/Person/1/numbers"#
        ),
        (
            #""id": 2, "name": "", "any": {"$what": 1}"#, "type_mismatch",
            #"Person.any has to be a mixed value in one of the forms of Realm JSON"#, 30, #"/objects/Person/1/any"#
        ),
        (
            #""id": 2, "name": "", "any": 18446744073709551616"#, "type_mismatch",
            #"Person.any has to be an integer of 64 bits"#, 30, #"/objects/Person/1/any"#
        ),
        (
            #""id": 2, "name": "", "any": {"$ref": "Cat", "$id": 1}"#, "broken_link",
            #"Person.any links to a class that the schema has not"#, 30, #"/objects/Person/1/any"#
        ),
        (
            #""id": 2, "name": "", "any": {"$ref": "Address", "$id": 1}"#, "broken_link",
            #"Person.any links to an embedded class"#, 30, #"/objects/Person/1/any"#
        ),
        (
            #""id": 2, "name": "", "any": {"a": {"$float": "x"}}"#, "type_mismatch",
            #"Person.any has to be a float"#, 47, #"/objects/Person/1/any"#
        ),
        (
            #""id": 2, "name": "", "anys": [[]]"#, "type_mismatch",
            #"Person.anys has to be a set of single values"#, 32, #"/objects/Person/1/anys"#
        ),
        (
            #""id": 2, "name": "", "home": 1"#, "type_mismatch",
            #"Person.home has to be an embedded object"#, 31, #"/objects/Person/1/home"#
        ),
        (
            #""id": 2, "name": "", "home": {"streets": 1}"#, "unknown_property",
            #"Address has no property 'streets'"#, 32, #"/objects/Person/1/home"#
        ),
        (
            #""id": 2, "name": "", "home": {"street": "", "inner": {"number": ""}}"#, "type_mismatch",
            #"Room.number has to be an int"#, 66, #"/objects/Person/1/home/inner/number"#
        ),
        (
            #""id": 2, "name": "", "homes": [{"street": ""}, {}]"#, "missing_value",
            #"Address.street is missing"#, 49, #"/objects/Person/1/homes/1/street"#
        ),
        (
            #""id": 2, "name": "", "homes": [null]"#, "missing_value",
            #"Person.homes may not hold null"#, 33, #"/objects/Person/1/homes"#
        ),
        (
            #""id": 2, "name": "", "homes": {}"#, "type_mismatch",
            #"Person.homes has to be a list"#, 32, #"/objects/Person/1/homes"#
        ),
        (
            #""id": 2, "name": "", "places": {"x": {"street": 1}}"#, "type_mismatch",
            #"Address.street has to be a string"#, 50, #"/objects/Person/1/places/street"#
        ),
        (
            #""id": 2, "name": "", "places": []"#, "type_mismatch",
            #"Person.places has to be a dictionary"#, 33, #"/objects/Person/1/places"#
        ),
        (
            #""id": 2, "name": "", "_key": 1"#, "unknown_property",
            #"Person has no property '_key'"#, 23, #"/objects/Person/1"#
        ),
    ])
    func `refuses a value and says where it stands`(
        members: String, code: String, clause: String, column: Int, pointer: String
    ) throws {
        let error = try refusal(ofPerson: members)
        #expect(error.message == "\(clause), at \(Self.place(column)).")
        #expect(error.code.rawValue == code)
        let item = try #require(error.details.first)
        #expect(item.pointer == pointer)
        #expect((item.line, item.column) == (3, column))
        #expect(item.offset == Self.opening.utf8.count + column - 1)
    }

    @Test(arguments: [
        (#""id": 2, "name": "", "friend": 99"#, "Person.friend", true),
        (#""id": 2, "name": "", "friend": {"$key": 0}"#, "Person.friend", true),
        (#""id": 2, "name": "", "dog": 3"#, "Person.dog", false),
        (#""id": 2, "name": "", "dogs": [0, 1, 0]"#, "Person.dogs", false),
        (#""id": 2, "name": "", "any": [{"$ref": "Person", "$id": 99}]"#, "Person.any", true),
        (#""id": 2, "name": "", "any": {"$ref": "Dog", "$id": 99}"#, "Person.any", false),
    ])
    func `refuses links to objects that are not there`(members: String, property: String, isKnownByLine: Bool) throws {
        let error = try refusal(ofPerson: members)
        let place = isKnownByLine ? "at \(Self.place(1))" : "with the key 1"
        #expect(error.message == "\(property) links to an object that is not there, in the object \(place).")
        #expect(error.code == .brokenLink)
        #expect(error.details.first?.key == ObjectKey(1))
    }

    @Test(arguments: [
        (#"{"_key": 0}, {"_key": 0}"#, "Two objects of Dog have the key 0, the second", 13),
        (#"{"_key": 5}, {"_key": 1}, {"_key": 5}"#, "Two objects of Dog have the key 5, the second", 26),
        (#"{}, {"_key": 0}, {"_key": 0}"#, "Two objects of Dog have the key 0, the second", 17),
        (#"{"_key": -1}"#, "Dog has a _key that is no object key,", 9),
        (#"{"_key": "a"}"#, "Dog has a _key that is no object key,", 9),
        (#"{"_key": 1, "_key": 2}"#, "Dog has a member twice,", 12),
        ("7", "Dog has to be a JSON object,", 0),
        (#"{"owners": []}"#, "Dog has no property 'owners',", 1),
    ])
    func `refuses an object for its key or its form`(objects: String, clause: String, column: Int) throws {
        let opening = #"{"schema": \#(Self.schema), "objects": {"Dog": ["#
        let offset = opening.utf8.count + column
        let error = try refusal("\(opening)\(objects)]}}")
        #expect(error.message == "\(clause) at line 1, column \(offset + 1) (byte \(offset)).")
    }

    @Test(arguments: [
        ("", "malformed_json", "Malformed JSON: the end is missing, at line 1, column 1 (byte 0)."),
        ("{}", "malformed_document", "schema is missing: /schema."),
        ("[]", "malformed_document", "An object has to stand at line 1, column 1 (byte 0)."),
        (
            #"{"schema": []} x"#, "malformed_json",
            "Malformed JSON: something follows the value, at line 1, column 16 (byte 15)."
        ),
        (
            #"{"schema": [], "schema": []}"#, "malformed_json",
            "Malformed JSON: a member that stands twice in its object, at line 1, column 16 (byte 15)."
        ),
        (
            #"{"schema": [], "object": []}"#, "unknown_member",
            "A realm has no member “object”: “objects” is the nearest. It has schemaVersion, schema, objects."
        ),
        (
            #"{"schema": [], "objects": []}"#, "malformed_document",
            "An object has to stand at line 1, column 27 (byte 26)."
        ),
        (
            #"{"schema": [], "objects": {"A": []}}"#, "unknown_class",
            "The schema has no class 'A', at line 1, column 28 (byte 27)."
        ),
        (
            #"{"schema": [], "schemaVersion": -1}"#, "malformed_document",
            "schemaVersion has to be an integer from 0, or null: /schemaVersion."
        ),
        (#"{"schema": 1}"#, "malformed_document", "A schema has to be an array of classes: /schema."),
        (
            #"{"schema": [{"name": "A", "properties": {"_key": "int"}}]}"#, "schema_invalid",
            "Property 'A._key' has the name of the object key in Realm JSON."
        ),
        (
            #"{"schema": [{"name": "A", "properties": {"a": "B", "b": {"type": "data", "indexed": true}}}]}"#,
            "schema_invalid",
            "Schema validation failed due to the following errors:\n"
                + "- Property 'A.a' of type 'object' has unknown object type 'B'\n"
                + "- Property 'A.b' of type 'data' cannot be indexed."
        ),
    ])
    func `refuses a document for its form`(text: String, code: String, message: String) throws {
        let error = try refusal(text)
        #expect(error.message == message)
        #expect(error.code.rawValue == code)
    }

    @Test(arguments: [
        (#"{"Address": []}"#, "Objects of the embedded class Address stand in their parents, at", 1),
        (#"{"Dog": {}}"#, "An array has to stand at", 8),
        (
            #"{"Dog": [], "Dog": []}"#,
            "Malformed JSON: a member that stands twice in its object, at", 12
        ),
        (#"{"Dog": [{"name": "a" "b"}]}"#, "Malformed JSON: a comma or } has to stand here, at", 22),
        (#"{"Dog": [{"name": "a"} {}]}"#, "Malformed JSON: a comma or ] has to stand here, at", 23),
        (#"{"Dog": [{"name": }]}"#, "Malformed JSON: a value has to stand here, at", 18),
    ])
    func `refuses the form of objects`(objects: String, clause: String, column: Int) throws {
        let opening = #"{"schema": \#(Self.schema), "objects": "#
        let offset = opening.utf8.count + column
        let error = try refusal("\(opening)\(objects)}")
        #expect(error.message == "\(clause) line 1, column \(offset + 1) (byte \(offset)).")
    }

    @Test(arguments: [
        ("7", #"A line has to be {"class": "..", "object": {..}}, at"#, 0),
        (#"{"class": "Dog", "object": {}, "more": 1}"#, #"A line has to be {"class": "..", "object": {..}}, at"#, 0),
        (#"{"class": "Cat", "object": {}}"#, "The schema has no class 'Cat', at", 0),
        (
            #"{"class": "Address", "object": {}}"#,
            "Objects of the embedded class Address stand in their parents, at", 0
        ),
        (#"{"object": {"name": 1}, "class": "Dog"}"#, "Dog.name has to be a string, at", 20),
        (#"{"class": "Dog", "object": {"name": "1"}"#, "Malformed JSON: the end is missing, at", 40),
        (
            #"{"class": "Person", "object": {"id": 1, "name": "", "friend": 2}}"#,
            "Person.friend links to an object that is not there, in the object at", 0
        ),
    ])
    func `refuses a line`(line: String, clause: String, column: Int) throws {
        let opening = #"{"schema": \#(Self.schema)}"# + "\r\n\n"
        let error = try refusal(opening + line, .lines)
        let place = "line 3, column \(column + 1) (byte \(opening.utf8.count + column))"
        #expect(error.message == "\(clause) \(place).")
    }

    @Test(arguments: [
        ("", "Malformed JSON: the end is missing, at line 1, column 1 (byte 0)."),
        ("{}", "schema is missing: /schema."),
        ("[]", "The first line has to be a JSON object."),
        (
            #"{"schema": [], "objects": {}}"#,
            "The first line has no member “objects”. It has schemaVersion, schema."
        ),
    ])
    func `refuses a first line`(line: String, message: String) throws {
        #expect(try refusal(line, .lines).message == message)
    }
}
