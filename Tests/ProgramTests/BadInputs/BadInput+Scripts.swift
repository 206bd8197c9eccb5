extension BadInput {
    static let scripts: [BadInput] = [
        BadInput(
            "a syntax error",
            files: ["s.js": "function migrate(m) {\n  let a = ;\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "missing before that"),
        BadInput(
            "a parenthesis too few",
            files: ["s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => {\#n  };\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:3", remedy: "Expected ')' to end an argument list"),
        BadInput(
            "a mistyped function of its own",
            files: ["s.js": "// a script\nfunction migrat(m) {}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "The script declares 'migrat': call it 'migrate'."),
        BadInput(
            "a mistyped property of the new object",
            files: [
                "s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => { n.nam = o.name; });\#n}"#
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:45", remedy: "Did you mean 'name'?"),
        BadInput(
            "a mistyped property of the old object",
            files: [
                "s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => { n.name = o.nam; });\#n}"#
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "Person, object 0", remedy: "a name that the old object does not have reads as undefined"),
        BadInput(
            "a text for a number",
            files: [
                "s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => { n.age = "x"; });\#n}"#
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:45", remedy: "Convert the value by Number(…)."),
        BadInput(
            "a mistyped function of the migration",
            files: ["s.js": #"function migrate(m) {\#n  m.enumerateObject("Person", () => {});\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:20", remedy: "Did you mean 'enumerateObjects'?"),
        BadInput(
            "a write to the old object",
            files: ["s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => { o.age = 1; });\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:45", remedy: "Write to the new object"),
        BadInput(
            "an async function",
            files: ["s.js": "// a script\nasync function migrate(m) {\n  await 1;\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Leave out async, await and promises"),
        BadInput(
            "a Promise",
            files: ["s.js": "function migrate(m) {\n  return Promise.resolve(1);\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Leave out async, await and promises"),
        BadInput(
            "an async callback",
            files: ["s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", async (o, n) => {});\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Leave out async, await and promises"),
        BadInput(
            "a callback that nobody waits for",
            files: ["s.js": "function migrate(m) {\n  Promise.resolve().then(() => { throw new Error('boom'); });\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Leave out async, await and promises"),
        BadInput(
            "a loop without an end",
            files: ["s.js": "function migrate(m) {\n  let i = 0;\n  while (true) { i += Math.sqrt(i); }\n}"],
            run: [
                "migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json", "--timeout", "10",
            ],
            place: "s.js:3", remedy: "--timeout"),
        BadInput(
            "a timer",
            files: ["s.js": "function migrate(m) {\n  setTimeout(() => {}, 1);\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:13", remedy: "Scripts have no timers"),
        BadInput(
            "a module of Node",
            files: ["s.js": #"const fs = require("fs");\#nfunction migrate(m) {}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:1:19", remedy: "Scripts have no timers, network, files or modules"),
        BadInput(
            "an import",
            files: ["s.js": #"import x from "y";\#nfunction migrate(m) {}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:1", remedy: "paste in what the module has"),
        BadInput(
            "an object without a required value",
            files: ["s.js": #"function migrate(m) {\#n  m.create("Person", {age: 1});\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "Person.name", remedy: "Give the value where the object is made"),
        BadInput(
            "a rename of a mistyped property",
            files: ["s.js": #"function migrate(m) {\#n  m.renameProperty("Person", "nam", "name");\#n}"#],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "Person.nam", remedy: "Did you mean 'name'?"),
        BadInput(
            "a class that the new schema has not",
            files: [
                "in.json":
                    #"{"schemaVersion":0,"schema":[{"name":"Dog","properties":{"name":"string"}}],"objects":{}}"#,
                "s.js": #"function migrate(m) {\#n  m.newRealm.objects("Dog");\#n}"#,
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Only the old schema has the class 'Dog'."),
        BadInput(
            "a mistyped class that the new schema has not",
            files: [
                "in.json":
                    #"{"schemaVersion":0,"schema":[{"name":"Dog","properties":{"name":"string"}}],"objects":{}}"#,
                "s.js": #"function migrate(m) {\#n  m.newRealm.objects("Dogs");\#n}"#,
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Did you mean 'Dog'? Only the old schema has it."),
        BadInput(
            "a property that the new class has not",
            files: [
                "in.json": #"""
                {"schemaVersion":0,"schema":[{"name":"Person","properties":{"full":"string"}}],
                 "objects":{"Person":[{"_key":0,"full":"Ada"}]}}
                """#,
                "s.js": #"function migrate(m) {\#n  m.enumerateObjects("Person", (o, n) => { n.full = o.full; });\#n}"#,
            ],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2:45", remedy: "Only the old schema has the property 'full'."),
        BadInput(
            "a variable that nobody declares",
            files: ["s.js": "function migrate(m) {\n  counter += 1;\n}"],
            run: ["migrate", "in.json", "--schema", "t.json", "--script", "s.js", "--output", "o.json"],
            place: "s.js:2", remedy: "Declare it with const or let"),
    ]
}
