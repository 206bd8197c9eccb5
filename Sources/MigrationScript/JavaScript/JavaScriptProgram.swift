import CJavaScriptCore
import Sandbox

/// A program that is run in one world after the other of a machine.
///
/// Text would be copied and hashed for every world before the machine finds what it has compiled of it.
final class JavaScriptProgram {
    private let reference: JSScriptRef

    /// - Parameter name: what the program is called in stacks of calls.
    /// - Throws: `HostChannel.Closed` where the text is no program.
    init(_ source: String, name: String, in group: JSContextGroupRef) throws {
        let reference = JavaScriptString(source).withReference { source in
            JavaScriptString(name).withReference { JSScriptCreateFromString(group, $0, 1, source, nil, nil) }
        }
        guard let reference else { throw HostChannel.Closed() }
        self.reference = reference
    }

    deinit {
        JSScriptRelease(reference)
    }

    /// Runs the program in a world's global scope.
    func run(in context: JavaScriptContext) throws -> JSValueRef {
        var exception: JSValueRef?
        let value = withExtendedLifetime(self) { JSScriptEvaluate(context.reference, reference, nil, &exception) }
        return try context.checked(value, exception)
    }
}
