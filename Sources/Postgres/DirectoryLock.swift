import Glibc

/// Keeps a data directory to one process; the kernel lets go of it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `PostgresError` (55006) where another process has the directory.
    init(_ directory: String) throws(PostgresError) {
        descriptor = open("\(directory)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PostgresError(
                sqlState: "58030", message: "\(directory)/lock can't be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw PostgresError(sqlState: "55006", message: "\(directory) is in use by another realmshift.")
        }
    }

    deinit { close(descriptor) }

    /// Lets go of the directory before the end of this object.
    func release() { flock(descriptor, LOCK_UN) }
}
