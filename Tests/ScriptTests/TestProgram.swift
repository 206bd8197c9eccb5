import Foundation

/// The program whose `host` command the tests run, built beside them.
enum TestProgram {
    struct Missing: Error {}

    static func path() throws -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = tests.deletingLastPathComponent().appendingPathComponent("SandboxTestHost").path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing() }
        return path
    }
}
