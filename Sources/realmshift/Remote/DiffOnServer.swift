import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift diff --server`: two snapshots of a realm of a service.
    static let diffOnServer: Command = Command(
        name: "diff", summary: "compare two snapshots of a realm of a service",
        discussion: """
            Compares the snapshots A and B of one realm: their schemas, and by class the objects that were added, removed and
            changed. A and B are ids of snapshots, or APP/REALM for the current one, or APP/REALM@previous for the one before.
            """,
        operands: ["A", "B"],
        options: [
            Option("--objects", nil, "list the objects that differ, with their values (default: counts alone)"),
            Option(
                "--exit-code", nil,
                "end with 0 where nothing differs, 1 where something does, 2 where that is not known (default: 0 also where "
                    + "something differs)"),
        ] + Option.server,
        examples: ["diff notes/ada@previous notes/ada --server https://realms.example.com"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .diffOnServer)
            let ids = try arguments.operands.map { try snapshot($0, at: service) }
            let path = "/v1/snapshots/\(ServiceClient.escaped(ids[0]))/diff/\(ServiceClient.escaped(ids[1]))"
            let difference = try service.call("GET", path)
            let (changes, classes) = (difference["schema"]?.elements ?? [], difference["classes"]?.elements ?? [])
            if arguments.has("--json") {
                try ServerOutput.json(difference)
            } else {
                for change in changes { try Console.output(TerminalText.plain(change.text("message")) + "\n") }
                for each in classes {
                    let counts = ["added", "removed", "changed"].map { "\(Quantity.grouped(each.count($0))) \($0)" }
                    try Console.output(
                        TerminalText.plain("\(each.text("class")): \(counts.joined(separator: ", "))") + "\n")
                }
                if changes.isEmpty, classes.isEmpty { try Console.output("no difference\n") }
            }
            for each in arguments.has("--objects") ? classes : [] {
                let objects = path + "/objects?class=\(ServiceClient.escaped(each.text("class")))&limit=1000"
                for object in try service.list(objects) { try ServerOutput.json(object) }
            }
            return arguments.has("--exit-code") && !(changes.isEmpty && classes.isEmpty) ? .different : .done
        })

    /// The id of the snapshot that an operand means.
    private static func snapshot(_ text: String, at service: ServiceClient) throws -> String {
        guard text.contains("/") else { return text }
        let suffix = "@previous"
        let realm = try RealmName(
            text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text, of: .diffOnServer)
        return try ErrorInFile.naming(realm.text) {
            let current = try realm.currentSnapshot(at: service)
            guard text.hasSuffix(suffix) else { return current }
            guard let parent = try service.call("GET", "/v1/snapshots/\(current)")["parent"]?.string else {
                throw CommandFailure("The realm has one snapshot alone.")
            }
            return parent
        }
    }
}
