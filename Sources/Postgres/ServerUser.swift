import Glibc

/// Whom PostgreSQL's programs run as: it refuses to be root.
struct ServerUser {
    /// Nil where this process is not root: then they run as whoever this is.
    let name: String?
    let uid: uid_t
    let gid: gid_t

    /// - Throws: `PostgresError` where root has no other user to hand over to.
    static func find() throws(PostgresError) -> ServerUser {
        guard geteuid() == 0 else { return ServerUser(name: nil, uid: geteuid(), gid: getegid()) }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) {
                return ServerUser(name: name, uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid)
            }
        }
        throw PostgresError(sqlState: "58000", message: "There is no user `postgres` for PostgreSQL to run as.")
    }

    /// A command line that runs a program of PostgreSQL as this user on a directory that it need not be able to reach.
    ///
    /// The directory is opened first, and the program finds it as `/proc/self/fd/9`: folders above may belong to root
    /// and be closed to others. The program gets SIGINT, an orderly shutdown, when the thread that spawned it ends.
    func commandLine(_ program: String, _ arguments: [String], directory: String) -> [String] {
        let identity = name.map { ["--reuid=\($0)", "--regid=\(gid)", "--init-groups"] } ?? []
        return ["/bin/sh", "-c", "exec 9<\"$0\" && exec setpriv \"$@\"", directory] + identity
            + ["--pdeathsig=INT", program, "-D", Self.directoryPath] + arguments
    }

    /// Where a program started by `commandLine` finds its directory.
    static let directoryPath = "/proc/self/fd/9"
}
