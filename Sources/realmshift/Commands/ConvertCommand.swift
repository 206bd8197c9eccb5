import Columns

extension Command {
    /// `realmshift convert`: one format to another.
    static let convert = Command(
        name: "convert", summary: "convert a realm between .realm, .json and .ndjson",
        discussion: """
            Reads the realm IN and writes it as OUT; the endings of the names say the formats. - stands for a standard
            stream, with --from or --to for its format.
            """,
        operands: ["IN", "OUT"],
        options: Option.inputOutput + [Option("--json", nil, "say errors as one line of problem JSON (RFC 9457)")],
        run: { try convert($0) })

    private static func convert(_ arguments: Arguments) throws {
        let (input, output) = (arguments.operands[0], arguments.operands[1])
        let formats = RealmFormat.allCases
        let from = try RealmFormat(
            path: input, option: "--from", value: try arguments.choice("--from", of: formats, .convert))
        let to = try RealmFormat(
            path: output, option: "--to", value: try arguments.choice("--to", of: formats, .convert))
        let (key, outputKey) = (
            try arguments.encryptionKey(of: .convert), try arguments.outputKey(for: to, of: .convert)
        )
        let store = try FileSegmentStore()
        let progress = TerminalProgress()
        defer { progress.clear() }
        progress.show("reading \(input)")
        let snapshot = try RealmInput.read(input, format: from, key: key, into: store)
        progress.show("writing \(output)")
        try RealmOutput.write(snapshot, from: store, to: output, format: to, key: outputKey)
    }
}
