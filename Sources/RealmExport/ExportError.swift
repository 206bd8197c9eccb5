import RealmModel

/// Why a realm could not be exported; nothing that was written of it is whole.
public enum ExportError: Error, Hashable, Sendable {
    /// SQLite's message; names of tables and columns at most.
    case sqlite(String)
    /// The disk of the database has no room.
    case fullDisk
    /// Rows whose foreign keys lead nowhere: the realm's links contradict its objects.
    case brokenReferences(table: String, count: Int)
    /// The declared schema has no such class that is not embedded.
    case noSuchClass(String)
    /// A database that is to be an export says nothing of how it was made.
    case noExport
    /// The system has no memory left.
    case noMemory
    /// A class has other objects than it says.
    case wrongCount(className: String, expected: Int, written: Int)
}

extension ExportError: CustomStringConvertible {
    /// One sentence without any value of an object.
    public var description: String {
        switch self {
        case .sqlite(let message): "SQLite: \(message)."
        case .fullDisk: "The disk has no room for the SQLite database."
        case .brokenReferences(let table, let count):
            "Rows of the table \(table) link to objects that are not there: \(count) of them."
        case .noSuchClass(let name): "The realm has no class \(name) that stands for itself."
        case .noExport: "The file is no export of a realm: it has no table that says how it was made."
        case .noMemory: "There is no memory to compress in."
        case .wrongCount(let name, let expected, let written):
            "\(name) was to have \(expected) objects, and \(written) were written."
        }
    }
}
