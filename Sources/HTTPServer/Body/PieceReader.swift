/// The body of a response that is made piece by piece, and the piece that was made last.
///
/// Used only by the thread that has the connection in hand.
final class PieceReader {
    let execution: HTTPExecution
    /// The bytes that are sent while there is nothing else.
    let heartbeat: [UInt8]
    private let next: () throws -> HTTPLiveBody.Piece
    private var piece: [UInt8] = []
    /// Why there is no further piece, where that is not the end.
    private(set) var failure: (any Error)?

    /// A body that is pulled; pieces without a byte are passed over.
    init(_ execution: HTTPExecution, produce: @escaping () throws -> [UInt8]?) {
        self.execution = execution
        heartbeat = []
        next = {
            while let piece = try produce() {
                if !piece.isEmpty { return .bytes(piece) }
            }
            return .end
        }
    }

    /// A body that comes about.
    init(_ live: HTTPLiveBody) {
        execution = .working
        heartbeat = live.heartbeat
        next = live.next
    }

    /// Asks for the next piece.
    func produce() -> Exchange.Production {
        do {
            switch try next() {
            case .bytes(let bytes):
                piece = bytes
                return bytes.isEmpty ? .nothing : .piece
            case .nothing: return .nothing
            case .end: return .end
            }
        } catch {
            failure = error
            return .failure
        }
    }

    /// The last piece, once.
    func take() -> [UInt8] {
        defer { piece = [] }
        return piece
    }
}
