import Columns
import RealmMigration
import RealmModel
import Sandbox
import ScriptWire

extension SandboxedScriptRunner: FunctionRunner {
    /// Calls a function of one object in a host, and another with what it answered, and waits for the answers.
    public func call(
        _ function: ObjectFunction, andBack back: ReturnFunction?, on objects: FunctionObjects,
        policy: FunctionFailurePolicy, for caller: FunctionCaller, meanwhile: () throws -> Void
    ) throws -> (answers: FunctionAnswers, back: FunctionAnswers?) {
        let limits = caller.limits
        let task = FunctionTask(
            function: function, rowCount: objects.keys.count, columns: objects.columns, policy: policy,
            secondsPerObject: limits.secondsPerObject, back: back)
        let scriptLimits = ScriptLimits(timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes)
        var order = Self.order(
            .call(task), of: caller.app, limits: scriptLimits,
            serving: ServedStore(MemorySegmentStore(), source: nil))
        order.isCancelled = caller.isCancelled
        let excess = order.end(with: .current)
        var log = FunctionLog(limit: limits.logBytes)
        order.reported = { report in
            switch try ScriptReport(report) {
            case .line(let line, let level):
                try log.count(line)
                try caller.logged(line, level)
            case .progress, .place, .created, .migrated, .refused, .checking, .enumerating:
                throw ColumnError.damaged(what: "a report of a function", offset: 0)
            case .exceeded(let row):
                guard objects.keys.indices.contains(row) else {
                    throw ColumnError.damaged(what: "the row of a function's object", offset: 0)
                }
                var error = MigrationError(
                    nil, "The function took longer than \(limits.secondsPerObject) seconds for one object.",
                    script: .timeLimit)
                error.objectsDone = row
                throw Self.naming(error, row: row, function, objects)
            }
        }
        var (answers, returned): (FunctionAnswers, FunctionAnswers?)
        do {
            (answers, returned) = try withoutActuallyEscaping(meanwhile) { meanwhile in
                order.meanwhile = meanwhile
                defer { order.meanwhile = {} }
                return try hosts.perform(order) { try Self.answers(of: $0, task) }.get()
            }
        } catch let failure as HostFailure {
            if let excess = excess() { throw excess }
            throw MigrationError(failure, limits: scriptLimits)
        }
        for index in answers.failures.indices {
            let failure = answers.failures[index]
            answers.failures[index].error = Self.naming(failure.error, row: failure.row, function, objects)
        }
        if policy == .stops, let first = answers.failures.first { throw first.error }
        return (answers, returned)
    }

    private static func answers(
        of answer: HostAnswer, _ task: FunctionTask
    ) throws -> Result<(FunctionAnswers, FunctionAnswers?), MigrationError> {
        try answer.result { try FunctionAnswersCoding.decode($0, to: task) }
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
