import FileStore
import RealmExport
import RealmFile
import RealmFormats
import RealmModel

extension Command.Option {
    /// The options of every command that reads and writes a realm.
    static let inputOutput = [
        Command.Option("--force", nil, "replace OUT where it exists (default: refuse)"),
        Command.Option(
            "--from", "FORMAT",
            "the format of IN: \(RealmFormat.readable.alternatives) (default: what its name ends in)",
            choices: RealmFormat.readable.map(\.name)),
        Command.Option(
            "--to", "FORMAT",
            "the format of OUT: \(RealmFormat.writable.alternatives) (default: what its name ends in)",
            choices: RealmFormat.writable.map(\.name)),
        Command.Option("--key", "HEX", "the 64-byte key of an encrypted IN, 128 hexadecimal digits"),
        Command.Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
        Command.Option("--output-key", "HEX", "encrypt OUT, a .realm file, with this 64-byte key"),
        Command.Option("--output-key-file", "F", "a file that holds the key of OUT, raw or in hexadecimal"),
        Command.Option("--quiet", nil, "no progress, and no line at the end that says what was done"),
        Command.Option(
            "--json", nil,
            "on standard error one line of JSON: what was done, or the error as a problem document (RFC 9457)"),
    ]
}

extension Command.Option {
    /// Whether values are replaced on the way.
    static let anonymize = Command.Option(
        "--anonymize", nil,
        "replace every value, primary keys included, by one of its length and kind, the same by the same; links, nulls and "
            + "counts stay (default: copy)")
    /// Which version of the format a `.realm` file is written in.
    static let fileFormat = Command.Option(
        "--file-format", "N", "the version of the format of OUT, a .realm file: 23 or 24 (default: 24)")
}

extension Arguments {
    /// The version that `--file-format` names.
    ///
    /// - Throws: `UsageError` where it is none, or where the format has no versions.
    func fileFormat(for format: RealmFormat, of command: Command) throws -> WrittenFormat {
        guard let text = self["--file-format"] else { return .current }
        guard format == .realm else {
            throw UsageError("--file-format is for .realm files; other formats have no versions.", command: command)
        }
        guard let version = Int(text).flatMap(WrittenFormat.init(rawValue:)) else {
            throw UsageError("--file-format: \(text) can't be written, only 23 and 24.", command: command)
        }
        return version
    }

    /// The options for a SQLite database by `--dates` and `--flatten`.
    ///
    /// - Parameters:
    ///   - isFitting: whether the command is given something that has them; `fitting` says what has.
    /// - Throws: `UsageError` for a choice that there is not, or where nothing has them.
    func exportOptions(isFor isFitting: Bool, _ fitting: String, of command: Command) throws -> ExportOptions {
        for option in ["--dates", "--flatten"] where !isFitting && (has(option) || self[option] != nil) {
            throw UsageError("\(option) is for \(fitting) have no such choice.", command: command)
        }
        let dates: ExportOptions.Dates? = try choice("--dates", of: ExportOptions.Dates.allCases, command)
        return ExportOptions(dates: dates ?? .iso, flattens: has("--flatten"))
    }

    /// The file that a command writes to.
    ///
    /// - Parameters:
    ///   - inputs: what the command reads beside the files that hold its keys.
    ///   - command: has `Option.inputOutput`.
    /// - Throws: `UsageError` where that would destroy a file; `FileError` where no file can be there.
    func outputFile(_ path: String, inputs: [String], of command: Command) throws -> OutputFile {
        let keys = [self["--key-file"], self["--output-key-file"]].compactMap(\.self)
        return try OutputFile(path, inputs: inputs + keys, replaces: has("--force"), of: command)
    }

    /// The key that `--key` or `--key-file` gives.
    ///
    /// - Throws: `UsageError` where it is not of 64 bytes; `FileError`.
    func encryptionKey(of command: Command) throws -> EncryptionKey? {
        try encryptionKey("--key", of: command)
    }

    /// The key that `--output-key` or `--output-key-file` gives.
    ///
    /// - Throws: `UsageError` where it is not of 64 bytes, or where the format is not encrypted; `FileError`.
    func outputKey(for format: RealmFormat, of command: Command) throws -> EncryptionKey? {
        guard let key = try encryptionKey("--output-key", of: command) else { return nil }
        guard format.isEncryptable else {
            throw UsageError("--output-key is for .realm files; other formats are not encrypted.", command: command)
        }
        return key
    }

    /// The key that an option, or the option of that name for a file, gives.
    ///
    /// - Throws: `UsageError` where it is not of 64 bytes; `FileError`.
    func encryptionKey(_ option: String, of command: Command) throws -> EncryptionKey? {
        let key: [UInt8]?
        if self[option] != nil, self[option + "-file"] != nil {
            throw UsageError("\(option) and \(option)-file exclude each other.", command: command)
        }
        if let text = self[option] {
            key = Hexadecimal.decode(text.utf8)
        } else if let path = self[option + "-file"] {
            let bytes = try TextFile.bytes(path)
            key = bytes.count == 64 ? bytes : Hexadecimal.decode(bytes.filter { $0 > 0x20 })
        } else {
            return nil
        }
        guard let key = key.flatMap({ EncryptionKey(bytes: $0) }) else {
            let place = self[option + "-file"].map { "\($0): " } ?? "\(option): "
            throw UsageError(place + "an encryption key is 64 bytes, 128 hexadecimal digits.", command: command)
        }
        return key
    }
}
