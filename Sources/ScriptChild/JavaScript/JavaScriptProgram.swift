import CJavaScriptCore
import Sandbox

/// A program that is run in one world after the other of a machine.
///
/// Text would be copied and hashed for every world before the machine finds what it has compiled of it. But the machine compiles
/// functions further by how often they ran in all worlds together, which does a world no good where they run once: some worlds
/// share what was read of the text, then it is read anew.
final class JavaScriptProgram {
    /// Worlds that share what was read of the text.
    private static let sharedRuns = 400

    private let source: String
    private let name: String
    private let group: JSContextGroupRef
    private var reference: JSScriptRef
    private var runCount = 0

    /// - Parameter name: what the program is called in stacks of calls.
    /// - Throws: `HostChannel.Closed` where the text is no program.
    init(_ source: String, name: String, in group: JSContextGroupRef) throws {
        (self.source, self.name, self.group) = (source, name, group)
        reference = try Self.read(source, name: name, in: group)
    }

    deinit {
        JSScriptRelease(reference)
    }

    private static func read(_ source: String, name: String, in group: JSContextGroupRef) throws -> JSScriptRef {
        let reference = JavaScriptString(source).withReference { source in
            JavaScriptString(name).withReference { JSScriptCreateFromString(group, $0, 1, source, nil, nil) }
        }
        guard let reference else { throw HostChannel.Closed() }
        return reference
    }

    /// Runs the program in a world's global scope.
    func run(in context: JavaScriptContext) throws -> JSValueRef {
        if runCount > 0, runCount.isMultiple(of: Self.sharedRuns) {
            // By its text the machine knows a program that it has read.
            let anew = try Self.read(source + "\n// \(runCount)", name: name, in: group)
            JSScriptRelease(reference)
            reference = anew
        }
        runCount += 1
        var exception: JSValueRef?
        let value = withExtendedLifetime(self) { JSScriptEvaluate(context.reference, reference, nil, &exception) }
        return try context.checked(value, exception)
    }
}
