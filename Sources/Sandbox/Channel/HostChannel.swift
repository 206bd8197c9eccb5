import CSeccomp
import Glibc
import Threads

/// The host's end of the socket to its parent: frames, one after the other, without a time limit.
///
/// A thread of its own receives: a parent that sends an answer never waits for a script to come and take it, which is
/// what lets a host ask early. The same thread ends the process as soon as the parent's end is closed; a script that
/// loops would never look. (The death signal of prctl(2) would follow the thread that spawned the host; this follows
/// the process that holds the socket.)
public final class HostChannel: Sendable {
    /// The parent has gone, or sent what no parent sends; a host has nothing left to do then.
    public struct Closed: Error {
        /// Ends the host.
        public init() {}
    }

    private let descriptor: Int32
    private let received = Monitor<[(frame: Frame, descriptor: Int32?)]>([])
    /// Bytes that go to the parent with the next frame that can't wait.
    private let waiting = Mutex<[UInt8]>([])
    /// Bytes that may wait; copying more costs more than to wake the parent.
    private static let waitingLimit = 16 << 10

    /// Takes over the socket, and begins to receive.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        PlainThread.start(stackBytes: 128 << 10) { [self] in
            while let frame = try? readFrame() {
                received.change { $0.append(frame) }
            }
            _exit(0)
        }
    }

    /// Tells the parent something between a task and its answer; from any thread.
    ///
    /// - Parameters:
    ///   - report: bytes whose form the role decides.
    ///   - canWait: whether the parent has no use for it before the next frame, or `flush`.
    public func report(_ report: [UInt8], canWait: Bool = false) throws(Closed) {
        try send(Frame(.report, report), canWait: canWait)
    }

    /// Sends a frame behind those that wait; from any thread.
    ///
    /// - Parameter canWait: whether it may go with the next frame: to wake the parent for each costs both a small migration's time.
    func send(_ frame: Frame, canWait: Bool = false) throws(Closed) {
        guard frame.payload.count <= Frame.payloadLimit else { throw Closed() }
        try waiting.withLock { waiting throws(Closed) in
            if waiting.count + frame.payload.count <= Self.waitingLimit {
                waiting += frame.header
                waiting += frame.payload
                if !canWait { try sendWaiting(&waiting) }
            } else {
                try sendWaiting(&waiting)
                for piece in frame.pieces { try write(piece) }
            }
        }
    }

    /// Sends what waits; from any thread.
    public func flush() throws(Closed) {
        try waiting.withLock { waiting throws(Closed) in try sendWaiting(&waiting) }
    }

    private func sendWaiting(_ waiting: inout [UInt8]) throws(Closed) {
        guard !waiting.isEmpty else { return }
        try write(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    /// The next frame, after a wait where there is none yet; the process ends where none can come any more.
    func receive() -> Frame {
        receiveWithDescriptor().frame
    }

    /// The next frame, and the descriptor that came with it, which is the caller's then.
    func receiveWithDescriptor() -> (frame: Frame, descriptor: Int32?) {
        received.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Waits for the answer to a question.
    func receive(_ kind: Frame.Kind) throws(Closed) -> [UInt8] {
        let answer = receive()
        guard answer.kind == kind else { throw Closed() }
        return answer.payload
    }

    private func readFrame() throws(Closed) -> (frame: Frame, descriptor: Int32?) {
        var header = [UInt8](repeating: 0, count: Frame.headerBytes)
        var passed: Int32 = -1
        var filled = 0
        while filled < header.count {
            let got = header.withUnsafeMutableBytes {
                receive_with_descriptor(
                    descriptor, $0.baseAddress?.advanced(by: filled), Frame.headerBytes - filled, &passed)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Closed() }
            filled += got
        }
        guard let (kind, count) = Frame.parse(header: header) else { throw Closed() }
        return (Frame(kind, try read(count)), passed >= 0 ? passed : nil)
    }

    private func write(_ bytes: [UInt8]) throws(Closed) {
        let isWhole = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
        if !isWhole { throw Closed() }
    }

    private func read(_ count: Int) throws(Closed) -> [UInt8] {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isWhole = false
                    return
                }
                filled += got
            }
        }
        if !isWhole { throw Closed() }
        return bytes
    }
}
