import Columns
import RealmModel
import Testing

@testable import Sandbox

/// Messages on the socket are read as they were written, and cut anywhere they are refused.
@Suite struct FrameTests {
    @Test func `reads a profile as it was written`() throws {
        let profile = HostProfile("probing", memoryBytes: 77 << 20)
        #expect(try HostProfile(profile.frame) == profile)
        #expect(try HostProfile(Frame(.task, profile.frame.payload)) == nil)
        for count in profile.frame.payload.indices {
            #expect(throws: ColumnError.self) {
                try HostProfile(Frame(.prepare, Array(profile.frame.payload.prefix(count))))
            }
        }
    }

    @Test func `carries the items of an error whole`() throws {
        let items = [
            ProblemItem(
                "detail", pointer: "/a", className: "A", property: "p", key: ObjectKey(-1), primaryKey: .string("k"),
                step: .max, line: 2, column: 3, offset: 4),
            ProblemItem("a", key: ObjectKey(.max), primaryKey: .null), ProblemItem(""),
        ]
        var writer = ByteWriter()
        ProblemItemCoding.encode(items, into: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(try ProblemItemCoding.decode(from: &reader) == items)
        #expect(reader.isAtEnd)
    }

    @Test func `bounds the size of a frame`() {
        #expect(Frame.parse(header: [0, 0, 0, 0x40, 64])?.payloadBytes == 1 << 30)
        #expect(Frame.parse(header: [1, 0, 0, 0x40, 64]) == nil)
        #expect(Frame.parse(header: [0, 0, 0, 0, 255]) == nil)
    }
}
