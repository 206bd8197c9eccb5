import Glibc

/// The host's end of the socket to its parent: frames, one after the other, without a time limit.
final class HostChannel {
    /// The parent has gone, or sent what no parent sends; a host has nothing left to do then.
    struct Closed: Error {}

    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    func send(_ frame: Frame) throws(Closed) {
        guard frame.payload.count <= Frame.payloadLimit else { throw Closed() }
        try write(frame.header)
        try write(frame.payload)
    }

    func receive() throws(Closed) -> Frame {
        guard let (kind, count) = Frame.parse(header: try read(Frame.headerBytes)) else { throw Closed() }
        return Frame(kind, try read(count))
    }

    /// Asks the parent for something and waits for the answer.
    func ask(_ question: Frame, expecting kind: Frame.Kind) throws(Closed) -> [UInt8] {
        try send(question)
        let answer = try receive()
        guard answer.kind == kind else { throw Closed() }
        return answer.payload
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
