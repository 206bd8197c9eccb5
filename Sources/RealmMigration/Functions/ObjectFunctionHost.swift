import RealmModel

/// What a function of one object may use before it is stopped.
public struct FunctionLimits: Hashable, Sendable {
    /// Seconds of processor time for one object, more than 0; kept to some hundredths.
    public var secondsPerObject: Double
    /// Seconds of wall-clock time for all objects of a call, more than 0.
    public var timeoutSeconds: Double
    /// Bytes of memory beyond what an idle host takes, at least 16 MiB.
    public var memoryBytes: Int

    /// Sets all limits.
    public init(secondsPerObject: Double = 1, timeoutSeconds: Double = 300, memoryBytes: Int = 384 << 20) {
        self.secondsPerObject = secondsPerObject
        self.timeoutSeconds = timeoutSeconds
        self.memoryBytes = memoryBytes
    }
}

/// What becomes of a call when the function fails for an object.
public enum FunctionFailurePolicy: Hashable, Sendable {
    /// The first failure is the call's.
    case stops
    /// The object is among the failures, and the others have their answers.
    case collects
}

/// Calls functions of one object for many, apart from this process.
public protocol ObjectFunctionHost: Sendable {
    /// Calls a function for each of some objects, in their order, and waits for the answers.
    ///
    /// The function sees one object at a time, as a plain object of its own. Each call begins in a new world: nothing that a
    /// function leaves behind is there for the next call.
    ///
    /// - Parameters:
    ///   - app: whose function it is, as for `ScriptHost.run`.
    ///   - isCancelled: asked some times a second; true stops the call.
    /// - Throws: `MigrationError` with `script` set, and with the object's key, line and column where they are known: the text is
    ///   no function, it fails and the policy is to stop, or a limit is exceeded, whatever the policy.
    func call(
        _ function: ObjectFunction, on objects: FunctionObjects, of app: UUID?, policy: FunctionFailurePolicy,
        limits: FunctionLimits, isCancelled: () -> Bool
    ) throws -> FunctionAnswers
}
