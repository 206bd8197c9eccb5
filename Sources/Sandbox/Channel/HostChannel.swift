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
    private let sending = Mutex(())

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
    /// - Parameter report: bytes whose form the role decides.
    public func report(_ report: [UInt8]) throws(Closed) {
        try send(Frame(.report, report))
    }

    /// Sends a frame; from any thread.
    func send(_ frame: Frame) throws(Closed) {
        guard frame.payload.count <= Frame.payloadLimit else { throw Closed() }
        try sending.withLock { _ throws(Closed) in
            for piece in frame.pieces { try write(piece) }
        }
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
