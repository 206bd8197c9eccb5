import Foundation
import Testing

@Suite struct `Usage of the program` {
    private static let commands = [
        "serve", "worker", "migrate", "rehearse", "convert", "rescue", "verify", "models", "inspect",
        "objects", "diff", "apps", "declare", "push", "watch", "pull", "fleet", "jobs", "sync", "keys",
    ]

    @Test(arguments: commands)
    func `explains every command with its options, their defaults and an example`(command: String) throws {
        let help = try BuiltProgram.run([command, "--help"])
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("usage: realmshift \(command) "))
        #expect(help.output.split(separator: "\n").contains { $0.hasPrefix("  realmshift \(command) ") })
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(try BuiltProgram.run(["help", command]).output == help.output)
        #expect(try BuiltProgram.run(["--help"]).output.contains("  \(command)"))
        for option in Self.options(help.output) {
            // Asked for in a way that is wrong all the same, so that no command begins to run.
            let words = [command, option.name] + (option.title == option.name ? ["--frob"] : [])
            let error = try BuiltProgram.run(words).error
            #expect(error.hasPrefix("realmshift: \(words.count == 3 ? "There is no option --frob." : option.title)"))
            // An option without a default is needed, is a flag, or is a key: a file without one is not encrypted.
            let isPlain = option.title == option.name || option.name.contains("-key") || option.name == "--key"
            #expect(option.help.contains("default") || option.help.contains("required") || isPlain, "\(option)")
            guard option.title != option.name else { continue }
            let twice = try BuiltProgram.run([command, option.name, "x", option.name, "x", "--frob"]).error
            let isRepeatable = option.help.contains(" times")
            let said =
                isRepeatable ? "There is no option --frob." : "\(option.name) is given twice, and takes one value."
            #expect(twice.hasPrefix("realmshift: \(said)"))
        }
    }

    /// The options that a help screen lists, with the lines that a long text goes on in.
    private static func options(_ help: String) -> [(name: String, title: String, help: String)] {
        var options: [(name: String, title: String, help: String)] = []
        for line in help.split(separator: "\n").map(String.init) {
            if line.hasPrefix("  --") {
                let words = line.dropFirst(2).split(separator: "  ", maxSplits: 1).map(String.init)
                let name = words[0].split(separator: " ")[0]
                options.append((String(name), words[0], words.count > 1 ? words[1] : ""))
            } else if line.hasPrefix("      "), !options.isEmpty {
                options[options.count - 1].help += " " + line
            }
        }
        return options
    }

    @Test(
        arguments: [
            ([], "", "A command is missing."), (["frobnicate"], "", "There is no command frobnicate."),
            (["help", "frobnicate"], "", "There is no command frobnicate."),
            (["migrat"], "", "There is no command migrat. Did you mean 'migrate'?"),
            (["serve", "--worker", "2"], "serve", "There is no option --worker. Did you mean '--workers'?"),
            (["migrate"], "migrate", "IN is missing."),
            (["migrate", "a.json"], "migrate", "--schema TARGET is missing."),
            (["migrate", "a.json", "--schema", "t.json"], "migrate", "--output OUT is missing."),
            (["convert", "a.json"], "convert", "OUT is missing."),
            (["convert", "a.json", "b.json", "c.json"], "convert", "c.json is more than the command takes."),
            (
                ["convert", "/etc/passwd", "b.json"], "convert",
                "/etc/passwd: unknown ending; give --from realm, json or ndjson."
            ),
            (
                ["convert", "a.json", "b.csv", "--to", "csv"], "convert",
                "b.csv would be a ZIP archive with a file per class: name it b.csv.zip."
            ),
            (
                ["convert", "a.json", "-"], "convert",
                "A standard stream has no name that says its format; give --to realm, json, ndjson, sqlite, sql, csv, parquet or ejson."
            ),
            (
                ["migrate", "a.json", "--schema", "t.json", "--output", "b.json", "--mode", "sideways"], "migrate",
                "--mode takes one of: automatic, immutable, readOnly, softResetFile, hardResetFile, additiveDiscovered, "
                    + "additiveExplicit, manual."
            ),
            (
                ["migrate", "a.json", "--schema", "t.json", "--output", "b.json", "--to-version", "-1"], "migrate",
                "--to-version takes a whole number, 0 or more."
            ),
            (["serve", "--listen", "nowhere"], "serve", "--listen takes HOST:PORT, as 127.0.0.1:8080."),
            (["serve", "--workers", "many"], "serve", "--workers takes a whole number from 0 to 256."),
            (["serve", "--frob"], "serve", "There is no option --frob."),
            (["serve", "--log-requests=yes"], "serve", "--log-requests takes no value."),
            (["worker"], "worker", "A worker needs the service's database: --database-url."),
            (
                ["inspect", "a.realm", "--key", "abc"], "inspect",
                "--key: an encryption key is 64 bytes, 128 hexadecimal digits."
            ),
            (
                ["inspect", "a.realm", "--key", "abc", "--key-file", "f"], "inspect",
                "--key and --key-file exclude each other."
            ),
            (
                ["convert", "a.json", "b.realm", "--output-key", String(repeating: "a", count: 126)], "convert",
                "--output-key: an encryption key is 64 bytes, 128 hexadecimal digits."
            ),
            (
                ["convert", "a.json", "b.ndjson", "--output-key", String(repeating: "a", count: 128)], "convert",
                "--output-key is for .realm files; other formats are not encrypted."
            ),
            (["convert", "a.json", "b.realm", "--output-key"], "convert", "--output-key HEX needs its value."),
            (
                ["migrate", "a.json", "--script", "a.js", "--script=b.js"], "migrate",
                "--script is given twice, and takes one value."
            ),
            (["serve", "--data", "a", "--data", "a"], "serve", "--data is given twice, and takes one value."),
            (
                ["serve", "--database-url", "mysql://x"], "serve",
                "--database-url takes a PostgreSQL's address, as postgresql://user@host/database."
            ),
            (
                ["worker", "--database-url", "db.internal"], "worker",
                "--database-url takes a PostgreSQL's address, as postgresql://user@host/database."
            ),
            (["diff", "-", "-"], "diff", "A and B can't both be standard input."),
        ] as [([String], String, String)])
    func `ends with 2, a line and a hint where it can't be understood`(
        arguments: [String], command: String, message: String
    ) throws {
        let folder = try TemporaryFolder()
        let outcome = try BuiltProgram.run(arguments, in: folder.url)
        #expect(outcome.status == 2)
        let hint = (["Try: realmshift", command, "--help"]).filter { !$0.isEmpty }.joined(separator: " ")
        #expect(outcome.error == "realmshift: \(message)\n\(hint)\n")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        arguments: ["--public-url", "--allow-origin"],
        [
            "https://tools.example.com ", "https://tools.example.com\n", "https://tools.example.com\t",
            "https://tools.example.com\u{a0}", "https://a b.example", "https://a|b", "https://a<b", "https://a\"b",
            "https://a\\b", "https://a^b", "https://a{b}", "https:// ", "https://", "https://a..b",
            "https://me@a.example",
            "https://a.example/path", "https://a.example?q", "https://a.example#f", "https://a.example:65536",
            "https://[::g]", "https://[1:2]", "ftp://a.example", "a.example", "https://%61.example",
            "https://\u{212A}.example",
        ]
    )
    func `refuses what is no origin`(option: String, address: String) throws {
        let outcome = try BuiltProgram.run(["serve", option, address])
        #expect(outcome.status == 2)
        let message = "\(option) takes a scheme and a host, as https://realms.example.com, and no path."
        #expect(outcome.error.hasPrefix("realmshift: \(message)"), "\(outcome.error)")
    }

    @Test func `tells how a host of other letters is written`() throws {
        let outcome = try BuiltProgram.run(["serve", "--public-url", "https://bücher.example"])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("Write a host of other letters as browsers send it: xn--…."))
    }

    /// A mistake behind it is what they are refused for.
    @Test(arguments: [
        "https://tools.example.com", "HTTPS://Tools.Example.com/", "http://localhost:8080", "https://[::1]:8443",
        "http://127.0.0.1", "https://my_host", "https://xn--bcher-kva.example", "https://a.example.",
    ])
    func `takes origins`(address: String) throws {
        let outcome = try BuiltProgram.run(["serve", "--public-url", address, "--rate-limit", "none"])
        #expect(outcome.status == 2)
        #expect(outcome.error.hasPrefix("realmshift: --rate-limit"), "\(outcome.error)")
    }

    @Test func `takes what comes behind -- as names`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("--in.json", #"{"schemaVersion": 0, "schema": [], "objects": {}}"#)
        let outcome = try BuiltProgram.run(["convert", "--quiet", "--", "--in.json", "--out.json"], in: folder.url)
        #expect(outcome.status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path("--out.json")))
    }
}
