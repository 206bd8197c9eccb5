import Columns
import Foundation

/// Encodes segments on a thread of its own and passes them on, in the order in which they were given.
///
/// Compressing what a script has written takes about a third of the time of the script, on a processor that has nothing
/// else to do.
final class SegmentEncoder: @unchecked Sendable {
    // Sendable because everything that changes is under the lock of `condition`.

    /// Bytes of arrays that may wait.
    private static let waitingLimit = 8 << 20
    /// Arrays below this are not worth waking a thread for.
    private static let threadBytes = 64 << 10

    private let send: ([UInt8]) throws -> Void
    private let condition = NSCondition()
    private var waiting: [ColumnArray] = []
    private var waitingBytes = 0
    /// Arrays that wait or are being encoded.
    private var unsentCount = 0
    private var isRunning = false
    private var isClosed = false
    private var failure: (any Error)?

    /// - Parameter send: takes the bytes of a segment; called by one thread at a time.
    init(send: @escaping ([UInt8]) throws -> Void) {
        self.send = send
    }

    /// Takes an array, after a wait where too many are taken already.
    ///
    /// - Throws: what `send` threw for this or an earlier array.
    func encode(_ array: ColumnArray) throws {
        let byteCount = array.byteCount
        let isNow = try condition.withLock {
            while waitingBytes >= Self.waitingLimit, failure == nil { condition.wait() }
            if let failure { throw failure }
            if unsentCount == 0, byteCount < Self.threadBytes { return true }
            waiting.append(array)
            waitingBytes += byteCount
            unsentCount += 1
            if !isRunning { start() }
            condition.broadcast()
            return false
        }
        if isNow { try send(SegmentCoding.encode(array)) }
    }

    /// Waits until all arrays have been passed on.
    ///
    /// - Throws: what `send` threw.
    func finish() throws {
        try condition.withLock {
            while unsentCount > 0, failure == nil { condition.wait() }
            if let failure { throw failure }
        }
    }

    /// Waits until all arrays have been passed on, or one could not be, and ends the thread.
    func close() {
        try? finish()
        condition.withLock {
            isClosed = true
            condition.broadcast()
            while isRunning { condition.wait() }
        }
    }

    /// Starts the thread, which runs until `close`.
    private func start() {
        isRunning = true
        HostThread.start(stackBytes: 512 << 10) { [self] in
            while let array = next() {
                do {
                    try send(SegmentCoding.encode(array))
                } catch {
                    condition.withLock { failure = error }
                }
                condition.withLock {
                    waitingBytes -= array.byteCount
                    unsentCount -= 1
                    condition.broadcast()
                }
            }
        }
    }

    /// The array that waits longest, after a wait where there is none; nil at the end of the thread.
    private func next() -> ColumnArray? {
        condition.withLock {
            while waiting.isEmpty, !isClosed, failure == nil { condition.wait() }
            guard !waiting.isEmpty, failure == nil else {
                isRunning = false
                condition.broadcast()
                return nil
            }
            return waiting.removeFirst()
        }
    }
}
