import CJavaScriptCore
import Sandbox

/// An object that Swift holds for a world, and lets go of when that is over.
protocol Disconnectable: AnyObject {
    func disconnect()
}

/// A function that scripts call and Swift does.
final class NativeFunction: Disconnectable {
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
    @discardableResult
    static func define(
        _ name: String, on object: JSObjectRef, in context: JavaScriptContext,
        raise: @escaping (any Error) -> JSValueRef?, body: @escaping Body
    ) throws -> JSObjectRef {
        let function = NativeFunction(context: context, raise: raise, body: body)
        // Given back by `finalize`, whenever the collector comes to that; `disconnect` lets go of the rest before.
        let data = Unmanaged.passRetained(function).toOpaque()
        guard let made = JSObjectMake(context.reference, functionClass, data) else { throw HostChannel.Closed() }
        context.own(function)
        try context.set(name, of: object, to: made)
        return made
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

/// Functions of an object each of which is made, and added to it, when it is first asked for: a small migration asks for few of many.
final class LazyFunctions: Disconnectable {
    /// Makes the function of a name; nil where there is none, and once the world of the object is over.
    private var make: ((String) throws -> JSObjectRef?)?
    private var isMaking = false

    /// Gives an object functions, and nothing else to inherit.
    ///
    /// - Parameters:
    ///   - raise: makes what a script catches of an error that a function throws.
    ///   - body: what the function of a name does; nil where there is none.
    static func define(
        on object: JSObjectRef, in context: JavaScriptContext, raise: @escaping (any Error) -> JSValueRef?,
        body: @escaping (String) -> NativeFunction.Body?
    ) throws {
        let functions = LazyFunctions { [unowned context] name in
            try body(name).map { try NativeFunction.define(name, on: object, in: context, raise: raise, body: $0) }
        }
        // As with functions.
        let data = Unmanaged.passRetained(functions).toOpaque()
        guard let prototype = JSObjectMake(context.reference, prototypeClass, data) else { throw HostChannel.Closed() }
        context.own(functions)
        context.inheritNothing(prototype)
        JSObjectSetPrototype(context.reference, object, prototype)
    }

    private init(_ make: @escaping (String) throws -> JSObjectRef?) {
        self.make = make
    }

    func disconnect() {
        make = nil
    }

    nonisolated(unsafe) private static let prototypeClass: JSClassRef? = {
        var definition = kJSClassDefinitionEmpty
        definition.getProperty = { _, prototype, name, exception in
            guard let data = JSObjectGetPrivate(prototype), let name else { return nil }
            return Unmanaged<LazyFunctions>.fromOpaque(data).takeUnretainedValue()
                .function(JavaScriptString(owning: JSStringRetain(name)), exception)
        }
        definition.finalize = { prototype in
            guard let data = JSObjectGetPrivate(prototype) else { return }
            Unmanaged<LazyFunctions>.fromOpaque(data).release()
        }
        return JSClassCreate(&definition)
    }()

    private func function(
        _ name: JavaScriptString, _ exception: UnsafeMutablePointer<JSValueRef?>?
    ) -> JSValueRef? {
        // To add it is to look here first for whether it is there.
        guard let make, !isMaking else { return nil }
        isMaking = true
        defer { isMaking = false }
        do {
            return try make(name.text)
        } catch {
            exception?.pointee = (error as? JavaScriptContext.Exception)?.value.reference
            return nil
        }
    }
}
