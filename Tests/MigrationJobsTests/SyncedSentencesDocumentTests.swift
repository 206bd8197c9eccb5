import Foundation
import Testing

@Suite struct `The list of what is said of synced realms` {
    private struct Row: Hashable {
        let section: String
        let sentence: String
        let suite: String
        let test: String
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the document's tables.
    private func rows() throws -> [Row] {
        let document = Self.root.appendingPathComponent("docs/maintainers/synced-sentences.md")
        var section = ""
        var above = ("", "")
        return try String(contentsOf: document, encoding: .utf8).split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| "), cells.count == 3, cells[0] != "sentence" else { return nil }
            if cells[1] != "″" { above = (cells[1], cells[2]) }
            return Row(section: section, sentence: cells[0], suite: above.0, test: above.1)
        }
    }

    /// The names of all tests by the names of their suites.
    private func tests() throws -> [String: Set<String>] {
        let folder = Self.root.appendingPathComponent("Tests")
        var tests: [String: Set<String>] = [:]
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            var suite = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let name = name(in: line, after: "struct ") ?? plainSuite(in: line) { suite = name }
                if let name = name(in: line, after: "func ") { tests[suite, default: []].insert(name) }
            }
        }
        return tests
    }

    /// The name of a suite that is no raw identifier.
    private func plainSuite(in line: Substring) -> String? {
        guard line.hasPrefix("struct ") || line.hasPrefix("@Suite struct ") else { return nil }
        return line.components(separatedBy: "struct ")[1].components(separatedBy: " ").first
    }

    /// The raw identifier that follows a keyword in a line.
    private func name(in line: Substring, after keyword: String) -> String? {
        guard let start = line.range(of: keyword + "`")?.upperBound,
            let end = line[start...].firstIndex(of: "`")
        else { return nil }
        return String(line[start..<end])
    }

    @Test func `has each sentence once`() throws {
        let rows = try rows()
        #expect(Set(rows.map(\.sentence)).count == rows.count)
        let counts = Dictionary(grouping: rows, by: \.section).mapValues(\.count)
        #expect(counts == ["Migrations: Synced Migration": 18, "Migrations: Summary": 4, "Update Your Schema": 127])
        // Both columns of all rows of the table of changes.
        #expect(rows.count { $0.sentence.hasPrefix("row, ") } == 22)
    }

    @Test func `names tests that exist`() throws {
        let tests = try tests()
        for row in try rows() where row.suite != "–" {
            let test = row.test.trimmingCharacters(in: ["`"])
            #expect(tests[row.suite]?.contains(test) == true, "\(row.sentence): \(row.suite), \(test)")
        }
    }

    @Test func `gives a reason where there is no test`() throws {
        for row in try rows() where row.suite == "–" { #expect(row.test.count >= 9, "\(row.sentence)") }
    }
}
