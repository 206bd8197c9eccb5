import RealmJSON
import ServiceClient

extension Command {
    /// `realmshift declare`: a schema version of an app, with the migration that leads there.
    static let declare: Command = Command(
        name: "declare", summary: "declare a schema version of an app to a service",
        discussion: """
            Declares a schema version of APP with the migration that leads to it, from the same files that migrate takes. The
            app is made where it is not there. A version that is declared already is corrected. FOLDER has several versions, as
            ci takes them: all are declared, in their order.
            """,
        operands: ["APP", "[FOLDER]"],
        options: FileMigration.declaration.map(\.optional) + Option.server,
        examples: ["declare notes --schema notes-v3.json --script split-names.js", "declare notes migrations"],
        run: { arguments in
            // Everything is read before anything is sent.
            let declarations = try declarations(arguments)
            let service = try ServerConnection.open(arguments, of: .declare)
            let app = "/v1/apps/\(ServiceClient.escaped(arguments.operands[0]))"
            _ = try service.call("PUT", app)
            for (migration, version, document) in declarations {
                do {
                    try show(try service.call("PUT", "\(app)/schemas/\(version)", document), version, arguments)
                } catch let refusal as ServiceRefusal where !refusal.isDenial && !refusal.isTemporary {
                    throw ErrorInFile(file: migration.file(of: refusal.problem), cause: refusal)
                }
            }
            return .done
        })

    private static func declarations(
        _ arguments: Arguments
    ) throws -> [(migration: FileMigration, version: UInt64, document: JSONValue)] {
        func declaration(
            _ migration: FileMigration, _ target: FileMigration.Target
        ) -> (migration: FileMigration, version: UInt64, document: JSONValue) {
            let declared = migration.declared(target)
            return (migration, declared.version, declared.document)
        }
        guard arguments.operands.count > 1 else {
            let migration = try FileMigration(arguments, of: .declare)
            return [declaration(migration, try migration.target())]
        }
        guard let given = FileMigration.declaration.map(\.name).first(where: { arguments[$0] != nil }) else {
            return try VersionFolder(arguments.operands[1]).versions.map { declaration($0.migration, try $0.target()) }
        }
        throw UsageError("\(given) does not go with a folder, whose versions say it themselves.", command: .declare)
    }

    private static func show(_ declared: JSONValue, _ version: UInt64, _ arguments: Arguments) throws {
        if arguments.has("--json") { return try ServerOutput.json(declared) }
        try Console.output(
            "declared version \(version) of \(arguments.operands[0]), revision \(declared.text("revision"))\n")
        for change in declared["changes"]?.elements ?? [] {
            try Console.output("  " + TerminalText.plain(change.text("message")) + "\n")
        }
        for finding in declared["lint"]?.elements ?? [] {
            Console.error("warning: " + TerminalText.plain(finding.text("message")) + "\n")
        }
    }
}
