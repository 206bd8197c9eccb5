import Foundation
import RealmJSON
import TestHTTP
import Testing

/// For any input of a client: every operation ends within the budget or refuses, in bounded memory, and nothing goes on when the
/// client has left.
@Suite(.serialized) struct WorstInputTests {
    /// Above what the service had before a request.
    private static let memoryLimit = 256 << 20
    #if DEBUG
        /// How many times as long as a release build it takes.
        private static let slowness = 4.0
    #else
        private static let slowness = 1.0
    #endif
    /// The processor's, for one request: several times what any takes, and far from what grows with the square of a mebibyte.
    private static let seconds = 10 * slowness
    /// The processor's, from the time that the client has left.
    private static let abandonedSeconds = slowness

    private let service: RunningService
    private let meter: ProcessMeter

    init() throws {
        // Jobs are queued, and nobody's to run.
        service = try RunningService(["--request-work", "64", "--workers", "0"])
        // The processor's time counts, not the clock's.
        service.patience = 600
        meter = ProcessMeter(process: service.process.processIdentifier)
    }

    /// Whether all is tried with a mebibyte, which takes a debug build many minutes; with a part of that otherwise.
    private static let triesAll = ProcessInfo.processInfo.environment["REALMSHIFT_WORST_INPUTS"] == "all"

    /// Those of which a sixteenth takes a debug build little; of a wide class, objects by name take the square of its properties.
    private static let briefShapes: [WorstInput.Shape] = [.crowd, .longNames, .embeddedChain, .nestedEmbedded]

    @Test(
        arguments: triesAll
            ? WorstInput.Shape.allCases.map { WorstInput(shape: $0) }
            : briefShapes.map { WorstInput(shape: $0, part: 16) })
    func `every operation ends within the budget or refuses, of the worst realm`(input: WorstInput) throws {
        let names = try furnish(input)
        for operation in try operations() where operation.method != "DELETE" {
            for query in queries(of: operation, input) {
                for body in try bodies(of: operation, input) {
                    try send(operation, query, body, names)
                }
            }
        }
        for operation in try operations() where operation.method == "GET" {
            for query in queries(of: operation, input) { try leave(operation, query, nil, names) }
        }
        for operation in try operations() where ["putSchemaVersion", "diffSchemas"].contains(operation.name) {
            for body in try bodies(of: operation, input) { try leave(operation, "", body, names) }
        }
        for operation in try operations().reversed() where operation.method == "DELETE" {
            try send(operation, "", nil, names)
        }
    }

    @Test(.enabled(if: triesAll, "REALMSHIFT_WORST_INPUTS is not all"))
    func `every operation that takes a document ends within the budget or refuses, of the worst document`() throws {
        let names = try furnish(WorstInput(shape: .crowd))
        for operation in try operations() where operation.takesJSON {
            for document in WorstInput.documents { try send(operation, "", document, names) }
        }
    }

    // MARK: Requests

    private func send(_ operation: Operation, _ query: String, _ body: [UInt8]?, _ names: [String: String]) throws {
        try meter.begin()
        let path = operation.path(names) + query
        let status = try service.send(operation.method, path, body: body, fields: operation.fields(names)).status
        let used = try meter.used()
        let what = "\(operation.name) \(query.prefix(100)): \(status) after \(used.seconds) s, \(used.bytes >> 20) MiB"
        if Self.triesAll, used.seconds > Self.seconds / 8 { print(what) }
        #expect(status != 500, "\(what)")
        #expect(used.seconds < Self.seconds, "\(what)")
        #expect(used.bytes < Self.memoryLimit, "\(what)")
    }

    /// Sends a request, and goes.
    private func leave(_ operation: Operation, _ query: String, _ body: [UInt8]?, _ names: [String: String]) throws {
        try meter.begin()
        let client = try SocketClient(port: service.port)
        var fields = operation.fields(names) + [("Authorization", "Bearer " + service.key)]
        if let body {
            fields += [("Content-Type", "application/json"), ("Content-Length", "\(body.count)")]
        }
        try client.send(SocketClient.head(operation.method, operation.path(names) + query, fields))
        if let body { try client.send(body) }
        client.hangUp()
        let used = try meter.usedUntilQuiet()
        #expect(used.seconds < Self.abandonedSeconds, "\(operation.name) \(query.prefix(100)): \(used.seconds) s")
    }

    private struct Operation {
        let method: String
        let template: String
        let name: String
        let takesJSON: Bool
        /// The parameters of the query that have a few values, with each of them: `format=csv`.
        let choices: [String]

        func path(_ names: [String: String]) -> String {
            // Some paths are of synced realms alone.
            let isOfSynced =
                ["/changes", "/recoveries", "/unsynced", "/backfills", "/model", "/sync", "/partners", "/objects"]
                .contains { template.contains("{realm}" + $0) }
            return names.reduce(template) { path, name in
                let value = name.key == "realm" && isOfSynced ? "team" : name.value
                return path.replacingOccurrences(of: "{\(name.key)}", with: value)
            }
        }

        func fields(_ names: [String: String]) -> [(String, String)] {
            var fields: [(String, String)] = []
            if template.contains("/uploads") {
                fields += [("Tus-Resumable", "1.0.0"), ("Upload-Length", "0"), ("Upload-Offset", "0")]
            }
            if template.contains("{realm}/objects") || name == "changeObjects" || name == "followChanges" {
                fields.append(("Realm-Schema-Version", "7"))
            }
            return fields
        }
    }

    private func operations() throws -> [Operation] {
        let paths = try service.call("GET", "/openapi.json").json["paths"]?.members ?? []
        let operations = paths.flatMap { path in
            (path.value.members ?? []).compactMap { member -> Operation? in
                guard let name = member.value["operationId"]?.string else { return nil }
                return Operation(
                    method: member.name.uppercased(), template: path.name, name: name,
                    takesJSON: member.value["requestBody"]?["content"]?["application/json"] != nil,
                    choices: Self.choices(of: member.value))
            }
        }
        #expect(operations.count > 80)
        // Answers that are told as they come about have no end.
        return operations.filter { !["followChanges", "followJob", "followFleet", "followApp"].contains($0.name) }
    }

    private static func choices(of operation: JSONValue) -> [String] {
        (operation["parameters"]?.elements ?? []).flatMap { parameter -> [String] in
            guard parameter["in"] == "query", let name = parameter["name"]?.string else { return [] }
            let values = parameter["schema"]?["enum"]?.elements?.compactMap(\.string) ?? []
            return values.map { "\(name)=\($0)" }
        }
    }

    private func queries(of operation: Operation, _ input: WorstInput) -> [String] {
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        switch operation.name {
        case "listObjects": return ["", "?limit=1000"] + input.queries.map { "?where=" + encoded($0) }
        case "getObject": return ["", "?links=true"]
        case "listDifferences": return ["?class=C0", "?class=C0&limit=1000"]
        case "getSnapshotContent":
            return ["", "?anonymize=true", "?format=json&class=C0"] + operation.choices.map { "?" + $0 }
        case "getSnapshotModels":
            let targets = operation.choices.filter { $0.hasPrefix("target=") }
            return targets.flatMap { ["?" + $0, "?dates=unixMillis&flatten=true&" + $0] }
        default: return [""] + operation.choices.map { "?" + $0 }
        }
    }

    /// The bodies that are sent to an operation; nil for none.
    private func bodies(of operation: Operation, _ input: WorstInput) throws -> [[UInt8]?] {
        guard operation.takesJSON else { return [nil] }
        let schema = input.schema
        let bodies: [JSONValue]
        switch operation.name {
        case "diffSchemas":
            bodies = [
                ["from": schema, "to": schema], ["from": [], "to": schema], ["from": schema, "to": []],
            ]
        case "putSchemaVersion":
            bodies = [["schema": schema, "migration": ["renames": [["class": "C0", "from": "a", "to": "b"]]]]]
        case "startMigration", "startRehearsal", "makeFleet":
            bodies = [["targetVersion": 3, "dryRun": true], ["targetVersion": 3, "schema": schema, "dryRun": true]]
        case "uploadSnapshot": bodies = [["schema": schema, "objects": input.objects]]
        case "enableSync", "takeModel": bodies = [["schema": input.syncedSchema]]
        case "changeObjects":
            bodies = [
                ["upserts": .array((0..<5000).map { ["class": "C0", "object": ["_id": .int($0)]] })],
                ["upserts": .array((0..<5000).map { ["class": .string("C\($0)"), "object": ["_id": .int($0)]] })],
            ]
        case "putRealm": bodies = [["kind": "local"]]
        default: bodies = [[:], ["schema": schema]]
        }
        return bodies.map { $0.encoded() }
    }

    /// Makes something of everything, and gives the names of what it made.
    private func furnish(_ input: WorstInput) throws -> [String: String] {
        let app = "/v1/apps/notes"
        _ = try service.call("PUT", app)
        var names = ["app": "notes", "realm": "ada", "class": "C0", "key": "0", "version": "5", "from": "3", "to": "4"]
        for version in [3, 4] {
            _ = try service.call("PUT", app + "/schemas/\(version)", ["schema": input.schema])
        }
        let missing = "00000000-0000-7000-8000-000000000000"
        for name in ["snapshot", "other", "fleet", "job", "apiKey", "upload", "recovery", "partner"] {
            names[name] = missing
        }
        for name in ["other", "snapshot"] {
            let objects = name == "other" ? [:] : input.objects
            let made = try service.call(
                "POST", app + "/realms/ada/snapshots", ["schema": input.schema, "objects": objects])
            names[name] = made.json["id"]?.string ?? missing
        }
        _ = try service.call("PUT", app + "/schemas/7", ["schema": input.syncedSchema])
        _ = try service.call("PUT", app + "/realms/team", ["kind": "synced"])
        _ = try service.call(
            "POST", app + "/realms/team/snapshots", ["schema": input.syncedSchema, "objects": ["C0": [["_id": 0]]]])
        let job = try service.call(
            "POST", app + "/realms/ada/migrations", ["targetVersion": 3, "dryRun": true])
        names["job"] = job.json["id"]?.string ?? missing
        return names
    }
}

/// How much memory and time of a processor a process has used since a moment.
private final class ProcessMeter {
    private let process: pid_t
    private var bytes = 0
    private var ticks = 0

    init(process: pid_t) { self.process = process }

    func begin() throws {
        // The most that it has had is from now on what it has (proc(5)).
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"), options: [])
        bytes = try status("VmRSS:")
        ticks = try processorTicks()
    }

    func used() throws -> (seconds: Double, bytes: Int) {
        let seconds = Double(try processorTicks() - ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
        return (seconds, try status("VmHWM:") - bytes)
    }

    /// The time and memory used until nothing is done any more.
    func usedUntilQuiet() throws -> (seconds: Double, bytes: Int) {
        var last = -1
        while case let now = try processorTicks(), now != last {
            last = now
            usleep(40_000)
        }
        return try used()
    }

    private func status(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    private func processorTicks() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // Behind the name, which may hold anything: utime and stime are the 12th and 13th (proc(5)).
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }
}
