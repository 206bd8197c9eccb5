import Foundation
import RealmJSON

/// The files beside the package, and those in it.
enum SharedFiles {
    /// The folder beside the package; nil, and said so, where it is missing.
    static let root: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let root = package.deletingLastPathComponent().appending(path: "shared")
        guard FileManager.default.fileExists(atPath: root.appending(path: "cases").path) else {
            print("Skipped: there are no shared files at \(root.path)")
            return nil
        }
        return root
    }()

    /// A realm and the document that it holds.
    struct Pair: Sendable, CustomStringConvertible {
        let realm: URL
        let document: URL
        /// Where in the file of the document it stands.
        var member: String?

        /// The text about the history of a file that was synced; there is none beside a local file.
        var history: URL { realm.deletingPathExtension().appendingPathExtension("txt") }

        var hasHistory: Bool { FileManager.default.fileExists(atPath: history.path) }

        var description: String { realm.pathComponents.suffix(2).joined(separator: "/") }
    }

    /// The fixtures of this test target.
    static let fixtures: [Pair] = {
        let folder = Bundle.module.resourceURL?.appending(path: "Fixtures")
        return folder.map { pairs(in: $0) } ?? []
    }()

    /// The decoder corpus: those that are not encrypted and that have all their objects in the document.
    static let decoderCorpus: [Pair] = {
        guard let folder = root?.appending(path: "cases/files") else { return [] }
        return pairs(in: folder).filter {
            !$0.description.contains("encrypted") && !$0.description.contains("big_300k")
        }
    }()

    /// The inputs of the migration cases.
    static let cases: [Pair] = {
        guard let folder = root?.appending(path: "cases/cases") else { return [] }
        return names(in: folder).map { folder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "before.realm").path) }
            .map {
                Pair(
                    realm: $0.appending(path: "before.realm"), document: $0.appending(path: "case.json"),
                    member: "before")
            }
    }()

    /// Files that were once synced, and local ones of format 23.
    static let synced: [Pair] = {
        guard let folder = root?.appending(path: "realms/synced") else { return [] }
        return pairs(in: folder)
    }()

    static func bytes(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url)) }

    private static func pairs(in folder: URL) -> [Pair] {
        names(in: folder).filter { $0.hasSuffix(".realm") }.map {
            let realm = folder.appending(path: $0)
            return Pair(realm: realm, document: realm.deletingPathExtension().appendingPathExtension("json"))
        }
    }

    /// The realm files of a folder beside the package.
    static func realms(in folder: String) -> [URL] {
        guard let folder = root?.appending(path: folder) else { return [] }
        return names(in: folder).filter { $0.hasSuffix(".realm") }.map { folder.appending(path: $0) }
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
