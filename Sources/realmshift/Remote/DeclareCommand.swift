import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift declare`: a schema version of an app, with the migration that leads there.
    static let declare: Command = Command(
        name: "declare", summary: "declare a schema version of an app to a service",
        discussion: """
            Declares a schema version of APP with the migration that leads to it, from the same files that migrate takes. The
            app is made where it is not there. What is declared already is corrected.
            """,
        operands: ["APP"],
        options: FileMigration.declaration + Option.server,
        examples: ["declare notes --schema notes-v3.json --script split-names.js"],
        run: { arguments in
            let service = try ServerConnection.open(arguments, of: .declare)
            let (version, document) = try FileMigration(arguments, of: .declare).declared()
            let app = "/v1/apps/\(ServiceClient.escaped(arguments.operands[0]))"
            _ = try service.call("PUT", app)
            let declared = try service.call("PUT", "\(app)/schemas/\(version)", document)
            if arguments.has("--json") {
                try ServerOutput.json(declared)
                return .done
            }
            try Console.output(
                "declared version \(version) of \(arguments.operands[0]), revision \(declared.text("revision"))\n")
            for change in declared["changes"]?.elements ?? [] {
                try Console.output("  " + TerminalText.plain(change.text("message")) + "\n")
            }
            for finding in declared["lint"]?.elements ?? [] {
                Console.error("warning: " + TerminalText.plain(finding.text("message")) + "\n")
            }
            return .done
        })
}
