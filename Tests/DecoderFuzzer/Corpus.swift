import Columns
import Foundation
import RealmFile
import RealmJSON
import TestRandomness

/// The inputs that changes start from: files of folders, and what `.realm` files become once they are read.
///
/// Files are read when they are first wanted, in an order that their paths decide.
final class Corpus {
    /// Larger files take too long each.
    private static let largest = 1 << 20

    private let realms: [String]
    private let encrypted: [(path: String, key: EncryptionKey)]
    private let documents: [String]
    private var contents: [String: [UInt8]] = [:]
    private var readings: [String: Reading] = [:]

    /// An input, and the key of one that is encrypted.
    struct Input {
        var kind: InputKind
        var bytes: [UInt8]
        var key: EncryptionKey?
        /// The file before a disk damaged it; nil of one that was changed otherwise.
        var intact: [UInt8]?
    }

    /// The inputs that a `.realm` file became.
    private struct Reading {
        var inputs: [InputKind: [[UInt8]]] = [:]
    }

    /// Looks for files in folders and those below.
    init(folders: [String]) {
        let paths = folders.flatMap { Self.files(in: $0) }.sorted()
        let keys = EncryptionKeys(besides: paths)
        var realms: [String] = []
        var encrypted: [(path: String, key: EncryptionKey)] = []
        for path in paths where path.hasSuffix(".realm") {
            guard let key = keys.key(of: path) else { realms.append(path); continue }
            encrypted.append((path, key))
        }
        self.realms = realms
        self.encrypted = encrypted
        documents = paths.filter { $0.hasSuffix(".json") }
    }

    var isEmpty: Bool { realms.isEmpty }

    /// Describes what was found.
    var description: String {
        "\(realms.count) realm files, \(encrypted.count) encrypted ones, \(documents.count) documents"
    }

    /// An input of a kind; of another where no file has one.
    func input(_ kind: InputKind, using generator: inout SeededGenerator) -> Input {
        switch kind {
        case .encryptedRealm:
            if let (path, key) = generator.pick(encrypted) {
                return Input(kind: kind, bytes: bytes(path), key: key)
            }
        case .json where generator.below(8) == 0:
            if let path = generator.pick(documents) { return Input(kind: kind, bytes: bytes(path)) }
        case .realm, .rescue: break
        default:
            if let path = realm(using: &generator), let bytes = generator.pick(reading(path).inputs[kind] ?? []) {
                return Input(kind: kind, bytes: bytes)
            }
        }
        return Input(kind: kind == .rescue ? .rescue : .realm, bytes: realm(using: &generator).map { bytes($0) } ?? [])
    }

    /// The smaller of two files, for the sake of time.
    private func realm(using generator: inout SeededGenerator) -> String? {
        guard let one = generator.pick(realms), let other = generator.pick(realms) else { return nil }
        return bytes(other).count < bytes(one).count ? other : one
    }

    private func bytes(_ path: String) -> [UInt8] {
        if let bytes = contents[path] { return bytes }
        let bytes = FileManager.default.contents(atPath: path).map { Array($0) } ?? []
        contents[path] = bytes
        return bytes
    }

    private func reading(_ path: String) -> Reading {
        if let reading = readings[path] { return reading }
        let reading = (try? Self.read(bytes(path))) ?? Reading()
        readings[path] = reading
        return reading
    }

    private static func read(_ bytes: [UInt8]) throws -> Reading {
        let store = BoundedStore(inputBytes: bytes.count)
        let snapshot = try bytes.withUnsafeBytes { try RealmFileReader(bytes: $0).read(into: store) }
        var reading = Reading()
        reading.inputs[.json] = [try text(snapshot, from: store, .document)]
        reading.inputs[.ndjson] = [try text(snapshot, from: store, .lines)]
        let lists = snapshot.classes.compactMap(\.rowGroups)
        reading.inputs[.rowGroups] = try lists.map { try store.read(segment: $0) }
        let segments = store.segments.filter { (try? SegmentCoding.decode($0)) != nil }
        reading.inputs[.segment] = segments
        reading.inputs[.segmentContent] = segments.compactMap { PackedSegment.unpack($0) }
        reading.inputs[.column] = store.columns.map { SnapshotCoding.encode(column: $0) }
        reading.inputs[.snapshot] = [SnapshotCoding.encode(snapshot)]
        return reading
    }

    private static func text(
        _ snapshot: Snapshot, from store: any SegmentStore, _ layout: RealmJSONWriter.Layout
    ) throws -> [UInt8] {
        var writer = RealmJSONWriter(snapshot, from: store, layout: layout)
        var text: [UInt8] = []
        while let chunk = try writer.next() { text += chunk }
        return text
    }

    private static func files(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { folder + "/" + $0 }.filter {
            let size = (try? FileManager.default.attributesOfItem(atPath: $0))?[.size] as? Int
            return ($0.hasSuffix(".realm") || $0.hasSuffix(".json")) && size ?? 0 < largest
        }
    }
}
