import Foundation
import RealmJSON
import Testing

/// The corpus of cases beside the repository; tests of it are skipped aloud where it is missing.
enum Corpus {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/cases")

    /// The documents of all cases, by the case's id: `before` and what was expected, unless that is a defect.
    static func documents() throws -> [(id: String, document: JSONValue)] {
        let cases = folder.appendingPathComponent("cases")
        guard let ids = try? FileManager.default.contentsOfDirectory(atPath: cases.path) else {
            print("skipped: there is no corpus at \(cases.path)")
            return []
        }
        return try ids.sorted().flatMap { id in
            let bytes = try Data(contentsOf: cases.appendingPathComponent("\(id)/case.json"))
            let value = try JSONValue.parse([UInt8](bytes))
            let expected = value["quirk"] == nil ? value["expected"]?["document"] : nil
            return [value["before"], expected].compactMap { $0 }.filter { $0["objects"] != nil }
                .map { (id, $0) }
        }
    }

    /// The canonical documents of the decoder corpus, but for those that are large and repeat themselves.
    static func files() throws -> [(id: String, document: JSONValue)] {
        let files = folder.appendingPathComponent("files")
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: files.path) else {
            print("skipped: there is no corpus at \(files.path)")
            return []
        }
        return try names.sorted().filter { $0.hasSuffix(".json") }.compactMap { name in
            let bytes = try Data(contentsOf: files.appendingPathComponent(name))
            guard bytes.count < 150_000 else { return nil }
            let value = try JSONValue.parse([UInt8](bytes))
            guard value["objects"]?.members?.allSatisfy({ $0.value.elements != nil }) == true else { return nil }
            return (name, value)
        }
    }
}
