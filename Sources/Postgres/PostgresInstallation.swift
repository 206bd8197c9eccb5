import Foundation

/// An installed PostgreSQL server: the folder that has `initdb` and `postgres`.
public struct PostgresInstallation: Hashable, Sendable {
    /// The folder of the programs.
    public let programs: String

    /// The newest server of Debian's folders, or the one whose programs are in `PATH`.
    ///
    /// - Throws: `PostgresError` (58P01) with how to install one.
    public static func find(debianRoot: String = "/usr/lib/postgresql", path: String? = nil) throws(PostgresError)
        -> PostgresInstallation
    {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debianRoot)) ?? []
        let newestFirst = versions.compactMap { Int($0) }.sorted(by: >).map { "\(debianRoot)/\($0)/bin" }
        let path = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
        for folder in newestFirst + path.split(separator: ":").map(String.init) where isComplete(folder) {
            return PostgresInstallation(programs: folder)
        }
        throw PostgresError(
            sqlState: "58P01",
            message: "No PostgreSQL server is installed: run `apt-get install postgresql-15`, or give the URL of one.")
    }

    private static func isComplete(_ folder: String) -> Bool {
        ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }
}
