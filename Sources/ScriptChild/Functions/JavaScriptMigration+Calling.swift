import CJavaScriptCore
import Columns
import RealmEditing
import RealmMigration
import RealmModel
import ScriptWire

/// A function of one object, called in the world that is there for a script.
extension JavaScriptMigration {
    /// Calls the task's function for each row.
    ///
    /// - Throws: `MigrationError`: the text is no function, the first failure where the policy is to stop.
    func call(_ task: FunctionTask, watchedBy watch: FunctionWatch) throws -> FunctionAnswers {
        do {
            let (body, shift) = try function(task.function.script.source)
            let outcome = try outcome(of: body, task, watch)
            let failures = try context.element(0, of: outcome)
            // A description begins with a text, an outcome with an array.
            guard context.type(of: failures) == kJSTypeObject else { throw try failure(description: outcome) }
            var answers = try answers(of: outcome, failures: failures, task)
            for index in answers.failures.indices { answers.failures[index].error.shiftFirstLine(by: shift) }
            return answers
        } catch let exception as JavaScriptContext.Exception {
            throw try failure(exception.value.reference)
        }
    }

    /// The function that a text is: as a program where it is one, which leaves lines and columns what they are, else as an
    /// expression.
    ///
    /// - Returns: the function, and how many columns its first line stands further right than it was written.
    func function(_ source: String) throws -> (JSValueRef, shift: Int) {
        try prepare(for: source)
        if (try? context.checkSyntax(source, name: Self.scriptName)) != nil {
            try refuseWaiting(in: source)
            let value = try context.evaluate(source, name: Self.scriptName)
            if isFunction(value) { return (value, 0) }
        }
        // The line's end ends a comment.
        let expression = "(\(source)\n)"
        do {
            try context.checkSyntax(expression, name: Self.scriptName)
        } catch let exception as JavaScriptContext.Exception {
            let error = try failure(exception.value.reference, script: .syntax)
            guard var error = error as? MigrationError else { throw error }
            error.shiftFirstLine(by: 1)
            throw error
        }
        try refuseWaiting(in: expression)
        let value = try context.evaluate(expression, name: Self.scriptName)
        guard isFunction(value) else {
            throw MigrationError(nil, "The script is no function of one object, as 'o => ({…})' is.", script: .syntax)
        }
        return (value, 1)
    }

    private func isFunction(_ value: JSValueRef) -> Bool {
        guard context.type(of: value) == kJSTypeObject else { return false }
        return JSObjectIsFunction(context.reference, JSValueToObject(context.reference, value, nil))
    }

    private func outcome(of body: JSValueRef, _ task: FunctionTask, _ watch: FunctionWatch) throws -> JSValueRef {
        let (function, outputs) = (task.function, task.function.outputs)
        let columns = FunctionColumns(context: context)
        let inputs = try context.makeArray()
        for (index, property) in function.inputs.enumerated() {
            let input = try context.makeArray()
            let kind = property.isCollection ? "collection" : property.type.rawValue
            try context.set(0, of: input, to: context.make(kind))
            try context.set(1, of: input, to: try columns.parts(of: task.columns[index], property))
            try context.set(index, of: inputs, to: input)
        }
        let expected = try context.makeArray()
        for (index, property) in outputs.properties.enumerated() {
            let output = try context.makeArray()
            let kind = property.isCollection ? "collection" : property.type.rawValue
            try context.set(0, of: output, to: context.make(property.publicName))
            try context.set(1, of: output, to: context.make(kind))
            try context.set(2, of: output, to: context.make(property.isOptional || property.type == .mixed))
            try context.set(index, of: expected, to: output)
        }
        let answer = try context.object(context.checked(JSObjectMake(context.reference, nil, nil), nil))
        try context.set("className", of: answer, to: context.make(outputs.className))
        if case .value = function.answer { try context.set("isValue", of: answer, to: context.make(true)) }
        let maker = try context.evaluate(FunctionProgram.maker(of: function.inputs), name: "realmshift")
        let taker = try context.evaluate(FunctionProgram.taker(of: outputs.properties), name: "realmshift")
        return try context.call(
            try context.member("callEach", of: prelude.reference), body, maker, taker, inputs, expected, answer,
            context.make(task.rowCount), context.make(task.policy == .stops),
            try watch.makeTypedArray(in: context))
    }

    private func answers(
        of outcome: JSValueRef, failures: JSValueRef, _ task: FunctionTask
    ) throws -> FunctionAnswers {
        let outputs = task.function.outputs
        var errors: [Int: MigrationError] = [:]
        for index in 0..<max(try context.length(of: failures), 0) {
            let item = try context.element(index, of: failures)
            let description = try context.element(1, of: item)
            guard let error = try failure(description: description) as? MigrationError else { continue }
            errors[try context.int(try context.element(0, of: item))] = error
        }
        var columns: [FunctionAnswers.Column] = []
        let packed = try context.element(1, of: outcome)
        for (index, property) in outputs.properties.enumerated() {
            let (column, misfits) = try FunctionColumns(context: context).column(
                of: try context.element(index, of: packed), property, in: outputs.className, rowCount: task.rowCount)
            columns.append(column)
            for misfit in misfits where errors[misfit.row] == nil {
                var error = MigrationError(misfit.error.code, misfit.error.message, script: .exception)
                error.details = misfit.error.details
                errors[misfit.row] = error
            }
        }
        let rows = errors.keys.sorted()
        if task.policy == .stops, let row = rows.first, let error = errors[row] {
            return FunctionAnswers(columns: columns, failures: [.init(row: row, error: error)])
        }
        for row in rows {
            for index in columns.indices {
                var given = columns[index].given ?? Bitmap(repeating: true, count: task.rowCount)
                given[row] = false
                columns[index].given = given
            }
        }
        return FunctionAnswers(
            columns: columns,
            failures: rows.compactMap { row in
                errors[row].map { FunctionAnswers.Failure(row: row, error: $0) }
            })
    }
}

extension MigrationError {
    /// Tells of places in the first line where they are in the text as it was written.
    fileprivate mutating func shiftFirstLine(by shift: Int) {
        for index in details.indices where details[index].line == 1 {
            details[index].column = details[index].column.map { max($0 - shift, 1) }
        }
    }
}
