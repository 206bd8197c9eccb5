import RealmModel
import Sandbox
import SwiftWire
import Threads

extension HostRole {
    /// Reads Swift files.
    public static let swift = HostRole(SwiftTask.roleName) { _, _ in SwiftWork() }
}

/// Reads Swift files inside a locked host.
struct SwiftWork: HostWork {
    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer {
        let task = try SwiftTask(task)
        let answer = Monitor<Result<HostAnswer, any Error>?>(nil)
        PlainThread.start(stackBytes: SourceDepth.stackBytes) {
            let result = Result { try Self.answer(task) }
            answer.change { $0 = result }
        }
        return try answer.wait { $0 }.get()
    }

    private static func answer(_ task: SwiftTask) throws -> HostAnswer {
        do {
            switch task.purpose {
            case .schema:
                let (schema, version) = try SwiftReading.schema(of: task.program)
                return .done(SwiftAnswerCoding.encode(schema, version: version))
            case .lower: return .done(SwiftAnswerCoding.encode(try SwiftReading.script(of: task.program)))
            }
        } catch let refusal as SwiftRefusal {
            return .refused(SwiftAnswerCoding.encode(refusal))
        }
    }

    func reset() {}
}

/// Reads Swift files; without a process of its own.
package enum SwiftReading {
    /// The schema that a program's classes declare, and the version that its configuration names.
    ///
    /// - Throws: `SwiftRefusal`.
    package static func schema(of program: SwiftProgram) throws -> (schema: Schema, version: UInt64?) {
        let declarations = try declarations(of: program)
        let schema = try ModelSchema.schema(of: declarations)
        let block = try? MigrationBlockSearch.block(of: program, in: declarations)
        return (schema, block?.schemaVersion)
    }

    /// The migration block of a program as JavaScript.
    ///
    /// - Throws: `SwiftRefusal`.
    package static func script(of program: SwiftProgram) throws -> LoweredScript {
        let (declarations, block) = try block(of: program)
        do {
            return try Lowering(declarations, program).lower(block)
        } catch let refusal as Refusal {
            guard let node = refusal.node else { throw refusal }
            throw SwiftRefusal([declarations.file(of: node).diagnostic(refusal.message, at: node)])
        }
    }

    /// The migration block of a program: where its files have none as they stand, a file that is no more than one.
    private static func block(of program: SwiftProgram) throws -> (Declarations, MigrationBlock) {
        let refusal: any Error
        do {
            let declarations = try declarations(of: program)
            do { return (declarations, try MigrationBlockSearch.block(of: program, in: declarations)) } catch {
                guard let told = error as? Refusal, let node = told.node else { throw error }
                refusal = SwiftRefusal([declarations.file(of: node).diagnostic(told.message, at: node)])
            }
        } catch { refusal = error }
        guard program.block == nil, program.sources.contains(where: { Fragment($0.text) != nil }) else { throw refusal }
        let declarations = try declarations(of: program, takesFragments: true)
        return (declarations, try MigrationBlockSearch.block(of: program, in: declarations))
    }

    private static func declarations(of program: SwiftProgram, takesFragments: Bool = false) throws -> Declarations {
        guard !program.sources.isEmpty else {
            throw SwiftRefusal([SwiftDiagnostic(file: "", line: 1, column: 1, message: "There is no Swift file.")])
        }
        let named = program.stubs + program.parameters.keys + [program.block].compactMap { $0 }
        let kept = Set(named.compactMap { $0.split(separator: ".").first.map { String($0) } })
        let files = try SourceFile.all(program.sources, takesFragments: takesFragments, keeping: kept)
        let set = program.parameters.filter { $0.value == .bool(true) }.map(\.key)
        let declarations = Declarations(files, conditions: Set(set))
        try declarations.refuseCycles()
        return declarations
    }
}
