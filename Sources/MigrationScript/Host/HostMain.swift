import Columns
import Glibc
import RealmMigration
import RealmModel

/// What the hidden command `host` runs: one task for the parent at the other end of the socket, locked in.
public enum HostMain {
    /// Decodes an input file into a store: the format's name, the file's plain bytes, the store, and the size of
    /// row groups.
    ///
    /// What it throws as `InputError` reaches the caller of `SandboxedDecoder` as it is.
    public typealias Decoder = (
        _ format: String, _ input: UnsafeRawBufferPointer, _ store: any SegmentStore, _ limits: RowGroupLimits
    ) throws -> Snapshot

    /// Does the parent's task and ends.
    ///
    /// - Returns: the exit code; 2 where no parent is there because somebody called the command by hand.
    public static func run(decoder: @escaping Decoder) -> Int32 {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let socket = HostProcess.socketDescriptor
        guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return 2 }
        ResourceLimits.shrinkThreadStacks()
        let channel = HostChannel(descriptor: socket)
        do {
            guard let task = try HostTask(channel.receive()) else { return 1 }
            try channel.send(try answer(task, channel: channel, decoder: decoder))
            return 0
        } catch {
            return 1
        }
    }

    private static func answer(_ task: HostTask, channel: HostChannel, decoder: @escaping Decoder) throws -> Frame {
        switch task {
        case .migrate(let task): try MigrationHost(task, channel: channel).run()
        case .decode(let task): try DecodeHost(task, channel: channel, decoder: decoder).run()
        }
    }

    /// Sets the limits, locks the process and tells the parent.
    static func lock(_ limits: HostLimits, channel: HostChannel) throws {
        ResourceLimits.apply(memoryBytes: limits.memoryBytes, processorSeconds: limits.processorSeconds)
        try SystemCallFilter.apply()
        try channel.send(Frame(.ready))
    }

    /// The frame of an error that has no frame of its own.
    static func failed(_ error: any Error) -> Frame {
        var writer = ByteWriter()
        writer.write(string: String(describing: error))
        return Frame(.failed, writer.bytes)
    }
}
