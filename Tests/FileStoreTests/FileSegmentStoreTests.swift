import Columns
import Foundation
import Testing

@testable import FileStore

/// Segments in a file are there as they were written, and the file is there for nobody else.
struct FileSegmentStoreTests {
    @Test func `gives back what was written, in any order`() throws {
        let store = try FileSegmentStore()
        let segments = [0, 1, 7, 4096, 1 << 20].map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
        let ids = try segments.map { try store.write(segment: $0) }
        #expect(Set(ids).count == ids.count)
        for (id, bytes) in zip(ids, segments).reversed() { #expect(try store.read(segment: id) == bytes) }
        let column = [
            Segment(rowCount: 7, nullCount: 0, content: .stored(ids[2], storedBytes: 7)),
            Segment(repeating: .null, rowCount: 3),
        ]
        #expect(try store.read(column: try store.write(column: column)) == column)
    }

    @Test func `has nothing in its file that can be read`() throws {
        let (one, other) = (try FileSegmentStore(), try FileSegmentStore())
        let text = Array("Ada Lovelace, ".utf8)
        let segment = Array(repeatElement(text, count: 1000).joined())
        func written(_ store: FileSegmentStore) throws -> [UInt8] {
            let ids = try (0..<2).map { _ in try store.write(segment: segment) }
            for id in ids { #expect(try store.read(segment: id) == segment) }
            var bytes = [UInt8](repeating: 0, count: 2 * segment.count)
            #expect(pread(store.file, &bytes, bytes.count, 0) == bytes.count)
            return bytes
        }
        let (bytes, others) = (try written(one), try written(other))
        // Neither a text, nor that two segments are the same, nor two blocks of one; and each file has a key of its own.
        let blocks = Set((bytes + others).chunked(by: 16))
        #expect(blocks.count == 4 * segment.count / 16)
        for block in segment.chunked(by: 16) { #expect(!blocks.contains(block)) }
        #expect(try written(try FileSegmentStore(isPlain: true)) == segment + segment)
    }

    @Test func `knows nothing of another store's segments`() throws {
        let (one, other) = (try FileSegmentStore(), try FileSegmentStore())
        let id = try one.write(segment: [1])
        #expect(throws: ColumnError.missing(id)) { try other.read(segment: id) }
        let later = SegmentID(batch: id.batch, ordinal: id.ordinal + 1)
        #expect(throws: ColumnError.missing(later)) { try one.read(segment: later) }
    }

    @Test func `has a file without a name`() throws {
        let file = try TemporaryFile.open()
        defer { close(file) }
        var status = stat()
        #expect(fstat(file, &status) == 0)
        #expect(status.st_nlink == 0)
        try FileWriting.write(Array("plain".utf8), to: file, named: "it")
        #expect(fstat(file, &status) == 0)
        #expect(status.st_size == 5)
    }

    @Test func `says which file can't be written, and why`() throws {
        let file = open("/dev/full", O_WRONLY)
        try #require(file >= 0)
        defer { close(file) }
        let error = #expect(throws: FileError.self) { try FileWriting.write([1], to: file, named: "the output") }
        #expect(error?.description == "the output: No space left on device")
    }
}

extension [UInt8] {
    fileprivate func chunked(by count: Int) -> [[UInt8]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
