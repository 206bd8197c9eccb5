import RealmJSON

/// Realms and schemas to test with.
enum Samples {
    static let person: JSONValue = [
        "name": "Person", "primaryKey": "id",
        "properties": ["id": "int", "name": "string?", "dogs": "Dog[]"],
    ]
    static let dog: JSONValue = ["name": "Dog", "properties": ["name": "string"]]
    static let schema: JSONValue = [person, dog]

    /// The schema with a property more.
    static let grownSchema: JSONValue = [
        [
            "name": "Person", "primaryKey": "id",
            "properties": ["id": "int", "name": "string?", "dogs": "Dog[]", "age": "int?"],
        ], dog,
    ]

    /// The schema with a property less.
    static let shrunkSchema: JSONValue = [
        ["name": "Person", "primaryKey": "id", "properties": ["id": "int", "dogs": "Dog[]"]], dog,
    ]

    static func realm(persons: Int = 2) -> JSONValue {
        let people = (0..<persons).map { number -> JSONValue in
            ["id": .int(Int64(number)), "name": .string("Person \(number)"), "dogs": [4]]
        }
        return [
            "schemaVersion": 1, "schema": schema,
            "objects": ["Person": .array(people), "Dog": [["_key": 4, "name": "Rex"]]],
        ]
    }

    /// The schema that clients of a synced realm share: notes, and a class that only some of them know.
    static let shared: JSONValue = [
        ["name": "Note", "primaryKey": "_id", "properties": ["_id": "int", "title": "string", "rating": "int?"]],
        ["name": "Tag", "primaryKey": "_id", "properties": ["_id": "string", "notes": "Note[]"]],
    ]

    /// The notes with more properties, and the tags.
    static func shared(adding properties: [JSONMember]) -> JSONValue {
        let note: [JSONMember] = [
            JSONMember("_id", "int"), JSONMember("title", "string"), JSONMember("rating", "int?"),
        ]
        return [
            ["name": "Note", "primaryKey": "_id", "properties": .object(note + properties)],
            shared.elements?[1] ?? .null,
        ]
    }

    static func sharedRealm(notes: Int = 3) -> JSONValue {
        let objects = (0..<notes).map { number -> JSONValue in
            ["_id": .int(Int64(number)), "title": .string("note \(number)"), "rating": .int(Int64(number))]
        }
        return [
            "schemaVersion": 1, "schema": shared,
            "objects": ["Note": .array(objects), "Tag": [["_id": "new", "notes": [0, 2]]]],
        ]
    }

    static let lines = [
        #"{"schemaVersion":1,"schema":[{"name":"Dog","properties":{"name":"string"}}]}"#,
        #"{"class":"Dog","object":{"_key":4,"name":"Rex"}}"#,
    ].joined(separator: "\n")
}
