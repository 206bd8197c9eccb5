import Columns
import Threads

/// Encodes segments on a thread of its own and passes them on, in the order in which they were given.
///
/// Compressing what a script has written takes about a third of the time of the script, on a processor that has nothing
/// else to do.
final class SegmentEncoder: @unchecked Sendable {
    // Sendable because `send`, the one that need not be, is called by one thread at a time.

    /// Bytes of arrays that may wait.
    private static let waitingLimit = 8 << 20
    /// Arrays below this are not worth waking a thread for.
    private static let threadBytes = 64 << 10

    private struct State {
        var waiting: [ColumnArray] = []
        var waitingBytes = 0
        /// Arrays that wait or are being encoded.
        var unsentCount = 0
        var isRunning = false
        var isClosed = false
        var failure: (any Error)?
    }

    private let send: ([UInt8]) throws -> Void
    private let state = Monitor(State())

    /// - Parameter send: takes the bytes of a segment; called by one thread at a time.
    init(send: @escaping ([UInt8]) throws -> Void) {
        self.send = send
    }

    /// Takes an array, after a wait where too many are taken already.
    ///
    /// - Throws: what `send` threw for this or an earlier array.
    func encode(_ array: ColumnArray) throws {
        let byteCount = array.byteCount
        let isNow = try state.wait { state -> Bool? in
            if let failure = state.failure { throw failure }
            guard state.waitingBytes < Self.waitingLimit else { return nil }
            return state.unsentCount == 0 && byteCount < Self.threadBytes
        }
        if isNow { return try send(SegmentCoding.encode(array)) }
        // Only this thread adds arrays, so that there is room still.
        let starts = state.change { state in
            state.waiting.append(array)
            state.waitingBytes += byteCount
            state.unsentCount += 1
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { start() }
    }

    /// Waits until all arrays have been passed on.
    ///
    /// - Throws: what `send` threw.
    func finish() throws {
        try state.wait { state -> Void? in
            if let failure = state.failure { throw failure }
            return state.unsentCount == 0 ? () : nil
        }
    }

    /// Waits until all arrays have been passed on, or one could not be, and ends the thread.
    func close() {
        // Who needs to know whether all were passed on has called `finish`.
        try? finish()
        state.change { $0.isClosed = true }
        state.wait { $0.isRunning ? nil : () }
    }

    /// Starts the thread, which runs until `close`.
    private func start() {
        PlainThread.start(stackBytes: 512 << 10) { [self] in
            while let array = next() {
                let result = Result { try send(SegmentCoding.encode(array)) }
                state.change { state in
                    if case .failure(let error) = result { state.failure = error }
                    state.waitingBytes -= array.byteCount
                    state.unsentCount -= 1
                }
            }
            state.change { $0.isRunning = false }
        }
    }

    /// The array that waits longest, after a wait where there is none; nil at the end of the thread.
    private func next() -> ColumnArray? {
        state.wait { state -> ColumnArray?? in
            if state.failure != nil { return .some(nil) }
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            return state.isClosed ? .some(nil) : nil
        }
    }
}
