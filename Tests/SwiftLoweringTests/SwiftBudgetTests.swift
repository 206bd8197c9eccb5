import Columns
import SwiftParent
import SwiftWire
import Testing

/// Swift files are read for a request, and end with it.
struct SwiftBudgetTests {
    @Test(arguments: [WorkBudget.Excess.abandoned, .time(seconds: 2)])
    func `reading ends with the budget of the request`(excess: WorkBudget.Excess) throws {
        // A chain of superclasses takes seconds to follow.
        let chain = (0..<4_000).map { "class C\($0): C\($0 + 1) { @Persisted var a\($0): Int }" }
        let text = chain.joined(separator: "\n") + "\nclass C4000: Object {}"
        let program = SwiftProgram(sources: [SwiftSource(name: "Models.swift", text: text)])
        let reader = SwiftFrontEnd(executable: BuiltProgram.path + "-swift")
        WorkBudget.$current.withValue(WorkBudget { excess }) {
            #expect(throws: excess) { try reader.schema(of: program) }
        }
    }
}
