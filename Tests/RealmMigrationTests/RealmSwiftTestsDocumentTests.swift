import Foundation
import Testing

@Suite struct `The list of Realm Swift's tests` {
    private struct Row: Hashable {
        let section: String
        let realmTest: String
        let suite: String
        let test: String
    }

    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the document's tables.
    private func rows() throws -> [Row] {
        let document = root.appendingPathComponent("docs/maintainers/realm-swift-tests.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        var section = ""
        var above = ("", "")
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| `test"), cells.count == 3 else { return nil }
            if cells[1] != "″" { above = (cells[1], cells[2]) }
            return Row(
                section: section, realmTest: cells[0].trimmingCharacters(in: ["`"]), suite: above.0, test: above.1)
        }
    }

    /// The names of all tests by the names of their suites.
    private func tests() throws -> [String: Set<String>] {
        let folder = root.appendingPathComponent("Tests")
        var tests: [String: Set<String>] = [:]
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            var suite = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let name = name(in: line, after: "struct ") { suite = name }
                if let name = name(in: line, after: "func ") { tests[suite, default: []].insert(name) }
            }
        }
        return tests
    }

    /// The raw identifier that follows a keyword in a line.
    private func name(in line: Substring, after keyword: String) -> String? {
        guard let start = line.range(of: keyword + "`")?.upperBound,
            let end = line[start...].firstIndex(of: "`")
        else { return nil }
        return String(line[start..<end])
    }

    @Test func `has each of them once`() throws {
        let rows = try rows()
        #expect(Set(rows.map { $0.section + $0.realmTest }).count == rows.count)
        let counts = Dictionary(grouping: rows, by: \.section).mapValues(\.count)
        #expect(counts == ["Realm/Tests/MigrationTests.mm": 72, "RealmSwift/Tests/MigrationTests.swift": 24])
    }

    @Test func `names tests that exist`() throws {
        let tests = try tests()
        for row in try rows() where row.suite != "–" {
            let test = row.test.trimmingCharacters(in: ["`"])
            #expect(tests[row.suite]?.contains(test) == true, "\(row.realmTest): \(row.suite), \(test)")
        }
    }

    @Test func `gives a reason where there is no test`() throws {
        for row in try rows() where row.suite == "–" { #expect(row.test.count > 20, "\(row.realmTest)") }
    }
}
