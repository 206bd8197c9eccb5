import Columns
import Glibc
import RealmMigration
import RealmModel

/// What the hidden command `host` runs: tasks for the parent at the other end of the socket, locked in.
public enum HostMain {
    /// Decodes an input file into a store: the format's name, the file's plain bytes, the store, and the size of
    /// row groups.
    ///
    /// What it throws as `InputError` reaches the caller of `SandboxedDecoder` as it is.
    public typealias Decoder = (
        _ format: String, _ input: UnsafeRawBufferPointer, _ store: any SegmentStore, _ limits: RowGroupLimits
    ) throws -> Snapshot

    /// Does the parent's tasks, one after the other, until the parent closes the connection.
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
            guard let profile = try HostProfile(channel.receive()) else { return 1 }
            let host = try prepare(profile, channel: channel, decoder: decoder)
            repeat {
                try serve(channel, by: host)
            } while ResourceLimits.leaveRoom(memoryBytes: profile.memoryBytes)
            return 0
        } catch {
            return 1
        }
    }

    /// Makes a host, sets its limits and locks the process for good.
    private static func prepare(
        _ profile: HostProfile, channel: HostChannel, decoder: @escaping Decoder
    ) throws -> any TaskHost {
        // A virtual machine reserves address space and starts threads, which the lock would not let it.
        let host: any TaskHost =
            switch profile.kind {
            case .migrations: try MigrationHost(memoryBytes: profile.memoryBytes, channel: channel)
            case .decoding: DecodeHost(channel: channel, decoder: decoder)
            }
        ResourceLimits.apply(memoryBytes: profile.memoryBytes)
        try SystemCallFilter.apply()
        return host
    }

    /// Does one task, and clears up after it when the answer is on its way.
    private static func serve(_ channel: HostChannel, by host: any TaskHost) throws {
        try channel.send(Frame(.ready))
        let (frame, input) = channel.receiveWithDescriptor()
        defer { if let input { close(input) } }
        guard let task = try HostTask(frame) else { throw HostChannel.Closed() }
        try channel.send(try host.perform(task, input: input))
        try host.reset()
    }

    /// The frame of an error that has no frame of its own.
    static func failed(_ error: any Error) -> Frame {
        var writer = ByteWriter()
        writer.write(string: String(describing: error).bounded())
        return Frame(.failed, writer.bytes)
    }
}
