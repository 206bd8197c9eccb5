import RealmMigration
import ScriptParent
import SwiftParent
import SwiftWire

extension Command {
    /// `realmshift script check`: whether a script is understood, before there is anything to migrate.
    static let script = Command(
        name: "script", summary: "check a migration script: script check FILE…",
        discussion: """
            Says all that is not understood of a migration script, a line for each as editors read them: FILE:LINE:COLUMN:
            error: what, and what can be done. FILE is a Swift file, a folder of some, or one JavaScript file. Exits 0 where the script is
            understood, and 1 where it is not.
            """,
        operands: ["check", "FILE…"],
        options: [
            Option(
                "--schema", "TARGET", "Swift files with the model classes, where the script names them (default: none)")
        ] + SwiftFiles.options,
        examples: [
            "script check Migration.swift Models/",
            "script check Migration.swift --stub Logger --parameter server.chainID=1",
        ],
        run: { try checkScript($0) })

    private static func checkScript(_ arguments: Arguments) throws -> ExitStatus {
        guard arguments.operands.first == "check" else {
            throw UsageError("script check is all there is.", command: .script)
        }
        let paths = Array(arguments.operands.dropFirst())
        guard paths.contains(where: SwiftFiles.isSwift) else { return try checkJavaScript(paths) }
        let models = [arguments["--schema"]].compactMap(\.self).filter(SwiftFiles.isSwift)
        let program = try SwiftFiles.program(paths + models, arguments, of: .script)
        do {
            _ = try SwiftFrontEnd().lower(program)
            return .done
        } catch let refusal as SwiftRefusal {
            try Console.output(refusal.diagnostics.map { $0.text + "\n" }.joined())
            return .failed
        }
    }

    private static func checkJavaScript(_ paths: [String]) throws -> ExitStatus {
        var status = ExitStatus.done
        for path in paths {
            do {
                try SandboxedScriptRunner().check(try ScriptFile.source(path), of: nil, limits: ScriptLimits())
            } catch let error as MigrationError where error.script != .unavailable {
                let place = error.details.first { $0.line != nil }
                try Console.output("\(path):\(place?.line ?? 1):\(place?.column ?? 1): error: \(error.message)\n")
                status = .failed
            }
        }
        return status
    }
}
