import CZlib

/// Decodes gzip (RFC 1952): one member after another.
final class GzipDecoder: ContentDecoder {
    // zlib remembers where its stream stands, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private let isUsable: Bool
    private var state = State.start

    private enum State {
        /// No byte yet.
        case start
        /// Within a member.
        case member
        /// Behind a member; another one may follow.
        case end
    }

    init() {
        // 15 bits of window, and 16 for gzip's own header and nothing else.
        stream.initialize(to: z_stream())
        isUsable = realmshift_inflate_init(stream, 15 + 16) == Z_OK
    }

    deinit {
        if isUsable { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(_ bytes: UnsafeRawBufferPointer, into output: (UnsafeRawBufferPointer) throws(HTTPError) -> Void)
        throws(HTTPError)
    {
        guard isUsable else { throw .overloaded }
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        var isFull = false
        // A full buffer may leave more behind, though all input is taken.
        while stream.pointee.avail_in > 0 || isFull {
            if state == .end, inflateReset(stream) != Z_OK { throw .malformedContentCoding("gzip") }
            if state == .end && stream.pointee.avail_in == 0 { return }
            state = .member
            let count = try inflateOnce()
            isFull = count == buffer.count && state == .member
            try hand(count, to: output)
        }
    }

    func finish() throws(HTTPError) {
        if state != .end { throw .malformedContentCoding("gzip") }
    }

    /// Fills the buffer; answers the bytes in it.
    private func inflateOnce() throws(HTTPError) -> Int {
        let (result, count) = buffer.withUnsafeMutableBufferPointer { buffer in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(buffer.count)
            let result = inflate(stream, Z_NO_FLUSH)
            return (result, buffer.count - Int(stream.pointee.avail_out))
        }
        switch result {
        case Z_STREAM_END: state = .end
        case Z_OK, Z_BUF_ERROR: break
        default: throw .malformedContentCoding("gzip")
        }
        return count
    }

    private func hand(_ count: Int, to output: (UnsafeRawBufferPointer) throws(HTTPError) -> Void) throws(HTTPError) {
        guard count > 0 else { return }
        try buffer.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
            try output(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
        }
    }
}
