import CSeccomp
import Columns
import Glibc

/// The parent's side of one task in a host: sends it, serves the host's questions, and stops it in time, as a `HostSessionMachine`
/// decides.
///
/// Nothing that the host says is believed: frames are bounded and parsed with checks, segments are those that the task
/// concerns, and log lines are counted.
final class HostSession {
    let host: HostProcess
    private let order: HostOrder
    private var machine: HostSessionMachine

    init(_ host: HostProcess, _ order: HostOrder) {
        self.host = host
        self.order = order
        machine = HostSessionMachine(order.limits, at: MonotonicClock.now)
    }

    /// Waits until the host takes a task.
    ///
    /// - Parameter patience: seconds to wait at most, within the time of the task.
    /// - Returns: what it says that keeps it apart.
    /// - Throws: `HostFailure`. The host is of no use then.
    @discardableResult
    func waitUntilReady(patience: Double = 1e9) throws -> Isolation {
        machine.expectReady(within: patience, at: MonotonicClock.now)
        switch machine.received(try receive()) {
        case .begin(let isolation): return isolation
        case .end(let failure): throw end(failure)
        default: throw end(machine.receivedNonsense())
        }
    }

    /// Has a host that is ready do the task.
    ///
    /// - Throws: `HostFailure`, and what the store throws. The host is of no use then.
    func run() throws -> HostAnswer {
        try start()
        try order.meanwhile()
        while true {
            let frame = try receive()
            try look()
            switch machine.received(frame) {
            case .report:
                try believed { try order.reported(frame.payload) }
                if order.beginsAnew() { machine.partBegan(at: MonotonicClock.now) }
            case .keepSegment: try believed { try order.served().keep(segment: frame.payload) }
            case .keepColumn: try believed { try order.served().keep(column: frame.payload) }
            case .keepScratch: try believed { try order.served().keep(scratch: frame.payload) }
            case .answer: try send(try believed { try order.served().answer(frame) })
            case .finish(let answer): return answer
            case .end(let failure): throw end(failure)
            case .begin: throw end(machine.receivedNonsense())
            }
        }
    }

    /// Sends a host that is ready the task without waiting for anything.
    func start() throws {
        machine.begun()
        try send(Frame(.task, order.task), with: order.input)
    }

    /// Ends the host and calls its answer a lie where reading it fails.
    func believed<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error where error is ColumnError || error is ServedStore.Refused {
            throw end(machine.receivedNonsense())
        }
    }

    /// Ends the host.
    private func end(_ failure: HostFailure) -> HostFailure {
        _ = host.kill()
        return failure
    }

    // MARK: Bytes

    /// - Parameter passed: a descriptor, which goes with the first byte.
    private func send(_ frame: Frame, with passed: Int32? = nil) throws {
        var passed = passed
        for bytes in frame.pieces {
            var offset = 0
            while offset < bytes.count {
                let (sent, reason) = bytes.withUnsafeBytes {
                    let sent = send(UnsafeRawBufferPointer(rebasing: $0[offset...]), with: passed)
                    return (sent, errno)
                }
                if sent > 0 {
                    offset += sent
                    passed = nil
                } else {
                    try wait(for: POLLOUT, after: reason)
                }
            }
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, with passed: Int32?) -> Int {
        if let passed { return send_with_descriptor(host.socket, bytes.baseAddress, bytes.count, passed) }
        return Glibc.send(host.socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads so many bytes, those first that came with others before.
    ///
    /// Frames are mostly small: what the socket has beyond the bytes that are asked for is taken too.
    private func read(_ count: Int) throws -> [UInt8] {
        while count <= Self.readAhead, host.ahead.count < count { try fill() }
        guard count > host.ahead.count else {
            defer { host.ahead.removeFirst(count) }
            return Array(host.ahead.prefix(count))
        }
        defer { host.ahead = [] }
        return try readFurther(count, after: Array(host.ahead))
    }

    private static let readAhead = 4 << 10

    private func fill() throws {
        var got = 0
        var reason: Int32 = 0
        let fresh = [UInt8](unsafeUninitializedCapacity: Self.readAhead) { buffer, filled in
            got = recv(host.socket, buffer.baseAddress, buffer.count, 0)
            reason = errno
            filled = max(got, 0)
        }
        host.ahead = host.ahead.isEmpty ? fresh[...] : host.ahead + fresh
        if got == 0 { throw machine.ended(host.wait()) }
        if got < 0 { try wait(for: POLLIN, after: reason) }
    }

    private func receive() throws -> Frame {
        guard let (kind, count) = Frame.parse(header: try read(Frame.headerBytes)) else {
            throw end(machine.receivedNonsense())
        }
        return Frame(kind, try read(count))
    }

    /// Reads up to so many bytes, taking memory as they come rather than as they are announced.
    private func readFurther(_ count: Int, after first: [UInt8]) throws -> [UInt8] {
        guard count > Self.chunkBytes else { return try readChunk(count, after: first) }
        var bytes = first
        while bytes.count < count {
            let chunk = min(count - bytes.count, Self.chunkBytes)
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: chunk))
            let (got, reason) = bytes.withUnsafeMutableBytes {
                let got = recv(host.socket, $0.baseAddress?.advanced(by: start), chunk, 0)
                return (got, errno)
            }
            bytes.removeLast(chunk - max(got, 0))
            if got == 0 { throw machine.ended(host.wait()) }
            if got < 0 { try wait(for: POLLIN, after: reason) }
        }
        return bytes
    }

    private static let chunkBytes = 1 << 20

    /// Reads up to so many bytes into memory that is taken at once, and not cleared first.
    private func readChunk(_ count: Int, after first: [UInt8]) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = buffer.prefix(first.count).update(fromContentsOf: first)
            while filled < count {
                let got = recv(host.socket, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
                let reason = errno
                if got == 0 { throw machine.ended(host.wait()) }
                if got < 0 { try wait(for: POLLIN, after: reason) } else { filled += got }
            }
        }
    }

    /// Ends a host that is out of time or was cancelled: one that waits, and one that never stops sending.
    ///
    /// - Returns: milliseconds until the next look.
    @discardableResult
    private func look() throws -> UInt64 {
        while true {
            switch machine.look(at: MonotonicClock.now) {
            case .rest(let milliseconds): return milliseconds
            case .end(let failure): throw end(failure)
            case .ask:
                let isBeyond = host.isBeyondProcessorLimit
                let failure = machine.found(
                    beyondProcessorLimit: isBeyond, cancelled: !isBeyond && order.isCancelled())
                if let failure { throw end(failure) }
            }
        }
    }

    private func wait(for event: Int32, after reason: Int32) throws {
        guard reason == EAGAIN || reason == EINTR else { throw machine.ended(host.wait()) }
        var isReady = false
        while !isReady {
            let milliseconds = try look()
            var poll = pollfd(fd: host.socket, events: Int16(event), revents: 0)
            isReady = Glibc.poll(&poll, 1, Int32(milliseconds)) > 0
        }
    }
}
