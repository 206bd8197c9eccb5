import Columns
import Foundation
import RealmJSON
import RealmModel
import Testing

@testable import RealmFile

/// Point 5: what a once-synced file shows, and what is written of it.
struct SyncedFileTests {
    @Test(arguments: SharedFiles.synced)
    func `point 5, reads what a once-synced file shows`(_ pair: SharedFiles.Pair) throws {
        try check(ReadRealm(try Self.bytes(pair)), against: pair)
    }

    @Test(arguments: SharedFiles.synced)
    func `point 5, writes what a once-synced file shows`(_ pair: SharedFiles.Pair) throws {
        let written = try WrittenRealm(rewriting: try Self.bytes(pair))
        #expect(try written.differences() == [])
        try check(ReadRealm(written.bytes), against: pair) { !$0.hasPrefix(#"{"asymmetric":true,"#) }
    }

    @Test(arguments: SharedFiles.synced.filter(\.hasHistory))
    func `counts the changesets that were never uploaded`(_ pair: SharedFiles.Pair) throws {
        let text = String(decoding: try SharedFiles.bytes(pair.history), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("unsentChangesets ") })
        let expected = try #require(Int(line.dropFirst("unsentChangesets ".count)))
        let (summary, report) = try Self.bytes(pair).withUnsafeBytes { bytes in
            let reader = try RealmFileReader(bytes: bytes)
            return (try reader.summary(), try reader.report())
        }
        let rescued = try Self.bytes(pair).withUnsafeBytes {
            try RealmFileRescue(bytes: $0).read(into: MemorySegmentStore()).report
        }
        #expect(rescued.unsentChangesets == expected)
        #expect(summary.history == .syncClient)
        #expect(summary.unsentChangesets == expected)
        #expect(report.unsentChangesets == expected)
    }

    @Test(arguments: SharedFiles.synced.filter(\.hasHistory))
    func `does not guess how many changesets a damaged history has`(_ pair: SharedFiles.Pair) throws {
        var bytes = try Self.bytes(pair)
        let history = try bytes.withUnsafeBytes { bytes in
            let header = try FileHeader(bytes)
            let image = Image(bytes, formatVersion: header.formatVersion)
            return try #require(try HistoryPlace(image.node(at: header.topRef)).syncRef)
        }
        for offset in Int(history)..<Int(history) + 8 { bytes[offset] = 0xff }
        let report = try bytes.withUnsafeBytes {
            try RealmFileRescue(bytes: $0).read(into: MemorySegmentStore()).report
        }
        #expect(report.rescue?.lostCount == 0)
        #expect(report.unsentChangesets == nil)
    }

    @Test(arguments: SharedFiles.synced.filter { !$0.hasHistory })
    func `says nothing of uploads of a local file`(_ pair: SharedFiles.Pair) throws {
        let report = try Self.bytes(pair).withUnsafeBytes { try RealmFileReader(bytes: $0).report() }
        #expect(report == ReadingReport())
    }

    @Test func `leaves out asymmetric classes, which a local realm refuses`() throws {
        let kept = ObjectSchema("A", properties: [Property("x", .int)])
        let sent = ObjectSchema("B", kind: .asymmetric, primaryKey: "_id", properties: [Property("_id", .int)])
        let snapshot = Snapshot(
            schemaVersion: 1, declared: Schema([sent, kept]),
            classes: [StoredClass(empty: sent), StoredClass(empty: kept)])
        #expect(RealmFileWriter.leftOut(of: snapshot).map(\.schema.name) == ["B"])
        let written = try WrittenRealm(snapshot, from: MemorySegmentStore())
        #expect(written.snapshot.classes.map(\.schema) == [kept])
        #expect(written.snapshot.declared == Schema([kept]))
    }

    /// - Parameter isKept: which lines of the document, one a class or an object, are to be in the file.
    private func check(
        _ realm: ReadRealm, against pair: SharedFiles.Pair, isKept: (String) -> Bool = { _ in true }
    ) throws {
        let document = CanonicalDocument.lines(try JSONValue.parse(try SharedFiles.bytes(pair.document)))
        let expected = document.filter(isKept)
        let read = CanonicalDocument.lines(RealmDocument(realm).json)
        #expect(read.count == expected.count)
        let difference = zip(read, expected).first { $0 != $1 }
        #expect(difference == nil, "\(difference?.0.prefix(900) ?? "")\n\(difference?.1.prefix(900) ?? "")")
    }

    private static func bytes(_ pair: SharedFiles.Pair) throws -> [UInt8] {
        let bytes = try SharedFiles.bytes(pair.realm)
        guard pair.realm.lastPathComponent.contains("encrypted") else { return bytes }
        let file = pair.realm.deletingLastPathComponent().appending(path: "key.hex")
        let text = String(decoding: try SharedFiles.bytes(file), as: UTF8.self)
        let key = try #require(EncryptionKey(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)))
        return try bytes.withUnsafeBytes {
            var plain: [UInt8] = []
            try EncryptedRealmFile(bytes: $0, key: key).decrypt { plain += $0 }
            return plain
        }
    }
}
