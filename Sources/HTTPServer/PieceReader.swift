/// The rest of a streamed body: the piece that was produced last, and the function that produces the next.
///
/// Handed to and fro between the thread of the connection and a worker, never used by both at once.
final class PieceReader: @unchecked Sendable {
    let execution: HTTPExecution
    private let produce: () throws -> [UInt8]?
    private var piece: ArraySlice<UInt8> = []
    /// Whether there is no further piece.
    private(set) var isAtEnd = false
    /// Why there is no further piece, where that is not the end.
    private(set) var failure: (any Error)?

    init(execution: HTTPExecution, produce: @escaping () throws -> [UInt8]?) {
        self.execution = execution
        self.produce = produce
    }

    /// Copies as much of the last piece as fits, and answers how much.
    func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, piece.count)
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: piece.prefix(count))
        piece.removeFirst(count)
        return count
    }

    /// Asks for the next piece that is not empty.
    func produceNext() {
        do {
            repeat {
                guard let next = try produce() else {
                    isAtEnd = true
                    return
                }
                piece = next[...]
            } while piece.isEmpty
        } catch {
            failure = error
        }
    }
}
