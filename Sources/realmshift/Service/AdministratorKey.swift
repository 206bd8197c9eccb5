import AccessStore
import FileStore
import Glibc

/// The first key of an installation, in a file that only its owner reads.
enum AdministratorKey {
    /// Makes a key and writes it to `directory/admin.key`, where the database has no administrator's yet.
    ///
    /// - Returns: the path of the file; nil where it holds no key that counts: another program has made the first one.
    static func ensure(in directory: String, access: AccessStore) throws -> String? {
        let path = directory + "/admin.key"
        if let known = try? TextFile.bytes(path), try access.keys.find(authenticating: text(known)) != nil {
            return path
        }
        guard try !access.keys.hasAdministrator() else { return nil }
        let (_, secret) = try access.keys.create(
            named: "admin", scopes: KeyScope.administrator, apps: .all)
        try write(secret + "\n", to: path)
        return path
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    }

    /// The file appears whole or not at all: somebody may be waiting for it.
    private static func write(_ text: String, to path: String) throws {
        let partial = path + ".partial"
        unlink(partial)
        let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileError.last(partial) }
        let bytes = Array(text.utf8)
        let written = Glibc.write(file, bytes, bytes.count)
        fsync(file)
        close(file)
        guard written == bytes.count, rename(partial, path) == 0 else { throw FileError.last(path) }
    }
}
