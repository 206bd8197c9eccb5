import Columns
import Glibc
import HTTPServer
import Problems

/// How much one request may take, or each piece of an answer that is made piece by piece.
///
/// Code that reads columns for a request asks its `WorkBudget` as it goes; of requests that change nothing that also ends when
/// their client has left. One that changes something comes to its end, which a repeat of it may ask for, or goes on to it from where
/// it begins to change something.
public struct RequestLimits: Hashable, Sendable {
    /// The most seconds from the time that a worker begins with it.
    public var seconds: Double
    /// The most bytes that it holds at once, of what grows with a client's data.
    public var memoryBytes: Int
    /// The most bytes of columns that it goes through; nil for any number.
    public var workBytes: Int?
    /// The processes that check scripts and read Swift at once for requests.
    var hosts = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Bytes of columns after which clock and client are looked at: who asks for little is answered though its side is closed.
    var watchedBytes = 1 << 20

    /// Five minutes and 256 MiB.
    public init(seconds: Double = 300, memoryBytes: Int = 256 << 20, workBytes: Int? = nil) {
        self.seconds = seconds
        self.memoryBytes = memoryBytes
        self.workBytes = workBytes
    }
}

extension Problem {
    /// The problem of a request that takes more than it may.
    init(_ excess: WorkBudget.Excess) {
        switch excess {
        case .work(let bytes):
            self.init(
                .requestLimitExceeded,
                "The request goes through more than \(Self.mebibytes(bytes)) of columns, the most that the service's operator "
                    + "gives one request (--request-work): ask about fewer objects, or simpler.")
        case .memory(let bytes):
            self.init(
                .requestLimitExceeded,
                "The request takes more than \(Self.mebibytes(bytes)) of memory, the most that the service's operator gives "
                    + "one request (--request-memory): ask for fewer objects at once, or change fewer.")
        case .time(let seconds):
            self.init(
                .requestLimitExceeded,
                "The request takes longer than \(Self.seconds(seconds)), the most that the service's operator gives one "
                    + "request (--request-time): ask about fewer objects, or simpler.")
        case .crowded:
            self.init(
                .overloaded, "Other requests hold the memory that this one needs: send it again in a moment.",
                fields: ["Retry-After": "1"])
        case .abandoned:
            // Nobody reads it.
            self.init(.overloaded, "The client left before the answer was found.")
        }
    }

    private static func mebibytes(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes) bytes" : "\(bytes >> 20) MiB"
    }

    private static func seconds(_ seconds: Double) -> String { seconds == 1 ? "1 second" : "\(Int(seconds)) seconds" }
}
