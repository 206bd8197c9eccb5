import FileStore
import FoundationEssentials
import Glibc
import RealmJSON
import ServiceClient

extension Command.Option {
    /// The options of every command that asks a service.
    static let server = [
        Command.Option(
            "--server", "URL",
            "the service, https://realms.example.com say (default: REALMSHIFT_SERVER, or the profile's)"),
        Command.Option(
            "--profile", "NAME",
            "a profile of ~/.config/realmshift/profiles.json (default: REALMSHIFT_PROFILE, or the file's default)"),
        Command.Option(
            "--api-key-file", "F",
            "a file of mode 0600 that holds the API key (default: the key in REALMSHIFT_KEY, or the profile's file)"),
        Command.Option("--ca-file", "F", "certificates to trust, PEM (default: the profile's, or the system's)"),
        Command.Option("--insecure", nil, "let the key go to another machine in the clear, by http://"),
        Command.Option(
            "--json", nil, "JSON on standard output, a line each; errors as problem documents on standard error"),
    ]
}

/// How a command reaches a service: by options, the environment, and a profile, in this order.
enum ServerConnection {
    /// Whether a command line means a service where its verb is one for files, too.
    static func isMeant(by words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { word in
            ["--server", "--profile"].contains { word == $0 || word.hasPrefix($0 + "=") }
        }
    }

    /// - Throws: `UsageError` where no service or no key is named, or where others can read the key.
    static func open(_ arguments: Arguments, of command: Command) throws -> ServiceClient {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        let profile = try Profile.find(arguments["--profile"], environment, of: command)
        let named = arguments["--server"] ?? environment["REALMSHIFT_SERVER"]
        guard let url = named ?? profile?.server else {
            throw UsageError(
                "No service is named: give --server URL, REALMSHIFT_SERVER or a profile.", command: command)
        }
        let address = try address(
            url, caFile: arguments["--ca-file"] ?? profile?.caFile, permitsClear: arguments.has("--insecure"),
            of: command)
        let key: String
        if let path = arguments["--api-key-file"] {
            key = try KeyFile.read(path, of: command)
        } else if let given = environment["REALMSHIFT_KEY"] {
            key = try KeyFile.key(given, in: "REALMSHIFT_KEY", of: command)
        } else if let path = profile?.keyFile, named == nil || named == profile?.server {
            // A profile's key is for its own service and for no other.
            key = try KeyFile.read(path, of: command)
        } else {
            throw UsageError("No key is there: give REALMSHIFT_KEY, --api-key-file or a profile.", command: command)
        }
        return try ServiceClient(address, key: key)
    }

    private static func address(
        _ url: String, caFile: String?, permitsClear: Bool, of command: Command
    ) throws(UsageError) -> ServiceAddress {
        do throws(ServiceAddress.Fault) {
            return try ServiceAddress(url, caFile: caFile, permitsClear: permitsClear)
        } catch {
            switch error {
            case .malformed:
                throw UsageError(
                    "\(url) is no address of a service: give a scheme and a host, as https://realms.example.com.",
                    command: command)
            case .inTheClear:
                throw UsageError(
                    "\(url) would take the key over the network in the clear: give https://, or --insecure.",
                    command: command)
            }
        }
    }
}

/// A file that holds a key, which nobody else may read.
enum KeyFile {
    /// - Throws: `FileError`; `UsageError` where others can read it, or where it holds no key.
    static func read(_ path: String, of command: Command) throws -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileError.last(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw UsageError("\(path): others can read this key: chmod 600 \(path)", command: command)
        }
        return try key(String(decoding: try TextFile.bytes(path), as: UTF8.self), in: path, of: command)
    }
}

extension KeyFile {
    /// A key without the spaces around it; nothing else may come into the head of a request.
    ///
    /// - Throws: `UsageError` where it is none.
    static func key(_ text: String, in place: String, of command: Command) throws(UsageError) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let key = words.first, key.utf8.allSatisfy({ 0x21..<0x7f ~= $0 }) else {
            throw UsageError("\(place) holds no API key.", command: command)
        }
        return String(key)
    }
}

/// One of `~/.config/realmshift/profiles.json`: `{"default"?, "profiles": {"NAME": {"server", "keyFile"?, "caFile"?}}}`.
struct Profile {
    let server: String
    let keyFile: String?
    let caFile: String?

    /// The profile that is asked for; nil where none is, and there is no default.
    ///
    /// - Throws: `UsageError` where it is not there; `FileError`, `ErrorInFile`.
    static func find(_ name: String?, _ environment: [String: String], of command: Command) throws -> Profile? {
        let home = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        let folder = home + "/realmshift"
        let path = folder + "/profiles.json"
        let wanted = name ?? environment["REALMSHIFT_PROFILE"]
        guard access(path, F_OK) == 0 else {
            guard let wanted else { return nil }
            throw UsageError("There is no profile \(wanted), and no \(path).", command: command)
        }
        return try ErrorInFile.naming(path) {
            let document = try JSONBody(
                try JSONValue.parse(try TextFile.bytes(path)), "A file of profiles", members: ["default", "profiles"])
            guard let wanted = try wanted ?? document.string("default") else { return nil }
            let profiles = document.member("profiles") ?? .object([])
            guard let found = profiles[wanted] else {
                throw UsageError("There is no profile \(wanted) in \(path).", command: command)
            }
            let members = try JSONBody(
                found, "A profile", at: "/profiles/\(wanted)", members: ["server", "keyFile", "caFile"])
            func file(_ member: String) throws -> String? {
                try members.string(member).map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
            }
            return Profile(
                server: try members.requiredString("server"), keyFile: try file("keyFile"),
                caFile: try file("caFile"))
        }
    }
}
