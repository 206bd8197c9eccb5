extension BadInput {
    static let schemas: [BadInput] = [
        BadInput(
            "a type with a letter too few",
            files: ["s.json": #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"a": "strin"}}]}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "P.a", remedy: "Did you mean 'string'?"),
        BadInput(
            "a link to a mistyped class",
            files: ["s.json": #"{"schemaVersion": 1, "schema": [{"name": "Person", "properties": {"a": "Persn?"}}]}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "Person.a", remedy: "Did you mean 'Person'?"),
        BadInput(
            "a mistyped member of a class",
            files: ["s.json": #"{"schemaVersion": 1, "schema": [{"name": "P", "propertys": {"a": "string"}}]}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "/schema/0", remedy: "“properties” is the nearest"),
        BadInput(
            "a mistyped member of a property",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"a": {"type": "string", "optinal": true}}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "/schema/0/properties/a", remedy: "“optional” is the nearest"),
        BadInput(
            "a mistyped member of the document",
            files: ["s.json": #"{"schemaVersion": 1, "shema": []}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "A target", remedy: "“schema” is the nearest"),
        BadInput(
            "a primary key that is no property",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "primaryKey": "naem", "properties": {"name": "string"}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "P.naem", remedy: "Did you mean 'name'?"),
        BadInput(
            "a primary key of a type that none has",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "primaryKey": "name", "properties": {"name": "double"}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "P.name", remedy: "A primary key is an int, a string, an objectId or a uuid."),
        BadInput(
            "an origin that is no property",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"dogs": {"type": "linkingObjects", "objectType": "Dog", "property": "ownr"}}}, {"name": "Dog", "properties": {"owner": "P?"}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "P.dogs", remedy: "Did you mean 'owner'?"),
        BadInput(
            "a class that stands twice",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"a": "int"}}, {"name": "P", "properties": {"b": "int"}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "Type 'P'", remedy: "Declare it once"),
        BadInput(
            "an index of numbers with fractions",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"a": {"type": "double", "indexed": true}}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "P.a", remedy: #"leave "indexed" out"#),
        BadInput(
            "an embedded class with a primary key",
            files: [
                "s.json":
                    #"{"schemaVersion": 1, "schema": [{"name": "P", "embedded": true, "primaryKey": "a", "properties": {"a": "int"}}]}"#
            ],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "type 'P'", remedy: "Leave the primary key out"),
        BadInput(
            "a comma too many",
            files: ["s.json": #"{"schemaVersion": 1, "schema": [{"name": "P", "properties": {"a": "int",}}]}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "line 1, column 73 (byte 72)", remedy: "a member's name has to stand here"),
        BadInput(
            "a version as a text",
            files: ["s.json": #"{"schemaVersion": "1", "schema": []}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "/schemaVersion", remedy: "has to be an integer from 0, or null"),
        BadInput(
            "no version",
            files: ["s.json": #"{"schema": [{"name": "P", "properties": {"a": "int"}}]}"#],
            run: ["migrate", "in.json", "--schema", "s.json", "--output", "o.json"],
            place: "s.json", remedy: "give --to-version"),
    ]
}
