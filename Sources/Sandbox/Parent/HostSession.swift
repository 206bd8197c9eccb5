import CSeccomp
import Columns
import Glibc

/// The parent's side of one task in a host: sends it, serves what the host asks for, and stops it in time.
///
/// Nothing that the host says is believed: frames are bounded and parsed with checks, segments are those that the task
/// concerns, and log lines are counted.
final class HostSession {
    let host: HostProcess
    private let order: HostOrder
    private var deadline: UInt64
    private var nextQuestion: UInt64 = 0

    init(_ host: HostProcess, _ order: HostOrder) {
        self.host = host
        self.order = order
        deadline = Self.deadline(order.limits)
    }

    private static func deadline(_ limits: HostLimits) -> UInt64 {
        MonotonicClock.now + UInt64(min(max(limits.timeoutSeconds, 0), 1e9) * 1e9)
    }

    /// Waits until the host takes a task.
    ///
    /// - Parameter patience: seconds to wait at most, within the time of the task.
    /// - Returns: what it says that keeps it apart.
    /// - Throws: `HostFailure`. The host is of no use then.
    @discardableResult
    func waitUntilReady(patience: Double = 1e9) throws -> Isolation {
        let last = deadline
        deadline = min(last, MonotonicClock.now + UInt64(patience * 1e9))
        defer { deadline = last }
        let frame = try receive()
        guard frame.kind == .ready, frame.payload.count == 1 else { throw lie("it sent a frame out of turn") }
        return Isolation(rawValue: frame.payload[0])
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
            switch frame.kind {
            case .report:
                try believed { try order.reported(frame.payload) }
                if order.beginsAnew() { deadline = Self.deadline(order.limits) }
            case .done: return .done(frame.payload)
            case .refused: return .refused(frame.payload)
            case .failed: throw try failure(toldBy: frame)
            case .writeSegment: try believed { try order.served().keep(segment: frame.payload) }
            case .writeColumn: try believed { try order.served().keep(column: frame.payload) }
            default: try send(try answer(frame))
            }
        }
    }

    /// Sends a host that is ready the task without waiting for anything.
    func start() throws {
        try send(Frame(.task, order.task), with: order.input)
    }

    /// Ends the host and calls its answer a lie where reading it fails.
    func believed<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error where error is ColumnError || error is ServedStore.Refused {
            throw lie("it sent what no host sends")
        }
    }

    /// Ends the host for what it said.
    private func lie(_ what: String) -> HostFailure {
        _ = host.kill()
        return .crash(what)
    }

    /// The failure of a host that could not do its task for a reason of its own.
    private func failure(toldBy frame: Frame) throws -> HostFailure {
        var reader = ByteReader(frame.payload)
        return .crash(try believed { try reader.readString() })
    }

    private func answer(_ frame: Frame) throws -> Frame {
        guard let answer = try believed({ try order.served().answer(frame) }) else {
            throw lie("it sent a frame out of turn")
        }
        return answer
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
        if got == 0 { throw failure(host.wait()) }
        if got < 0 { try wait(for: POLLIN, after: reason) }
    }

    private func receive() throws -> Frame {
        guard let (kind, count) = Frame.parse(header: try read(Frame.headerBytes)) else {
            throw lie("it sent what no host sends")
        }
        return Frame(kind, try read(count))
    }

    /// Reads up to so many bytes, taking memory as they come rather than as they are announced.
    private func readFurther(_ count: Int, after first: [UInt8]) throws -> [UInt8] {
        var bytes = first
        while bytes.count < count {
            let chunk = min(count - bytes.count, 1 << 20)
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: chunk))
            let (got, reason) = bytes.withUnsafeMutableBytes {
                let got = recv(host.socket, $0.baseAddress?.advanced(by: start), chunk, 0)
                return (got, errno)
            }
            bytes.removeLast(chunk - max(got, 0))
            if got == 0 { throw failure(host.wait()) }
            if got < 0 { try wait(for: POLLIN, after: reason) }
        }
        return bytes
    }

    /// How often cancellation is asked about, in milliseconds.
    private static let tick: UInt64 = 100

    /// Ends a host that is out of time or was cancelled: one that waits, and one that never stops sending.
    ///
    /// - Returns: milliseconds until the next look.
    @discardableResult
    private func look() throws -> UInt64 {
        let now = MonotonicClock.now
        guard now < deadline else {
            _ = host.kill()
            throw HostFailure.timeLimit
        }
        if now >= nextQuestion {
            nextQuestion = now + Self.tick * 1_000_000
            guard !host.isBeyondProcessorLimit else {
                _ = host.kill()
                throw HostFailure.timeLimit
            }
            guard !order.isCancelled() else {
                _ = host.kill()
                throw HostFailure.cancelled
            }
        }
        return (min(nextQuestion, deadline) - now) / 1_000_000 + 1
    }

    private func wait(for event: Int32, after reason: Int32) throws {
        guard reason == EAGAIN || reason == EINTR else { throw failure(host.wait()) }
        var isReady = false
        while !isReady {
            let milliseconds = try look()
            var poll = pollfd(fd: host.socket, events: Int16(event), revents: 0)
            isReady = Glibc.poll(&poll, 1, Int32(milliseconds)) > 0
        }
    }

    // MARK: Endings

    /// The loader's code for a program whose libraries it does not find.
    private static let notLoadedCode: Int32 = 127

    /// Tells from the way it ended why a host gave no answer.
    private func failure(_ ending: HostProcess.Ending) -> HostFailure {
        switch ending.signal {
        case .some(SIGXCPU): return .timeLimit
        case .some(let signal): return .crash("signal \(signal)")
        case nil where ending.exitCode == MemoryExhaustion.exitCode: return .memoryLimit
        case nil where ending.exitCode == Self.notLoadedCode: return .notLoaded
        case nil: return .crash("exit code \(ending.exitCode ?? 0)")
        }
    }
}
