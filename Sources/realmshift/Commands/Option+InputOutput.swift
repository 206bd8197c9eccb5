import RealmModel

extension Command.Option {
    /// The options of every command that reads and writes a realm.
    static let inputOutput = [
        Command.Option("--from", "FORMAT", "the format of IN where its name does not say it: realm, json, ndjson"),
        Command.Option("--to", "FORMAT", "the format of OUT where its name does not say it"),
        Command.Option("--key", "HEX", "the 64-byte key of an encrypted IN, 128 hexadecimal digits"),
        Command.Option("--key-file", "F", "a file that holds the key, raw or in hexadecimal"),
    ]
}

extension Arguments {
    /// The key that `--key` or `--key-file` gives.
    ///
    /// - Throws: `UsageError` where it is not of 64 bytes; `FileError`.
    func encryptionKey(of command: Command) throws -> [UInt8]? {
        let key: [UInt8]?
        if let text = self["--key"] {
            key = Hexadecimal.decode(text.utf8)
        } else if let path = self["--key-file"] {
            let bytes = try TextFile.bytes(path)
            key = bytes.count == 64 ? bytes : Hexadecimal.decode(bytes.filter { $0 > 0x20 })
        } else {
            return nil
        }
        guard let key, key.count == 64 else {
            throw UsageError("An encryption key is 64 bytes: 128 hexadecimal digits.", command: command)
        }
        return key
    }
}
