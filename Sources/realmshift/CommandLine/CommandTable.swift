import RealmJSON

/// All commands with their options as JSON, of which manual pages and the completions of shells are made.
enum CommandTable {
    /// The JSON in lines that people can read.
    static func text(version: String) -> String {
        let table = JSONValue.object([
            JSONMember("version", .string(version)),
            JSONMember("commands", .array(Program.commands.map(json))),
            JSONMember("serverCommands", .array(Program.serverCommands.map(json))),
            JSONMember("exitCodes", .array(ExitStatus.meanings.map(json))),
        ])
        return String(decoding: table.encoded(pretty: true), as: UTF8.self) + "\n"
    }

    private static func json(_ command: Command) -> JSONValue {
        .object([
            JSONMember("name", .string(command.name)), JSONMember("summary", .string(command.summary)),
            JSONMember("discussion", .string(command.discussion)),
            JSONMember("operands", .array(command.operands.map { .string($0) })),
            JSONMember("options", .array(command.options.map(json))),
            JSONMember("examples", .array(command.examples.map { .string($0) })),
        ])
    }

    private static func json(_ option: Command.Option) -> JSONValue {
        .object([
            JSONMember("name", .string(option.name)),
            JSONMember("argument", option.argument.map { .string($0) } ?? .null),
            JSONMember("help", .string(option.help)), JSONMember("required", .bool(option.isRequired)),
            JSONMember("choices", .array(option.choices.map { .string($0) })),
        ])
    }

    private static func json(_ status: (ExitStatus, String)) -> JSONValue {
        .object([JSONMember("code", .int(Int64(status.0.rawValue))), JSONMember("meaning", .string(status.1))])
    }
}
