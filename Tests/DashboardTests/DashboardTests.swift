import Foundation
import Testing

@testable import Dashboard

/// The files that a browser gets, as they are in the program.
@Suite struct DashboardTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/Dashboard/Web").standardizedFileURL

    /// The names of our own files: CodeMirror's are Debian's.
    private static let own = Dashboard.names.filter { !$0.hasPrefix("codemirror/") }

    private func text(_ name: String) throws -> String {
        String(decoding: try #require(Dashboard.file(name)).bytes, as: UTF8.self)
    }

    @Test func `are all of the folder, each as it is there`() throws {
        let found = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter { $0.contains(".") }
        #expect(Set(found) == Set(Self.own))
        for name in found {
            let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
            let isSame = Dashboard.file(name)?.bytes == bytes
            #expect(isSame, "\(name)")
        }
        #expect(Dashboard.file("pages/none.js") == nil)
    }

    @Test func `the page names their revision, and none that is not there`() throws {
        let page = String(decoding: Dashboard.page, as: UTF8.self)
        #expect(Dashboard.revision.count == 16)
        for link in page.matches(of: /(?:href|src)="\/dashboard\/([^\/"]+)\/([^"]+)"/) {
            #expect(link.1 == Dashboard.revision)
            #expect(Dashboard.file(String(link.2)) != nil, "\(link.2)")
        }
    }

    @Test func `the editor's library travels with its licence`() throws {
        #expect(try text("codemirror/codemirror.js").contains("CodeMirror"))
        #expect(Dashboard.file("codemirror/copyright")?.mediaType == "text/plain; charset=utf-8")
        #expect(try text("codemirror/copyright").contains("Permission is hereby granted, free of charge"))
    }

    @Test func `modules import what is there`() throws {
        for name in Self.own where name.hasSuffix(".js") {
            let base = Self.folder.appendingPathComponent(name)
            for line in try text(name).matches(of: /(?:from |import\()"([^"]+)"/) {
                let target = base.deletingLastPathComponent().appendingPathComponent(String(line.1)).standardizedFileURL
                let imported = String(target.path.dropFirst(Self.folder.path.count + 1))
                #expect(Dashboard.file(imported) != nil, "\(name) imports \(line.1)")
            }
        }
    }

    @Test func `make no markup of texts, load nothing from elsewhere, and are short`() throws {
        for name in Self.own {
            let text = try text(name)
            for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "style="] {
                #expect(!text.contains(forbidden), "\(name) has \(forbidden)")
            }
            let addresses = text.matches(of: /https?:\/\/[a-z0-9.]+/).map { String($0.output) }
            #expect(addresses.allSatisfy { $0 == "http://www.w3.org" }, "\(name) names \(addresses)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 300, "\(name)")
        }
        #expect(!Dashboard.contentSecurityPolicy.contains("unsafe"))
    }
}
