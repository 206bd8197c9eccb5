import Columns
import RealmMigration
import RealmModel
import Sandbox

extension SandboxedScriptHost: ObjectFunctionHost {
    /// Calls a function of one object in a host and waits for its answers.
    public func call(
        _ function: ObjectFunction, on objects: FunctionObjects, of app: UUID?, policy: FunctionFailurePolicy,
        limits: FunctionLimits, isCancelled: () -> Bool
    ) throws -> FunctionAnswers {
        let task = FunctionTask(
            function: function, rowCount: objects.keys.count, columns: objects.columns, policy: policy,
            secondsPerObject: limits.secondsPerObject)
        let scriptLimits = ScriptLimits(timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes)
        let answers = try withoutActuallyEscaping(isCancelled) { isCancelled in
            var order = Self.order(
                .call(task), of: app, limits: scriptLimits, serving: ServedStore(MemorySegmentStore(), source: nil))
            order.isCancelled = isCancelled
            order.reported = { report in
                guard case .exceeded(let row) = try ScriptReport(report) else { return }
                guard objects.keys.indices.contains(row) else {
                    throw ColumnError.damaged(what: "the row of a function's object", offset: 0)
                }
                throw Self.naming(
                    MigrationError(
                        nil, "The function took longer than \(limits.secondsPerObject) seconds for one object.",
                        script: .timeLimit), row: row, function, objects)
            }
            do {
                return try hosts.perform(order) { try Self.answers(of: $0, task) }.get()
            } catch let failure as HostFailure {
                throw MigrationError(failure, limits: scriptLimits)
            }
        }
        let named = answers.failures.map {
            FunctionAnswers.Failure(row: $0.row, error: Self.naming($0.error, row: $0.row, function, objects))
        }
        if policy == .stops, let first = named.first { throw first.error }
        return FunctionAnswers(columns: answers.columns, failures: named)
    }

    private static func answers(
        of answer: HostAnswer, _ task: FunctionTask
    ) throws -> Result<FunctionAnswers, MigrationError> {
        switch answer {
        case .done(let bytes): return .success(try FunctionAnswersCoding.decode(bytes, to: task))
        case .refused(let bytes):
            let error = try MigrationCoding.decodeError(bytes)
            // A host whose memory ran out once is none to begin another task in.
            if error.script == .memoryLimit { throw error }
            return .failure(error)
        }
    }

    /// An error with the object that it is about.
    private static func naming(
        _ error: MigrationError, row: Int, _ function: ObjectFunction, _ objects: FunctionObjects
    ) -> MigrationError {
        var error = error
        if error.details.isEmpty { error.details = [ProblemItem(error.message)] }
        for index in error.details.indices {
            error.details[index].className = error.details[index].className ?? function.className
            error.details[index].key = objects.keys[row]
            guard let column = objects.primaryKey, objects.columns.indices.contains(column) else { continue }
            // A primary key that can't be read is one thing less that is known of the object.
            error.details[index].primaryKey = try? objects.columns[column].value(
                at: row, as: ColumnType(function.inputs[column]))
        }
        return error
    }
}
