extension BadInput {
    static let options: [BadInput] = [
        BadInput(
            "a mistyped command",
            run: ["migrat", "in.json"],
            place: "command migrat", remedy: "Did you mean 'migrate'?"),
        BadInput(
            "a mistyped option",
            run: ["migrate", "in.json", "--shema", "t.json", "--output", "o.json"],
            place: "--shema", remedy: "Did you mean '--schema'?"),
        BadInput(
            "a mistyped mode",
            run: ["migrate", "in.json", "--schema", "t.json", "--output", "o.json", "--mode", "automatc"],
            place: "--mode", remedy: "Did you mean 'automatic'?"),
        BadInput(
            "a mistyped format",
            run: ["convert", "in.json", "o", "--to", "parqet"],
            place: "--to", remedy: "Did you mean 'parquet'?"),
        BadInput(
            "a mistyped language",
            run: ["models", "in.json", "--target", "realm-swft", "--output", "."],
            place: "--target", remedy: "Did you mean 'realm-swift'?"),
        BadInput(
            "a mistyped level",
            run: ["rehearse", "in.json", "--schema", "t.json", "--fail-on", "warnin"],
            place: "--fail-on", remedy: "“warning” is the nearest"),
        BadInput(
            "a mistyped class",
            run: ["objects", "in.json", "Persn"],
            place: "in.json", remedy: "did you mean Person?"),
        BadInput(
            "an output that is the input",
            run: ["migrate", "in.json", "--schema", "t.json", "--output", "in.json", "--force"],
            place: "in.json is read", remedy: "the output needs a name of its own"),
        BadInput(
            "a key of three digits",
            run: ["convert", "in.json", "o.realm", "--output-key", "abc"],
            place: "--output-key", remedy: "an encryption key is 64 bytes, 128 hexadecimal digits"),
        BadInput(
            "an unknown ending",
            run: ["convert", "in.json", "o.xyz"],
            place: "o.xyz", remedy: "give --to"),
        BadInput(
            "a file of another format",
            files: ["t.realm": "a text that is longer than the header of a file"],
            run: ["inspect", "t.realm"],
            place: "t.realm", remedy: "Look at the file"),
        BadInput(
            "a file that is cut",
            files: ["c.json": #"{"schemaVersion": 0, "schema": [{}"#],
            run: ["inspect", "c.json"],
            place: "line 1", remedy: "the end is missing"),
        BadInput(
            "no file",
            run: ["inspect", "nowhere.json"],
            place: "nowhere.json", remedy: nil),
    ]
}
