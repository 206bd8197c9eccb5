import FoundationEssentials

/// An installed PostgreSQL server: the folder that has `initdb` and `postgres`.
public struct PostgresInstallation: Hashable, Sendable {
    /// The folder of the programs.
    public let programs: String

    /// The newest server of Debian's folders, or the one whose programs are in `PATH`.
    ///
    /// - Parameter version: the major version that is preferred, because it made the files: no other reads them.
    /// - Throws: `PostgresError` (58P01) with how to install one.
    public static func find(
        version: Int? = nil, debianRoot: String = "/usr/lib/postgresql", path: String? = nil
    ) throws(PostgresError) -> PostgresInstallation {
        let installed = (try? FileManager.default.contentsOfDirectory(atPath: debianRoot)) ?? []
        let versions = installed.compactMap { Int($0) }.sorted(by: >)
        let preferred = versions.filter { $0 == version } + versions.filter { $0 != version }
        let path = path ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = preferred.map { "\(debianRoot)/\($0)/bin" } + path.split(separator: ":").map(String.init)
        for folder in folders where isComplete(folder) { return PostgresInstallation(programs: folder) }
        throw PostgresError(
            sqlState: "58P01",
            message: "No PostgreSQL server is installed: run `apt-get install postgresql-15`, or give the URL of one.")
    }

    private static func isComplete(_ folder: String) -> Bool {
        ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }
}
