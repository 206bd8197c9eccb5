import AccessStore
import FoundationEssentials
import Glibc
import RealmJSON
import RealmModel
import StoreCore

/// A file of lines that say what was begun and what became of it, until that is in the database.
///
/// Written lines are with the system: they outlive this process however it ends, and the next process reads the file of one
/// that was killed. The lock of the file says that its process is alive.
final class AuditJournal: Sendable {
    let path: String
    private let descriptor: Int32

    /// Makes an empty journal in a directory, which is made where it is missing.
    ///
    /// - Throws: `AuditJournalError`.
    init(in directory: String) throws(AuditJournalError) {
        mkdir(directory, 0o700)
        path = "\(directory)/\(RealmModel.UUID.version7()).journal"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AuditJournalError.last(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw AuditJournalError.last(path) }
    }

    deinit { close(descriptor) }

    /// Notes that something is begun.
    func begin(_ entry: AuditEntry) throws(AuditJournalError) { try append(Self.line(entry)) }

    /// Notes what became of it.
    func end(_ id: RealmModel.UUID, status: Int) throws(AuditJournalError) {
        try append(["id": id.json, "status": .int(Int64(status))])
    }

    /// Removes the file, since what it says is in the database.
    func remove() { unlink(path) }

    private func append(_ value: JSONValue) throws(AuditJournalError) {
        let line = value.encoded() + [UInt8(ascii: "\n")]
        // One call writes a line whole or, on a full disk, in part; what follows a part is no line either.
        guard write(descriptor, line, line.count) == line.count else { throw AuditJournalError.last(path) }
    }

    // MARK: Those of others

    /// The entries that processes that are gone have left in a directory, and a function that removes their files.
    static func left(in directory: String) -> (entries: [AuditEntry], remove: () -> Void) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        var entries: [RealmModel.UUID: AuditEntry] = [:]
        var files: [(path: String, descriptor: Int32)] = []
        for name in names.sorted() where name.hasSuffix(".journal") {
            let path = "\(directory)/\(name)"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let data = FileManager.default.contents(atPath: path)
            else {
                close(descriptor)
                continue
            }
            files.append((path, descriptor))
            for line in data.split(separator: UInt8(ascii: "\n")) { read(Array(line), into: &entries) }
        }
        return (
            entries.values.sorted { $0.at < $1.at },
            {
                for file in files {
                    unlink(file.path)
                    close(file.descriptor)
                }
            }
        )
    }

    /// Reads a line; one that is no whole line was cut off by a full disk.
    private static func read(_ line: [UInt8], into entries: inout [RealmModel.UUID: AuditEntry]) {
        guard let value = try? JSONValue.parse(line), let id = value["id"]?.string.flatMap({ RealmModel.UUID($0) })
        else {
            return
        }
        if let entry = entry(id, value) {
            if entries[id] == nil { entries[id] = entry }
        } else if let status = value["status"]?.int {
            entries[id]?.status = Int(status)
        }
    }

    private static func line(_ entry: AuditEntry) -> JSONValue {
        [
            "id": entry.id.json, "at": entry.at.json, "key": entry.key.json, "keyName": .string(entry.keyName),
            "token": entry.token?.json ?? .null, "app": entry.app.map { .string($0) } ?? .null,
            "operation": .string(entry.operation), "path": .string(entry.path), "requestId": .string(entry.requestID),
            "job": entry.job?.json ?? .null,
        ]
    }

    private static func entry(_ id: RealmModel.UUID, _ value: JSONValue) -> AuditEntry? {
        guard let at = value["at"]?.string.flatMap({ Timestamp($0) }),
            let key = value["key"]?.string.flatMap({ RealmModel.UUID($0) }), let name = value["keyName"]?.string,
            let operation = value["operation"]?.string, let path = value["path"]?.string,
            let requestID = value["requestId"]?.string
        else { return nil }
        return AuditEntry(
            id: id, at: at, key: key, keyName: name, token: value["token"]?.string.flatMap { RealmModel.UUID($0) },
            app: value["app"]?.string.flatMap(AuditLog.app), operation: operation, path: path, requestID: requestID,
            job: value["job"]?.string.flatMap { RealmModel.UUID($0) })
    }
}

/// A journal that can't be written: nothing is done that nobody would know of.
struct AuditJournalError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    static func last(_ path: String) -> AuditJournalError {
        AuditJournalError(path: path, reason: String(cString: strerror(errno)))
    }

    var description: String { "The audit log can't be written: \(path): \(reason)." }
}
