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

    static let lines = [
        #"{"schemaVersion":1,"schema":[{"name":"Dog","properties":{"name":"string"}}]}"#,
        #"{"class":"Dog","object":{"_key":4,"name":"Rex"}}"#,
    ].joined(separator: "\n")
}
