import CJavaScriptCore

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

    private let context: JavaScriptContext
    private let body: Body
    private let raise: (any Error) -> JSValueRef?

    /// Adds a function to an object.
    ///
    /// - Parameter raise: makes what a script catches of an error that `body` throws.
    static func define(
        _ name: String, on object: JSObjectRef, in context: JavaScriptContext,
        raise: @escaping (any Error) -> JSValueRef?, body: @escaping Body
    ) throws {
        let function = NativeFunction(context: context, raise: raise, body: body)
        // The machine lives as long as the process, so its functions need not be freed.
        let data = Unmanaged.passRetained(function).toOpaque()
        guard let made = JSObjectMake(context.reference, functionClass, data) else { throw HostChannel.Closed() }
        try context.set(name, of: object, to: made)
    }

    private init(context: JavaScriptContext, raise: @escaping (any Error) -> JSValueRef?, body: @escaping Body) {
        self.context = context
        self.raise = raise
        self.body = body
    }

    nonisolated(unsafe) private static let functionClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.callAsFunction = { _, function, _, count, arguments, exception in
            guard let data = JSObjectGetPrivate(function) else { return nil }
            return Unmanaged<NativeFunction>.fromOpaque(data).takeUnretainedValue()
                .call(UnsafeBufferPointer(start: arguments, count: count), exception)
        }
        return JSClassCreate(&definition)
    }()

    private func call(
        _ arguments: UnsafeBufferPointer<JSValueRef?>, _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
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
