import Columns

/// The purpose of a host; it prepares itself for that before there is a task, and does no other.
public struct HostProfile: Hashable, Sendable {
    /// The name of its role.
    public let role: String
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public let memoryBytes: Int

    /// Describes a host.
    public init(_ role: String, memoryBytes: Int) {
        self.role = role
        self.memoryBytes = max(memoryBytes, 16 << 20)
    }

    /// The first frame that a host gets.
    var frame: Frame {
        var writer = ByteWriter()
        writer.write(string: role)
        writer.write(count: memoryBytes)
        return Frame(.prepare, writer.bytes)
    }

    /// The profile that a frame brings; nil where it brings none.
    init?(_ frame: Frame) throws(ColumnError) {
        guard frame.kind == .prepare else { return nil }
        var reader = ByteReader(frame.payload)
        self.init(try reader.readString(), memoryBytes: try reader.readCount())
    }
}
