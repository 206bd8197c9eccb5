import Columns
import FileStore
import Glibc
import RealmDecoding
import RealmFile
import RealmFormats
import RealmMigration
import RealmModel
import Sandbox

/// A realm read from a file or from standard input.
enum RealmInput {
    /// Decodes a file in a child process.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input, which is spooled.
    ///   - format: one that can be read.
    ///   - rescuing: whether a damaged file is read past the damage.
    ///   - key: of a file that may be encrypted.
    ///   - rowGroups: the size of row groups.
    /// - Throws: `FileError`, and `ErrorInFile` with an `InputError` or a `HostFailure`.
    static func read(
        _ path: String, format: RealmFormat, rescuing: Bool = false, key: EncryptionKey?, into store: any SegmentStore,
        rowGroups: RowGroupLimits = .standard
    ) throws -> DecodedRealm {
        let realm = try withFile(path, format) {
            try decoder.decode($0, as: format, rescuing: rescuing, key: key, into: store, rowGroups: rowGroups)
        }
        tellRepaired(realm.report.repairedTexts, in: path)
        return realm
    }

    /// Says which texts came back as others, whatever else is kept quiet.
    private static func tellRepaired(_ texts: [ReadingReport.RepairedTexts], in path: String) {
        let name = FileName.of(path, isInput: true)
        for texts in texts {
            Console.error(
                "realmshift: \(name): \(Quantity.count(texts.count, "text", "texts")) of "
                    + "\(texts.className).\(texts.property) \(texts.count == 1 ? "is" : "are") no valid UTF-8: "
                    + "U+FFFD stands for what is no text\n")
        }
    }

    /// Decodes a file as `read` does, and says where the time and chance of a script come from that migrates it: the time
    /// that the file was changed, and its bytes.
    ///
    /// - Throws: as `read`.
    static func readWithOrigin(
        _ path: String, format: RealmFormat, key: EncryptionKey?, into store: any SegmentStore,
        rowGroups: RowGroupLimits
    ) throws -> (Snapshot, ScriptOrigin) {
        try withFile(path, format) { file in
            let realm = try decoder.decode(file, as: format, key: key, into: store, rowGroups: rowGroups)
            tellRepaired(realm.report.repairedTexts, in: path)
            return (realm.snapshot, try FileOrigin.of(file, name: path))
        }
    }

    /// Has a child process make another file of one's parts, for a migration that changes no value.
    ///
    /// - Parameters:
    ///   - change: makes the result of the file's description; nil where values are needed.
    ///   - encryption: of the new file.
    ///   - output: takes the new file.
    /// - Returns: the result, and the bytes that were written; nil where the file has to be decoded, which then says why.
    /// - Throws: `FileError`; what the function throws.
    static func copy(
        _ path: String, format: RealmFormat, key: EncryptionKey?, changedBy change: (Snapshot) throws -> Snapshot?,
        encryption: PageEncryption?, to output: OutputFile
    ) throws -> (result: Snapshot, bytes: Int)? {
        let file = try descriptor(path)
        defer { close(file) }
        var result: Snapshot?
        do {
            let bytes = try output.write { append in
                let encryptor = try encryption.map { try PageEncryptor($0) }
                result = try decoder.copy(
                    file, as: format, key: key, endsPage: encryption != nil, changedBy: change,
                    to: { try append(try encryptor?.encrypt($0) ?? $0) })
                if let encryptor { try append(try encryptor.finish()) }
            }
            return result.map { ($0, bytes) }
        } catch  where error is InputError || error is HostFailure {
            return nil
        }
    }

    /// Describes a file in a child process, without its objects.
    ///
    /// - Throws: as `read`.
    static func summary(
        _ path: String, format: RealmFormat, key: EncryptionKey?, measuresSpace: Bool = false
    ) throws -> RealmFileSummary {
        try withFile(path, format) { try decoder.summary(of: $0, as: format, key: key, measuresSpace: measuresSpace) }
    }

    private static let decoder = SandboxedDecoder()

    /// Has a child of its own read a file; how it ends says something about the file.
    private static func withFile<Value>(
        _ path: String, _ format: RealmFormat, _ read: (Int32) throws -> Value
    ) throws -> Value {
        let file = try descriptor(path)
        defer { close(file) }
        let name = FileName.of(path, isInput: true)
        return try ErrorInFile.naming(name) {
            try checkSize(file)
            do {
                return try read(file)
            } catch let error as InputError {
                throw ErrorInFile(file: name, cause: error, hint: ContentFormat.hint(about: file, given: format))
            } catch HostFailure.crash(let how) {
                throw InputError(.damaged, "The process that read the file ended unexpectedly: \(how).")
            }
        }
    }

    /// Refuses a file without a byte, of which every format would say something else.
    private static func checkSize(_ file: Int32) throws(InputError) {
        var status = stat()
        guard fstat(file, &status) != 0 || status.st_size > 0 else {
            throw InputError(.truncated, "The file is empty.")
        }
    }

    /// A descriptor of a regular file with the bytes of a path; the caller closes it.
    private static func descriptor(_ path: String) throws -> Int32 {
        if path == "-" { return try spooled(STDIN_FILENO, name: "standard input") }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError.last(path) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // A pipe or a device can be read once only; decoders go to and fro.
            defer { close(file) }
            return try spooled(file, name: path)
        }
        return file
    }

    private static func spooled(_ source: Int32, name: String) throws -> Int32 {
        let file = try TemporaryFile.open()
        do {
            try copy(source, name: name, to: file)
            return file
        } catch {
            close(file)
            throw error
        }
    }

    private static func copy(_ source: Int32, name: String, to file: Int32) throws(FileError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last(name) }
            guard count > 0 else { return }
            try FileWriting.write(
                Array(buffer.prefix(count)), to: file, named: "a temporary file in \(TemporaryFile.folder)")
        }
    }
}
