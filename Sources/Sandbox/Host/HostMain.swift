import Columns
import Glibc
import RealmModel
import Threads

/// The hidden command `host`: runs tasks for the parent at the other end of the socket, locked in.
public enum HostMain {
    /// All that a program does which is there for hosts alone: the command `host`, and a word to whoever starts it by hand.
    ///
    /// - Parameters:
    ///   - name: the program's.
    ///   - roles: what its hosts may be.
    public static func runProgram(_ name: String, roles: [HostRole]) {
        guard CommandLine.arguments.dropFirst().first == "host" else {
            return print("\(name) is started by realmshift, and does nothing by itself.")
        }
        exit(run(roles: roles))
    }

    /// Does the parent's tasks, one after the other, until the parent closes the connection.
    ///
    /// - Parameter roles: what the parent may make of this process.
    /// - Returns: the exit code; 2 where no parent is there because somebody called the command by hand.
    public static func run(roles: [HostRole]) -> Int32 {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let socket = HostProcess.socketDescriptor
        guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return 2 }
        // It was started by a descriptor, whose number would be its name.
        PlainThread.nameCurrent("realmshift-host")
        guard let isolation = try? Isolation.enter() else { return 1 }
        ResourceLimits.shrinkThreadStacks()
        let channel = HostChannel(descriptor: socket)
        do {
            guard let profile = try HostProfile(channel.receive()),
                let role = roles.first(where: { $0.name == profile.role })
            else { return 1 }
            // A virtual machine reserves address space and starts threads, which the lock would not let it.
            let work = try role.prepare(profile.memoryBytes, channel)
            ResourceLimits.apply(memoryBytes: profile.memoryBytes)
            try SystemCallFilter.apply()
            repeat {
                try serve(channel, by: work, isolation)
            } while ResourceLimits.leaveRoom(memoryBytes: profile.memoryBytes)
            return 0
        } catch {
            return 1
        }
    }

    /// Does one task, and clears up after it when the answer is on its way.
    private static func serve(_ channel: HostChannel, by work: any HostWork, _ isolation: Isolation) throws {
        try channel.send(Frame(.ready, [isolation.rawValue]))
        let (frame, input) = channel.receiveWithDescriptor()
        defer { if let input { close(input) } }
        guard frame.kind == .task else { throw HostChannel.Closed() }
        try channel.send(try answer(to: frame.payload, input: input, by: work))
        try work.reset()
    }

    private static func answer(to task: [UInt8], input: Int32?, by work: any HostWork) throws(HostChannel.Closed)
        -> Frame
    {
        do {
            return switch try work.perform(task, input: input) {
            case .done(let bytes): Frame(.done, bytes)
            case .refused(let bytes): Frame(.refused, bytes)
            }
        } catch let closed as HostChannel.Closed {
            throw closed
        } catch {
            var writer = ByteWriter()
            writer.write(string: String(describing: error).bounded())
            return Frame(.failed, writer.bytes)
        }
    }
}
