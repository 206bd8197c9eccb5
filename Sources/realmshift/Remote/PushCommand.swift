import FileStore
import FoundationEssentials
import Glibc
import RealmFile
import RealmFormats
import RealmJSON
import RealmModel
import ServiceClient
import StoreCore

extension Command {
    /// `realmshift push`: files to realms of a service.
    static let push = Command(
        name: "push", summary: "send realm files to an app of a service",
        discussion: """
            Sends each FILE (.realm, .json or .ndjson) to the realm of its name without its ending; realms that are not
            there are made, those that are there get another snapshot. FILE may have * and ?. After a break
            the rest is sent alone, also by the next push of the same file.
            """,
        operands: ["APP", "FILE…"],
        options: [
            Option("--realm", "NAME", "the realm, of one FILE (default: the file's name without its ending)"),
            Option(
                "--from", "FORMAT",
                "the format of the files: \(RealmFormat.readable.alternatives) (default: what their names end in)",
                choices: RealmFormat.readable.map(\.name)),
            Option("--key", "HEX", "the 64-byte key, where the files are encrypted"),
            Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
            Option("--create", nil, "make the app where it is not there (default: refuse)"),
            Option("--quiet", nil, "no progress"),
        ] + Option.server,
        examples: [
            "push notes 'realms/*.realm'", "push notes backup.realm --realm ada --server https://realms.example.com",
        ],
        run: { try PushCommand($0).run() })
}

/// One run of `realmshift push`.
struct PushCommand {
    private let service: ServiceClient
    private let app: String
    private let files: [(path: String, realm: String, format: RealmFormat)]
    private let fields: [(String, String)]
    private let asJSON: Bool
    private let isQuiet: Bool
    private let creates: Bool

    init(_ arguments: Arguments) throws {
        app = arguments.operands[0]
        let paths = try arguments.operands.dropFirst().flatMap { try FilePattern.paths($0, of: .push) }
        guard arguments["--realm"] == nil || paths.count == 1 else {
            throw UsageError("--realm is for one file, and these are \(paths.count).", command: .push)
        }
        files = try paths.map { path in
            let format = try RealmFormat(path, option: "--from", among: RealmFormat.readable, arguments, of: .push)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            let ending = "." + format.fileEnding
            let stem = name.lowercased().hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
            return (path, arguments["--realm"] ?? stem, format)
        }
        if let name = arguments["--realm"], !ResourceName.isValid(name, of: .realm) {
            throw UsageError(
                "--realm “\(name)”: a realm's name has \(ResourceName.rule(of: .realm)).", command: .push)
        }
        if let file = files.first(where: { [".", ".."].contains($0.realm) }) {
            throw UsageError("\(file.path): no realm is named \(file.realm); give --realm.", command: .push)
        }
        if let twice = Dictionary(grouping: files, by: \.realm).first(where: { $0.value.count > 1 }) {
            throw UsageError(
                "\(twice.value.map(\.path).joined(separator: " and ")) are both for the realm \(twice.key).",
                command: .push)
        }
        let key = try arguments.encryptionKey(of: .push)
        fields = key.map { [("Realm-Encryption-Key", Hexadecimal.encode($0.bytes))] } ?? []
        (asJSON, isQuiet) = (arguments.has("--json"), arguments.has("--quiet"))
        creates = arguments.has("--create")
        service = try ServerConnection.open(arguments, of: .push)
    }

    func run() throws -> ExitStatus {
        if creates {
            _ = try service.call("PUT", "/v1/apps/\(ServiceClient.escaped(app))")
        } else {
            try AppName.require(app, at: service, else: " --create makes it.")
        }
        var status = ExitStatus.done
        for file in files {
            do {
                try push(file.path, to: RealmName(app: app, realm: file.realm), file.format)
            } catch let refusal as ServiceRefusal where files.count > 1 && !refusal.isDenial && !refusal.isTemporary {
                // A fault of one file says nothing about the others.
                Console.error(Failure(ErrorInFile(file: file.path, cause: refusal)).text(asJSON: asJSON))
                status = .failed
            } catch {
                throw error is FileError ? error : ErrorInFile(file: file.path, cause: error)
            }
        }
        return status
    }

    private func push(_ path: String, to realm: RealmName, _ format: RealmFormat) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.last(path) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError.last(path) }
        guard info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else {
            throw FileError(path: path, reason: "not a file with something in it")
        }
        try refuseTarget(path, format, bytes: Int(info.st_size))
        let bar = TransferBar(path, bytes: Int(info.st_size), isQuiet: isQuiet || asJSON)
        let note = UploadNote(service: service.url, realm: realm.text, info)
        let upload = ResumableUpload(service, file: descriptor, size: Int(info.st_size))
        let begun = try note.read().flatMap { path in try upload.received(path).map { _ in path } }
        let place = try begun ?? upload.begin(of: realm.realm, in: app, mediaType: format.mediaType)
        note.write(place)
        do {
            let snapshot = try upload.finish(place, fields: fields) { bar.show($0) }
            note.remove()
            let counts = snapshot["objectCounts"]?.members ?? []
            bar.end(
                "\(realm.text), \(Quantity.count(counts.reduce(0) { $0 + Int($1.value.int ?? 0) }, "object", "objects"))"
            )
            if asJSON { try ServerOutput.json(snapshot.adding([JSONMember("file", .string(path))])) }
        } catch {
            bar.clear()
            // A file that the service refuses is refused again; after a break it goes on from here.
            if let refusal = error as? ServiceRefusal, !refusal.isTemporary { note.remove() }
            throw error
        }
    }
}

extension PushCommand {
    /// Refuses a schema alone, which is as a rule the target of a migration and would be a realm without objects.
    private func refuseTarget(_ path: String, _ format: RealmFormat, bytes: Int) throws {
        guard format == .json, bytes <= TextFile.byteLimit, (try? TargetJSON(try TextFile.bytes(path))) != nil else {
            return
        }
        throw CommandFailure(
            "It has a schema and no objects: realmshift declare \(app) --schema \(path) declares it. A realm without objects "
                + "says \"objects\": {}.")
    }
}

/// Where an upload goes on that was interrupted: a file in `~/.cache/realmshift`, by the file that is sent.
struct UploadNote {
    private let path: String
    /// The service and the realm, which another push of the file may not have.
    private let target: String

    init(service: String, realm: String, _ info: stat) {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/nonexistent") + "/.cache"
        // A file that has changed is another one.
        path =
            "\(cache)/realmshift/upload-\(info.st_dev)-\(info.st_ino)-\(info.st_size)-\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)"
        target = "\(service) \(realm) "
    }

    /// The path of the upload; nil where none is known.
    func read() -> String? {
        guard let bytes = try? TextFile.bytes(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasPrefix(target) ? String(text.dropFirst(target.count)) : nil
    }

    /// Where it can't be kept, the next push begins anew.
    func write(_ upload: String) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? (target + upload).write(toFile: path, atomically: true, encoding: .utf8)
    }

    func remove() { unlink(path) }
}

/// The files that an operand stands for.
enum FilePattern {
    /// - Throws: `UsageError` where a pattern fits no file.
    static func paths(_ text: String, of command: Command) throws(UsageError) -> [String] {
        // A file whose name has a star in it is meant by its name.
        guard text.contains(where: { "*?[".contains($0) }), access(text, F_OK) != 0 else { return [text] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(text, 0, nil, &found) == 0 else { throw UsageError("No file is named \(text).", command: command) }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
