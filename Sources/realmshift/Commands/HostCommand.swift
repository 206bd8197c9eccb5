import Columns
import MigrationScript
import RealmDecoding
import RealmFile
import RealmJSON
import RealmModel
import Sandbox

/// The hidden command by which the program runs itself as a sandboxed child; not for people.
enum HostCommand {
    static let name = "host"

    static func run() -> Int32 {
        HostMain.run(roles: [.scripts, .decoding(by: decode)])
    }

    @Sendable private static func decode(
        format: String, input: UnsafeRawBufferPointer, store: any SegmentStore, limits: RowGroupLimits
    ) throws -> Snapshot {
        switch RealmFormat(rawValue: format) {
        case .realm: try RealmFileReader(bytes: input).read(into: store, limits: limits)
        case .json: try RealmJSONReader(MappedSource(input), into: store, limits: limits).read()
        case .ndjson: try RealmNDJSONReader(MappedSource(input), into: store, limits: limits).read()
        case nil: throw InputError(.unsupportedFormat, "There is no decoder for the format \(format).")
        }
    }
}

/// A mapped file as a source of bytes.
private struct MappedSource: ByteSource {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = max(0, min(buffer.count, bytes.count - offset))
        guard count > 0 else { return 0 }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        return count
    }
}
