/// Why a host process ended without an answer.
public enum HostFailure: Error, Hashable, Sendable {
    /// It took longer than it may, by the clock or by the processor.
    case timeLimit
    /// It took more memory than it may.
    case memoryLimit
    /// It wrote more bytes than it may.
    case outputLimit
    /// The caller did not want its answer any more.
    case cancelled
    /// It ended by itself, or said something that no host says; the text tells how, for the operator.
    case crash(String)
    /// The program could not be started; `errno` of the call that failed.
    case notStarted(program: String, errno: Int32)
    /// The program is there, and libraries that it needs are not.
    case notLoaded
}

extension HostFailure: CustomStringConvertible {
    /// The failure in one sentence.
    public var description: String {
        switch self {
        case .timeLimit: "The host process was stopped at its time limit."
        case .memoryLimit: "The host process was stopped at its memory limit."
        case .outputLimit: "The host process was stopped at the limit of what it may write."
        case .cancelled: "The host process was told to stop."
        case .crash(let how): "The host process ended unexpectedly: \(how)."
        case .notLoaded: "The host process could not be loaded: libraries that it needs are missing."
        case .notStarted(let program, let errno): "The program \(program) could not be started (errno \(errno))."
        }
    }
}
