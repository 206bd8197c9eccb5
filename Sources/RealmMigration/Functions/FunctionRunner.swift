import RealmModel

/// The limits of a function of one object, at which it is stopped.
public struct FunctionLimits: Hashable, Sendable {
    /// Seconds of processor time for one object, more than 0; kept to some hundredths.
    public var secondsPerObject: Double
    /// Seconds of wall-clock time for all objects of a call, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int
    /// Bytes of lines that the functions of a call may log, and those of all calls of a job together, each with its end.
    public var logBytes: Int

    /// Sets all limits.
    public init(
        secondsPerObject: Double = 1, timeoutSeconds: Double = 300, memoryBytes: Int = 384 << 20,
        logBytes: Int = 64 << 20
    ) {
        self.secondsPerObject = secondsPerObject
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
        self.logBytes = logBytes
    }
}

/// The lines of functions, which are not to be more than somebody can keep.
public struct FunctionLog: Sendable {
    private let limit: Int
    private var byteCount = 0

    /// No lines yet.
    ///
    /// - Parameter limit: bytes of lines, each with its end.
    public init(limit: Int) { self.limit = limit }

    /// Counts a line.
    ///
    /// - Throws: `MigrationError` where there are too many.
    public mutating func count(_ line: String) throws(MigrationError) {
        byteCount += line.utf8.count + 1
        guard byteCount <= limit else {
            throw MigrationError(
                nil, "The function logged more than \(limit) bytes of lines.", script: .outputLimit)
        }
    }
}

/// How a call ends when the function fails for an object.
public enum FunctionFailurePolicy: Hashable, Sendable {
    /// The first failure is the call's.
    case stops
    /// The object is among the failures, and the others have their answers.
    case collects
}

/// Who asks for calls of functions: whose they are, what they may use, and who hears of them.
public struct FunctionCaller {
    /// Whose functions they are, as for `ScriptRunner.run`.
    public var app: UUID?
    /// The limits of a call.
    public var limits: FunctionLimits
    /// Asked some times a second; true stops the call.
    public var isCancelled: () -> Bool
    /// Takes the lines of the functions' console; what it throws ends the call.
    public var logged: (String, LogLevel) throws -> Void

    /// Describes a caller; one who keeps no log gets no lines.
    public init(
        app: UUID?, limits: FunctionLimits = FunctionLimits(), isCancelled: @escaping () -> Bool = { false },
        logged: @escaping (String, LogLevel) throws -> Void = { _, _ in }
    ) {
        self.app = app
        self.limits = limits
        self.isCancelled = isCancelled
        self.logged = logged
    }
}

/// Calls functions of one object for many, apart from this process.
public protocol FunctionRunner: Sendable {
    /// Calls a function for each of some objects, in their order, and another with what it answered, and waits for the answers.
    ///
    /// A function sees one object at a time, as a plain object of its own. Each of the two begins in a new world: nothing that a
    /// function leaves behind is there for the other, nor for the next call.
    ///
    /// - Parameters:
    ///   - back: the function that is to lead back; its failures are collected.
    ///   - meanwhile: called once while the functions run, on the caller's thread; what it throws ends the call.
    /// - Returns: the answers, and those of the way back; nil for these where there is none, where something is not known that it
    ///   would be called with, and where the first function failed for an object.
    /// - Throws: `MigrationError` with `script` set, and with the object's key, line and column where they are known: the text is
    ///   no function, it fails and the policy is to stop, or a limit is exceeded, whatever the policy.
    func call(
        _ function: ObjectFunction, andBack back: ReturnFunction?, on objects: FunctionObjects,
        policy: FunctionFailurePolicy, for caller: FunctionCaller, meanwhile: () throws -> Void
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?)
}

extension FunctionRunner {
    /// Calls a function for each of some objects, in their order, and waits for the answers.
    ///
    /// - Throws: as the call of two functions.
    public func call(
        _ function: ObjectFunction, on objects: FunctionObjects, policy: FunctionFailurePolicy,
        for caller: FunctionCaller
    ) throws -> FunctionAnswers {
        try call(function, andBack: nil, on: objects, policy: policy, for: caller, meanwhile: {}).answers
    }
}
