import Foundation
import Testing

/// A short run of the fuzzer, `docs/maintainers/fuzzing.md`; `make fuzz` is the long one.
struct FuzzingTests {
    @Test func `decodes changed files without a trap`() throws {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let fixtures = try #require(Bundle.module.resourceURL?.appending(path: "Fixtures"))
        let failures = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: failures) }
        let fuzzer = Process()
        fuzzer.executableURL = tests.deletingLastPathComponent().appending(path: "DecoderFuzzer")
        fuzzer.arguments = ["--seconds", "3", "--seed", "1", "--failures", failures.path, fixtures.path]
        let output = Pipe()
        fuzzer.standardOutput = output
        fuzzer.standardError = output
        try fuzzer.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        fuzzer.waitUntilExit()
        #expect(fuzzer.terminationStatus == 0, "\(text)")
        #expect(text.contains("inputs"), "\(text)")
    }
}
