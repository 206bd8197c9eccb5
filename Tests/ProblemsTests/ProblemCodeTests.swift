import Foundation
import Problems
import Testing

/// The table of problem codes: whole, in words, and the same in `docs/errors.md`.
@Suite struct ProblemCodeTests {
    @Test func `every code is in one topic, with a status and two sentences`() {
        let codes = ProblemCode.Topic.allCases.flatMap(\.codes)
        #expect(codes == ProblemCode.allCases)
        for code in codes {
            #expect(code.statuses.allSatisfy { (400...599).contains($0) } && !code.statuses.isEmpty, "\(code)")
            for text in [code.meaning, code.remedy] {
                #expect(text.hasSuffix(".") && text.count > 10 && !text.contains("|"), "\(code): \(text)")
            }
            #expect(code.rawValue.wholeMatch(of: #/[a-z]+(_[a-z]+)*/#) != nil)
        }
    }

    @Test func `docs/errors.md has the table`() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        let wanted = ProblemCode.Topic.allCases.map { topic in
            let rows = topic.codes.map { code in
                let statuses = code.statuses.map(String.init).joined(separator: ", ")
                return "| `\(code.rawValue)` | \(statuses) | \(code.meaning) | \(code.remedy) |\n"
            }
            return "## \(topic.rawValue)\n\n| code | status | what happened | what to do |\n|---|---|---|---|\n"
                + rows.joined()
        }
        #expect(page.components(separatedBy: "\n## ").dropFirst().map { "## " + $0 }.count == wanted.count)
        for section in wanted { #expect(page.contains(section)) }
        #expect(page.hasSuffix(wanted.last ?? ""))
    }

    @Test func `a document has the title and the remedy of its code`() throws {
        let json = ProblemDocument(.scriptTimeout, "m").json()
        #expect(json["title"] == "Script timeout" && json["status"] == 422)
        #expect(json["remedy"]?.string == ProblemCode.scriptTimeout.remedy)
        #expect(ProblemDocument(.insufficientStorage, "m", status: 507).status == 507)
    }
}
