extension BadInput {
    /// The app `notes` has a version 1 with the class `Person`, and a realm `grace` of it.
    static let requests: [BadInput] = [
        BadInput(
            "a mistyped member of a body", request: "PUT", "/v1/apps/notes/schemas/2",
            body: #"{"shema": []}"#,
            place: "shema", remedy: "“schema” is the nearest"),
        BadInput(
            "a mistyped parameter", request: "GET", "/v1/jobs?statu=failed",
            place: "statu", remedy: "“state” is the nearest"),
        BadInput(
            "a mistyped type", request: "PUT", "/v1/apps/notes/schemas/2",
            body: #"{"schema": [{"name": "P", "properties": {"a": "strin"}}]}"#,
            place: #""property":"a""#, remedy: "Did you mean 'string'?"),
        BadInput(
            "a script with a syntax error", request: "PUT", "/v1/apps/notes/schemas/2",
            body:
                #"{"schema": [{"name": "Person", "properties": {"name": "string"}}], "migration": {"language": "javascript", "source": "function migrate() {\n  let a = ;\n}"}}"#,
            place: #""line":2"#, remedy: "missing before that"),
        BadInput(
            "a body that is no JSON", request: "PUT", "/v1/apps/notes/schemas/2",
            body: #"{"schema": [}"#,
            place: "column", remedy: "Correct the place"),
        BadInput(
            "a mistyped property of an upload", request: "POST", "/v1/apps/notes/realms/ada/snapshots",
            body:
                #"{"schema": [{"name": "Person", "properties": {"age": "int"}}], "objects": {"Person": [{"agee": 1}]}}"#,
            place: #""offset":"#, remedy: "Did you mean 'age'?"),
        BadInput(
            "a mistyped property of a query", request: "GET",
            "/v1/snapshots/{snapshot}/objects/Person?where=nam%20%3D%3D%20%22x%22",
            place: #""offset":0"#, remedy: "did you mean 'name'?"),
        BadInput(
            "a mistyped operator of a query", request: "GET",
            "/v1/snapshots/{snapshot}/objects/Person?where=name%20BEGINWITH%20%22x%22",
            place: #""offset":5"#, remedy: "Did you mean 'BEGINSWITH'?"),
        BadInput(
            "a class that there is not", request: "GET", "/v1/snapshots/{snapshot}/objects/Persn",
            place: "Persn", remedy: "Take a name of the snapshot"),
        BadInput(
            "an app that there is not", request: "GET", "/v1/apps/note",
            place: "note", remedy: "Look it up by `GET /v1/apps`"),
        BadInput(
            "a path that there is not", request: "GET", "/v1/app",
            place: "/v1/app", remedy: "Look the path up in `/openapi.json`"),
        BadInput(
            "a method that there is not", request: "PATCH", "/v1/apps/notes",
            place: "This path takes", remedy: "Use a method that `Allow` lists"),
        BadInput(
            "a version that is not declared", request: "POST", "/v1/apps/notes/realms/grace/migrations",
            body: #"{"targetVersion": 9}"#,
            place: "/targetVersion", remedy: "Declare it by"),
        BadInput(
            "a level that there is not", request: "POST", "/v1/apps/notes/rehearsals",
            body: #"{"targetVersion": 1, "failOn": ["warnin"]}"#,
            place: "/failOn", remedy: "“warning” is the nearest"),
    ]
}
