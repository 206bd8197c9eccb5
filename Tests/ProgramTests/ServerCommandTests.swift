import Foundation
import RealmJSON
import Testing

/// Commands ask a real service, and read and write real files.
@Suite struct `Commands for a service` {
    private let folder: TemporaryFolder
    private let service: RunningService
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        service = try RunningService()
        let examples = BuiltProgram.root.appendingPathComponent("examples")
        for name in ["people.realm", "people-v3.json", "split-names.js"] {
            try FileManager.default.copyItem(
                atPath: examples.appendingPathComponent(name).path, toPath: folder.path(name))
        }
        environment = [
            "HOME": folder.path("home"), "REALMSHIFT_SERVER": "http://127.0.0.1:\(service.port)",
            "REALMSHIFT_KEY": service.key, "LC_ALL": "C.UTF-8",
        ]
    }

    private func run(_ words: [String], _ changes: [String: String] = [:]) throws -> BuiltProgram.Outcome {
        let environment = environment.merging(changes) { $1 }.filter { !$0.value.isEmpty }
        return try BuiltProgram.run(words, in: folder.url, environment: environment)
    }

    private func lines(_ outcome: BuiltProgram.Outcome) throws -> [JSONValue] {
        try outcome.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    }

    private var server: [String] { ["--server", environment["REALMSHIFT_SERVER"] ?? ""] }

    @Test func `take a file to a migrated file`() throws {
        #expect(try run(["declare", "walk", "--schema", "people-v3.json", "--script", "split-names.js"]).status == 0)
        let pushed = try run(["push", "walk", "people.realm", "--realm", "ada", "--json"])
        #expect(try lines(pushed).first?["objectCounts"]?["User"]?.int == 2)
        let tried = try run(["rehearse", "walk/ada", "--to-version", "3"] + server)
        #expect(tried.status == 0 && tried.output == "walk/ada: passed\n  nothing is lost\n")
        let migrated = try run(["migrate", "walk/ada", "--to-version", "3", "--json"] + server)
        #expect(migrated.status == 0)
        #expect(try lines(migrated).last?["data"]?["state"]?.string == "succeeded")
        #expect(try run(["pull", "walk/a*", "--output", "-", "--to", "json"]).output.contains(#""firstName":"Ada""#))
        #expect(try run(["pull", "walk/ada", "--output", "migrated.realm"]).status == 0)
        let difference = try run(["diff", "walk/ada@previous", "walk/ada", "--exit-code"] + server)
        #expect(difference.status == 1 && difference.output.contains("Property 'User.firstName' has been added."))
        // The same by files gives the same objects.
        let options = ["--schema", "people-v3.json", "--script", "split-names.js", "--output", "local.realm"]
        #expect(try run(["migrate", "people.realm"] + options).status == 0)
        #expect(try run(["diff", "local.realm", "migrated.realm", "--exit-code"]).output == "no difference\n")
    }

    @Test func `end with the code of what went wrong`() throws {
        _ = try run(["apps", "--create", "codes"])
        let unknown = try run(["pull", "codes/nobody", "--output", "x.realm"])
        let making = "  realmshift push codes makes realms of files, each of the file's name.\n"
        let expected = "realmshift: codes/nobody: There is no realm “nobody”.\n" + making
        #expect(unknown.status == 1 && unknown.error == expected)
        #expect(try run(["watch", "codes/nobody"]).error == expected)
        #expect(try run(["push", "codes", "people.realm"]).status == 0)
        #expect(try run(["pull", "codes/peple", "--output", "x.realm"]).error.hasSuffix("  Did you mean 'people'?\n"))
        let job = try run(["watch", "people"])
        #expect(job.status == 2 && job.error.contains("people names no job: give its id, of realmshift jobs list, or"))
        let fleet = try run(["fleet", "show", "codes/xyz"])
        #expect(
            fleet.status == 2
                && fleet.error.contains("codes/xyz names no fleet: give its id, of realmshift fleet list codes."))
        #expect(try run(["apps"], ["REALMSHIFT_KEY": "rsk_wrong"]).status == 4)
        #expect(try run(["apps"], ["REALMSHIFT_SERVER": "http://127.0.0.1:1"]).status == 3)
        #expect(try run(["apps"], ["REALMSHIFT_SERVER": ""]).status == 2)
        // A command for files and for services takes files, wherever the service is named.
        let meant = try run(["diff", "codes/nobody", "codes/somebody"])
        #expect(meant.status == 2 && meant.error.contains("add --server \(environment["REALMSHIFT_SERVER"] ?? "")"))
        #expect(try !run(["diff", "people.realm", "nothing.realm"]).error.contains("--server"))
        #expect(
            try run(["apps"], ["REALMSHIFT_KEY": "rsk_a\r\nX: y"]).error.contains("REALMSHIFT_KEY holds no API key."))
        #expect(try run(["apps"], ["REALMSHIFT_SERVER": "http://realms.example.com"]).error.contains("in the clear"))
        // Plain HTTP goes through no proxy, which would see the key.
        #expect(try run(["apps"], ["http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1"]).status == 0)
        let problem = try run(["jobs", "show", "nonsense", "--json"])
        #expect(problem.status == 1 && problem.error.contains(#""code":"job_not_found""#))
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.realm")))
    }

    @Test func `take a key from a file that nobody else can read`() throws {
        let path = try folder.file("key", service.key + "\n")
        let words = ["apps", "--api-key-file", "key"]
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let refused = try run(words, ["REALMSHIFT_KEY": ""])
        #expect(refused.status == 2 && refused.error.contains("key: others can read this key: chmod 600 key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try run(words, ["REALMSHIFT_KEY": ""]).status == 0)
    }

    @Test func `take a profile, whose key goes to its own service alone`() throws {
        let config = folder.url.appendingPathComponent("config/realmshift")
        try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
        _ = try folder.file("config/realmshift/own.key", service.key)
        let keyPath = folder.path("config/realmshift/own.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
        let profile = #"{"server": "\#(environment["REALMSHIFT_SERVER"] ?? "")", "keyFile": "own.key"}"#
        _ = try folder.file("config/realmshift/profiles.json", #"{"default": "own", "profiles": {"own": \#(profile)}}"#)
        let own = ["XDG_CONFIG_HOME": folder.path("config"), "REALMSHIFT_SERVER": "", "REALMSHIFT_KEY": ""]
        #expect(try run(["apps"], own).status == 0)
        #expect(try run(["apps", "--profile", "own"], own).status == 0)
        let missing = try run(["apps", "--profile", "other"], own)
        #expect(missing.status == 2 && missing.error.contains("There is no profile other"))
        let elsewhere = try run(["apps", "--server", "http://127.0.0.1:1"], own)
        #expect(elsewhere.status == 2 && elsewhere.error.contains("No key is there"))
    }

    @Test func `say what is wrong with some files, and send the others`() throws {
        _ = try folder.file("bad.realm", "this is no realm")
        let pushed = try run(["push", "some", "*.realm", "--create", "--json"])
        #expect(pushed.status == 1)
        #expect(try lines(pushed).compactMap { $0["realm"]?.string } == ["people"])
        #expect(pushed.error.contains(#""file":"bad.realm""#))
        #expect(
            try run(["push", "some", "people.realm", "./people.realm"]).error.contains("both for the realm people"))
    }

    @Test func `ask whether another app was meant, and make none by a typing error`() throws {
        _ = try run(["apps", "--create", "mistyped"])
        let pushed = try run(["push", "mistypde", "people.realm"])
        #expect(pushed.status == 1)
        #expect(
            pushed.error == "realmshift: There is no app “mistypde”. Did you mean 'mistyped'? --create makes it.\n")
        #expect(try !run(["apps", "--json"]).output.contains("mistypde"))
        let listed = try run(["jobs", "list", "--app", "mistypde"])
        #expect(listed.status == 1 && listed.error.contains("Did you mean 'mistyped'?"))
        let made = try run(["keys", "create", "later", "--apps", "mistypde,mistyped"])
        #expect(made.status == 0 && made.output.hasPrefix("rsk_"))
        #expect(made.error == "realmshift: There is no app “mistypde”. Did you mean 'mistyped'?\n")
    }

    @Test func `print a script's failure with its line`() throws {
        _ = try folder.file("wrong.js", "function migrate(migration) {\n  throw new Error('no way');\n}\n")
        #expect(try run(["declare", "wrong", "--schema", "people-v3.json", "--script", "wrong.js"]).status == 0)
        #expect(try run(["push", "wrong", "people.realm", "--realm", "ada"]).status == 0)
        let failed = try run(["migrate", "wrong/ada", "--to-version", "3", "--quiet"] + server)
        #expect(failed.status == 1)
        #expect(failed.error.contains("wrong/ada:2:") && failed.error.contains("no way"), "\(failed.error)")
        #expect(try run(["watch", "wrong/ada", "--quiet"]).status == 1)
    }

    @Test func `name the fleet that had a realm last`() throws {
        #expect(try run(["declare", "many", "--schema", "people-v3.json", "--script", "split-names.js"]).status == 0)
        #expect(try run(["push", "many", "people.realm", "--realm", "ada"]).status == 0)
        let none = try run(["watch", "many/ada"])
        #expect(none.status == 1 && none.error.contains("The realm has no job."), "\(none.error)")
        #expect(try run(["fleet", "start", "many", "--to-version", "3", "--quiet"]).status == 0)
        let id = try #require(try lines(run(["fleet", "list", "many", "--json"])).first?["id"]?.string)
        let watched = try run(["watch", "many/ada"])
        #expect(watched.status == 1 && watched.output.isEmpty)
        #expect(watched.error.contains("realmshift watch many/\(id)"), "\(watched.error)")
        #expect(try run(["watch", "many/\(id)"]).status == 0)
        // A realm that has changed since is not put back, and who asked for that has to see it.
        #expect(try run(["push", "many", "people.realm", "--realm", "ada"]).status == 0)
        let undone = try run(["fleet", "undo", "many/\(id)"])
        #expect(undone.status == 1 && undone.output.contains("realm_changed"), "\(undone.output)")
        #expect(try run(["watch", "many/\(id)"]).status == 1)
    }

    @Test func `manage keys, jobs and synced realms`() throws {
        _ = try run(["apps", "--create", "managed"])
        let made = try run(["keys", "create", "reader", "--scopes", "read", "--apps", "managed"])
        let reader = ["REALMSHIFT_KEY": made.output.trimmingCharacters(in: .newlines)]
        #expect(try lines(run(["apps", "--json"], reader)).map { $0["name"]?.string } == ["managed"])
        #expect(try run(["push", "managed", "people.realm"], reader).status == 4)
        let id = try lines(run(["keys", "list", "--json"])).first { $0["name"]?.string == "reader" }?["id"]?.string
        #expect(try run(["keys", "delete", try #require(id)]).status == 0)
        #expect(try run(["apps"], reader).status == 4)
        #expect(try run(["sync", "create", "managed/team"]).output == "managed/team  enabled  0 objects unsynced\n")
        #expect(try run(["sync", "terminate", "managed/team"]).output.contains("terminated"))
        #expect(try run(["jobs", "list", "--app", "managed"]).output.isEmpty)
        #expect(try run(["jobs", "frob", "x"]).status == 2)
    }
}
