import CJavaScriptCore
import Sandbox

/// A function that scripts call and Swift does.
final class NativeFunction {
    /// The arguments of one call; those that are missing read as undefined.
    struct Arguments {
        let context: JavaScriptContext
        fileprivate let values: UnsafeBufferPointer<JSValueRef?>

        subscript(index: Int) -> JSValueRef {
            guard index < values.count, let value = values[index] else { return context.undefined }
            return value
        }

        func int(_ index: Int) throws -> Int { try context.int(self[index]) }
        func string(_ index: Int) throws -> String { try context.string(self[index]) }
    }

    typealias Body = (Arguments) throws -> JSValueRef

    /// Nil once the world of the function is over.
    private var target: (context: JavaScriptContext, body: Body, raise: (any Error) -> JSValueRef?)?

    /// Adds a function to an object.
    ///
    /// - Parameter raise: makes what a script catches of an error that `body` throws.
    static func define(
        _ name: String, on object: JSObjectRef, in context: JavaScriptContext,
        raise: @escaping (any Error) -> JSValueRef?, body: @escaping Body
    ) throws {
        let function = NativeFunction(context: context, raise: raise, body: body)
        // Given back by `finalize`, whenever the collector comes to that; `disconnect` lets go of the rest before.
        let data = Unmanaged.passRetained(function).toOpaque()
        guard let made = JSObjectMake(context.reference, functionClass, data) else { throw HostChannel.Closed() }
        context.own(function)
        try context.set(name, of: object, to: made)
    }

    private init(context: JavaScriptContext, raise: @escaping (any Error) -> JSValueRef?, body: @escaping Body) {
        target = (context, body, raise)
    }

    /// Lets go of the context and of all that the function holds; a call of it does nothing from now on.
    func disconnect() {
        target = nil
    }

    nonisolated(unsafe) private static let functionClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.callAsFunction = { _, function, _, count, arguments, exception in
            guard let data = JSObjectGetPrivate(function) else { return nil }
            return Unmanaged<NativeFunction>.fromOpaque(data).takeUnretainedValue()
                .call(UnsafeBufferPointer(start: arguments, count: count), exception)
        }
        definition.finalize = { function in
            guard let data = JSObjectGetPrivate(function) else { return }
            Unmanaged<NativeFunction>.fromOpaque(data).release()
        }
        return JSClassCreate(&definition)
    }()

    private func call(
        _ arguments: UnsafeBufferPointer<JSValueRef?>, _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        guard let (context, body, raise) = target else { return nil }
        do {
            return try body(Arguments(context: context, values: arguments))
        } catch let thrown as JavaScriptContext.Exception {
            exception?.pointee = thrown.value.reference
        } catch {
            exception?.pointee = raise(error) ?? context.undefined
        }
        return nil
    }
}
