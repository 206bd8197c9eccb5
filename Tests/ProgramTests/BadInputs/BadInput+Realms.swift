extension BadInput {
    static let realms: [BadInput] = [
        BadInput(
            "a mistyped class",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"a": "int"}}], "objects": {"Persn": [{"a": 1}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "line 1, column 74 (byte 73)", remedy: "Did you mean 'Person'?"),
        BadInput(
            "a mistyped property",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": [{"agee": 1}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "line 1, column 88 (byte 87)", remedy: "Did you mean 'age'?"),
        BadInput(
            "a text for a number",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": [{"age": "x"}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.age", remedy: "has to be an int"),
        BadInput(
            "a value that is missing",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int", "b": "string"}}], "objects": {"Person": [{"age": 1}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.b is missing, at line 1", remedy: "Give the value, or declare the property optional."),
        BadInput(
            "a null",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": [{"age": null}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.age", remedy: "Give the value, or declare the property optional."),
        BadInput(
            "a primary key twice",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "primaryKey": "age", "properties": {"age": "int"}}], "objects": {"Person": [{"age": 1}, {"age": 1}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.age", remedy: "Remove one of them"),
        BadInput(
            "a link to nothing",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int", "dog": "Person?"}}], "objects": {"Person": [{"age": 1, "dog": 7}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "the object with the key 0", remedy: "Add the object, or set the link to null."),
        BadInput(
            "a date of no calendar",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"at": "date"}}], "objects": {"Person": [{"at": "2024-13-01T00:00:00Z"}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.at", remedy: #"has to be a date, {"$date""#),
        BadInput(
            "data that is no Base 64",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"raw": "data"}}], "objects": {"Person": [{"raw": "***"}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.raw", remedy: #"has to be data, {"$binary""#),
        BadInput(
            "a number of 65 bits",
            files: [
                "d.json":
                    #"{"schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": [{"age": 9223372036854775808}]}}"#
            ],
            run: ["inspect", "d.json"],
            place: "Person.age", remedy: "has to be an integer of 64 bits"),
        BadInput(
            "a mistyped member of the document",
            files: ["d.json": #"{"schema": [], "object": {}}"#],
            run: ["inspect", "d.json"],
            place: "A realm", remedy: "“objects” is the nearest"),
    ]
}
