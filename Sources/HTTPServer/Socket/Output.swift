/// Bytes that are to be sent, in runs that were made apart from each other.
struct Output {
    /// Runs shorter than this are joined: copying them costs less than a call for each.
    private static let joinLimit = 16 << 10
    private var runs: [[UInt8]] = []
    private var run = 0
    private var sent = 0

    var isEmpty: Bool { runs.isEmpty }

    /// Adds bytes behind the others.
    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if let last = runs.indices.last, runs[last].count + bytes.count <= Self.joinLimit {
            runs[last] += bytes
        } else {
            runs.append(bytes)
        }
    }

    /// Sends as much as the other side takes.
    ///
    /// - Returns: how many bytes, and why no more: `blocked`, `failed`, or nil where none is left.
    mutating func send(by transport: Transport) -> (count: Int, stopped: TransportResult?) {
        var total = 0
        while run < runs.count {
            let isLast = run + 1 == runs.count
            let result = runs[run].withUnsafeBytes {
                transport.send(UnsafeRawBufferPointer(rebasing: $0[sent...]), more: !isLast)
            }
            guard case .count(let count) = result else { return (total, result) }
            total += count
            sent += count
            if sent == runs[run].count { (run, sent) = (run + 1, 0) }
        }
        (runs, run) = ([], 0)
        return (total, nil)
    }
}
