import Columns

/// What a host is made for; it prepares itself for that before there is a task, and does no other.
struct HostProfile: Hashable {
    /// The tasks that it does.
    enum Kind: UInt8 {
        case migrations = 1
        case decoding
    }

    var kind: Kind
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    var memoryBytes: Int

    init(_ kind: Kind, memoryBytes: Int) {
        self.kind = kind
        self.memoryBytes = max(memoryBytes, 16 << 20)
    }

    /// The first frame that a host gets.
    var frame: Frame {
        var writer = ByteWriter()
        writer.write(byte: kind.rawValue)
        writer.write(count: memoryBytes)
        return Frame(.prepare, writer.bytes)
    }

    /// The profile that a frame brings; nil where it brings none.
    init?(_ frame: Frame) throws(ColumnError) {
        var reader = ByteReader(frame.payload)
        guard frame.kind == .prepare, let kind = Kind(rawValue: try reader.readByte()) else { return nil }
        self.init(kind, memoryBytes: try reader.readCount())
    }
}
