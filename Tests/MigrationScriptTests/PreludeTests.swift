import Testing

@testable import MigrationScript
@testable import ScriptHosts

@Suite
struct PreludeTests {
    @Test("Each file of the prelude is a program by itself, and says first what it is about")
    func parses() throws {
        let context = try JavaScriptContext(in: JavaScriptMachine(memoryBytes: 256 << 20))
        for file in Prelude.files {
            #expect(file.text.hasPrefix("// "), "\(file.name)")
            #expect(throws: Never.self, "\(file.name)") { try context.checkSyntax(file.text, name: file.name) }
        }
    }

    @Test("Swift and the prelude agree on constants, each of which is declared once")
    func sharesConstants() {
        let names = Prelude.constants.split(separator: "\n").map { $0.split(separator: " ")[1] }
        #expect(Set(names).count == names.count)
        let program = Prelude.files.map(\.text).joined()
        for name in names where name != "KEPT" { #expect(program.contains(name), "\(name) is not used.") }
    }
}
