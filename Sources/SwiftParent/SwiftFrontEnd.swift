import Columns
import RealmModel
import Sandbox
import SwiftWire

/// Reads Swift files of strangers in child processes.
///
/// The parser of Swift's toolchain is a library of its own, which only the program `realmshift-swift` needs: it lies beside
/// this one, and is started where a Swift file comes.
public struct SwiftFrontEnd: Sendable {
    /// Why no Swift file can be read here.
    public struct Unavailable: Error, Hashable, Sendable, CustomStringConvertible {
        /// One sentence.
        public let description: String
    }

    /// Bytes of memory that reading takes at most.
    public static let memoryBytes = 512 << 20
    /// Seconds that reading takes at most where nobody says; 400 lines take a fiftieth of one.
    public static let timeoutSeconds = 20.0

    private let hosts: HostPool

    /// Reads in the hosts of a program.
    ///
    /// - Parameters:
    ///   - executable: the path of `realmshift-swift`; beside this program unless said otherwise.
    ///   - policy: how many hosts wait for the next files of an app, whose reading then takes a fraction of the time; none
    ///     unless said otherwise.
    public init(executable: String? = nil, keeping policy: HostPool.Policy = .none) {
        hosts = HostPool(executable: executable ?? ProgramPath.beside("realmshift-swift"), policy: policy)
    }

    /// Has hosts that have waited for long end; where any are kept.
    public func start() { hosts.start() }

    /// Ends the hosts that wait, and from now on keeps none.
    public func close() { hosts.close() }

    /// The schema that the classes of a program declare, and the version that its configuration names.
    ///
    /// - Throws: `SwiftRefusal`, `Unavailable`; `InputError` where that takes more than it may; `HostFailure`.
    public func schema(of program: SwiftProgram) throws -> (schema: Schema, version: UInt64?) {
        do {
            return try perform(.schema, program) { try SwiftAnswerCoding.decodeSchema($0) }
        } catch HostFailure.timeLimit {
            throw InputError(.tooLarge, "Reading the Swift files took longer than \(Self.timeoutSeconds) seconds.")
        } catch HostFailure.memoryLimit {
            throw InputError(
                .tooLarge, "Reading the Swift files took more than \(Self.memoryBytes >> 20) MiB of memory.")
        }
    }

    /// The migration block of a program, as JavaScript.
    ///
    /// - Parameters:
    ///   - app: whose program it is; nil has a host of its own.
    ///   - timeoutSeconds: how long it may take: what the job or the command has for its script.
    /// - Throws: `SwiftRefusal`, `Unavailable`, `HostFailure`.
    public func lower(
        _ program: SwiftProgram, of app: UUID? = nil, timeoutSeconds: Double = Self.timeoutSeconds
    ) throws -> LoweredScript {
        try perform(.lower, program, of: app, timeoutSeconds) { try SwiftAnswerCoding.decodeScript($0) }
    }

    private func perform<Answer>(
        _ purpose: SwiftTask.Purpose, _ program: SwiftProgram, of app: UUID? = nil,
        _ timeoutSeconds: Double = Self.timeoutSeconds, read: ([UInt8]) throws -> Answer
    ) throws -> Answer {
        let served = ServedStore(MemorySegmentStore(), source: nil)
        var order = HostOrder(
            SwiftTask.roleName, SwiftTask(purpose, program).bytes,
            limits: HostLimits(timeoutSeconds: timeoutSeconds, memoryBytes: Self.memoryBytes), of: app, serving: served)
        try order.waitForTurn(of: .current)
        let excess = order.end(with: .current)
        do {
            let answer: Result<Answer, SwiftRefusal> = try hosts.perform(order) { answer in
                switch answer {
                case .done(let bytes): .success(try read(bytes))
                case .refused(let bytes): .failure(try SwiftAnswerCoding.decodeRefusal(bytes))
                }
            }
            return try answer.get()
        } catch HostFailure.cancelled {
            throw excess() ?? HostFailure.cancelled as any Error
        } catch HostFailure.notStarted {
            throw Self.unavailable
        } catch HostFailure.notLoaded {
            throw Self.unavailable
        }
    }

    private static let unavailable = Unavailable(
        description:
            "Swift files can't be read here: realmshift-swift, or the libraries of Swift's parser that it needs, "
            + "are not beside this program.")
}
