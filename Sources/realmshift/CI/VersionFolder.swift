import Glibc
import FileStore
import FoundationEssentials
import RealmComparison
import RealmJSON
import RealmMigration
import RealmModel

/// A folder with `realmshift.json`: the versions of an app's schema with their migrations, and sample realms.
///
/// `ci` checks it, and `declare` sends it to a service. All paths in it are relative to the folder.
struct VersionFolder {
    /// Which migrations a realm goes through on its way to a version; the raw values are those of the API.
    enum Steps: String, CaseIterable {
        /// The target's alone, as in an app.
        case direct
        /// That of each version in between, one after the other.
        case chain
    }

    /// One of the versions.
    struct Version {
        let number: UInt64
        /// The schema's file or folder.
        let schemaPath: String
        let migration: FileMigration

        /// Reads the schema and the script.
        ///
        /// - Throws: `ErrorInFile`, also where the schema's file says that it is of another version.
        func target() throws -> FileMigration.Target {
            let target = try migration.target()
            guard let said = target.versionInSchema, said != number else { return target }
            throw ErrorInFile(
                file: schemaPath,
                cause: InputError(
                    .malformedDocument,
                    "Its schemaVersion is \(said), and \(VersionFolder.fileName) names it for version \(number): correct one of "
                        + "them, or leave schemaVersion out."))
        }
    }

    /// The name of the file that describes the folder.
    static let fileName = "realmshift.json"

    /// The versions, ascending; at least one.
    let versions: [Version]
    /// The paths of the sample realms, each once, in the order of the file.
    let samples: [String]
    /// The file with assertions about realms before and after.
    let checkPath: String?
    let steps: Steps
    /// The levels and rules that fail; nil where the file leaves it to the command line.
    let failOn: FailurePolicy?
    private let folder: String

    /// The path of the file that describes the folder.
    var path: String { folder + "/" + Self.fileName }

    /// The files that are read beside the description.
    var files: [String] { versions.flatMap(\.migration.files) + samples + [checkPath].compactMap(\.self) }

    /// Reads the description; the files that it names are read later.
    ///
    /// - Parameter options: words of a command line that every migration gets, as `--timeout 60`.
    /// - Throws: `FileError`; `ErrorInFile` with an `InputError` that has the member's place.
    init(_ folder: String, options: [String] = []) throws {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.folder = folder
        let path = folder + "/" + Self.fileName
        try Self.check(folder, has: path)
        let bytes = try ErrorInFile.naming(path) {
            _ = try Self.path(Self.fileName, in: folder, at: nil)
            return try TextFile.bytes(path)
        }
        (versions, samples, checkPath, steps, failOn) = try ErrorInFile.naming(path) {
            let body = try JSONBody(
                try JSONValue.parse(bytes), "A folder's description",
                members: ["versions", "samples", "check", "steps", "failOn"])
            let reader = Reader(body: body, folder: folder, options: options)
            return (
                try reader.versions(), try reader.samples(),
                try body.string("check").map { try reader.path($0, at: "/check") },
                try body.choice("steps", among: Steps.allCases) ?? .direct, try reader.failOn()
            )
        }
    }
}

extension VersionFolder {
    /// - Throws: `FileError` where there is no such folder, or no description in it.
    private static func check(_ folder: String, has path: String) throws(FileError) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            throw FileError(path: folder, reason: "No such file or directory")
        }
        guard isFolder else {
            throw FileError(path: folder, reason: "This is a file: name the folder that has \(fileName).")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw FileError(
                path: folder, reason: "The folder has no \(fileName), which names its versions and samples.")
        }
    }

    /// The path of a file or folder that the folder has, with all Swift files in it.
    ///
    /// - Parameter pointer: the member that names it; nil for the description itself.
    /// - Throws: `InputError` where that lies outside of the folder, also by a link, or is neither file nor folder: whoever checks the
    ///   folder of somebody else must not read, quote or send files of their own.
    private static func path(_ name: String, in folder: String, at pointer: String?) throws(InputError) -> String {
        let path = folder == "." ? name : "\(folder)/\(name)"
        let (root, place) = (resolved(folder), resolved(name.hasPrefix("/") ? name : path))
        guard !name.hasPrefix("/"), place == root || place.hasPrefix(root == "/" ? root : root + "/") else {
            throw InputError(
                .malformedDocument, ProblemItem("\(name) lies outside of the folder: put it there.", pointer: pointer))
        }
        let type = (try? FileManager.default.attributesOfItem(atPath: place))?[.type] as? FileAttributeType
        guard type.map({ [.typeRegular, .typeDirectory].contains($0) }) ?? true else {
            throw InputError(
                .malformedDocument, ProblemItem("\(name) is neither a file nor a folder.", pointer: pointer))
        }
        if type == .typeDirectory {
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for entry in entries where entry.hasSuffix(".swift") {
                _ = try Self.path("\(name)/\(entry)", in: folder, at: pointer)
            }
        }
        return path
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}

extension VersionFolder {
    /// Reads the members of the description.
    private struct Reader {
        private static let sampleLimit = 10_000

        let body: JSONBody
        let folder: String
        let options: [String]

        func path(_ name: String, at pointer: String) throws(InputError) -> String {
            try VersionFolder.path(name, in: folder, at: pointer)
        }

        func versions() throws -> [Version] {
            guard let elements = try body.array("versions"), !elements.isEmpty else {
                throw body.invalid("versions", "versions has to be an array of one version or more.")
            }
            let versions = try elements.enumerated().map { index, element in
                try version(element, at: "/versions/\(index)")
            }
            for (index, (before, version)) in zip(versions, versions.dropFirst()).enumerated()
            where version.number <= before.number {
                throw InputError(
                    .malformedDocument,
                    ProblemItem(
                        "Version \(version.number) stands behind version \(before.number): versions ascend.",
                        pointer: "/versions/\(index + 1)/version"))
            }
            return versions
        }

        private func version(_ element: JSONValue, at pointer: String) throws -> Version {
            let choices = DeclaredMigration.choices
            let body = try JSONBody(
                element, "A version", at: pointer,
                members: ["version", "schema", "script", "stubs", "parameters", "block"] + choices.map(\.name))
            guard let number = try body.integer("version", from: 0) else {
                throw body.invalid("version", "version is missing.")
            }
            let schema = try path(body.requiredString("schema"), at: pointer + "/schema")
            var words = ["--schema", schema, "--to-version", "\(number)"]
            for choice in choices {
                if let word = try body.choice(choice.name, among: choice.words) { words += [choice.option, word] }
            }
            if let script = try body.string("script") {
                words += ["--script", try path(script, at: pointer + "/script")]
            }
            if let block = try body.string("block") { words += ["--block", block] }
            for stub in try strings(body, "stubs") { words += ["--stub", stub] }
            for parameter in body.member("parameters")?.members ?? [] {
                words += ["--parameter", "\(parameter.name)=\(try word(parameter.value, of: body))"]
            }
            return Version(
                number: UInt64(number), schemaPath: schema, migration: try migration(words + options, at: pointer))
        }

        /// The migration that a command line would ask for.
        private func migration(_ words: [String], at pointer: String) throws -> FileMigration {
            do throws(UsageError) {
                return try FileMigration(try Arguments(words + ["-"], of: .rehearse), of: .rehearse)
            } catch {
                throw InputError(.malformedDocument, ProblemItem(error.message, pointer: pointer))
            }
        }

        private func word(_ value: JSONValue, of body: JSONBody) throws(InputError) -> String {
            switch value {
            case .string(let text): return text
            case .int(let number): return "\(number)"
            case .double(let number): return "\(number)"
            case .bool(let flag): return "\(flag)"
            default: throw body.invalid("parameters", "The values of parameters are texts, numbers, true or false.")
            }
        }

        private func strings(_ body: JSONBody, _ name: String) throws(InputError) -> [String] {
            let elements = try body.array(name) ?? []
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else {
                throw body.invalid(name, "\(name) has to be an array of strings.")
            }
            return texts
        }

        func failOn() throws(InputError) -> FailurePolicy? {
            guard body.member("failOn") != nil else { return nil }
            let names = try strings(body, "failOn")
            do throws(FailurePolicy.UnknownName) {
                return try FailurePolicy(names)
            } catch {
                throw body.invalid("failOn", error.message)
            }
        }

        /// The files that the patterns name, in the order of their names.
        func samples() throws(InputError) -> [String] {
            var (found, places): ([String], Set<String>) = ([], [])
            for (index, pattern) in try strings(body, "samples").enumerated() {
                let place = "/samples/\(index)"
                let files = Self.files(matching: try path(pattern, at: place))
                for file in files {
                    _ = try path(folder == "." ? file : String(file.dropFirst(folder.count + 1)), at: place)
                }
                guard !files.isEmpty else {
                    throw InputError(
                        .malformedDocument,
                        ProblemItem(
                            "No file is there whose name is like \(pattern): correct it, or put a sample there.",
                            pointer: place))
                }
                // A link may lead to the same file by many paths.
                found += files.filter { places.insert(VersionFolder.resolved($0)).inserted }
                guard found.count <= Self.sampleLimit else {
                    throw InputError(
                        .malformedDocument,
                        ProblemItem("There are more than \(Self.sampleLimit) samples: name fewer.", pointer: place))
                }
            }
            return found
        }

        /// The files whose names are like a pattern of `glob`(7).
        private static func files(matching pattern: String) -> [String] {
            var result = glob_t()
            defer { globfree(&result) }
            guard glob(pattern, 0, nil, &result) == 0 else { return [] }
            return (0..<Int(result.gl_pathc)).compactMap { index in
                result.gl_pathv[index].map { String(cString: $0) }
            }
        }
    }
}
