import CJavaScriptCore
import Glibc
import Sandbox

/// A global object of a virtual machine of JavaScriptCore: one script's world.
///
/// Values of the engine are kept in local variables only: its collector sees the stack, not Swift's heap. Values that have
/// to live longer are protected (`ProtectedValue`).
final class JavaScriptContext {
    /// An exception of a script, or a refusal of JavaScriptCore.
    struct Exception: Error {
        let value: ProtectedValue
    }

    let reference: JSGlobalContextRef

    /// Whether numbers in mixed values say their types where JavaScript's own would not, as Swift's do.
    var tellsNumberTypes = false

    /// The text of an exception, for faults of the prelude itself.
    func describe(_ exception: Exception) -> String {
        let text = try? string(exception.value.reference)
        let line = try? string(member("line", of: exception.value.reference))
        return "\(text ?? "unreadable") (line \(line ?? "unknown"))"
    }

    /// The functions of Swift that the world's objects call.
    private var functions: [any Disconnectable] = []

    /// Makes a new world, which has nothing of any other.
    init(in machine: JavaScriptMachine) throws {
        guard let context = JSGlobalContextCreateInGroup(machine.reference, nil) else { throw HostChannel.Closed() }
        reference = context
    }

    deinit {
        JSGlobalContextRelease(reference)
    }

    /// Keeps a function until the world ends.
    func own(_ function: any Disconnectable) {
        functions.append(function)
    }

    /// Lets go of all that Swift's functions hold, this context among it: no script runs here any more.
    func disconnect() {
        for function in functions { function.disconnect() }
        functions = []
    }

    /// From now on text becomes code only by `evaluate`.
    func forbidEval() {
        JavaScriptString("Code from strings is not permitted in migration scripts.").withReference {
            JSGlobalContextSetEvalEnabled(reference, false, $0)
        }
    }

    /// Runs a program in the global scope.
    func evaluate(_ source: String, name: String) throws -> JSValueRef {
        var exception: JSValueRef?
        let value = JavaScriptString(source).withReference { source in
            JavaScriptString(name).withReference { name in
                JSEvaluateScript(reference, source, nil, name, 1, &exception)
            }
        }
        return try checked(value, exception)
    }

    /// Checks that a text is a program, without running it.
    func checkSyntax(_ source: String, name: String) throws {
        var exception: JSValueRef?
        let isProgram = JavaScriptString(source).withReference { source in
            JavaScriptString(name).withReference { name in
                JSCheckScriptSyntax(reference, source, name, 1, &exception)
            }
        }
        if !isProgram { throw self.exception(exception) }
    }

    /// Calls a function without `this`.
    func call(_ function: JSValueRef, _ arguments: JSValueRef...) throws -> JSValueRef {
        // Variadic arguments lie in an array on the heap, where the collector does not look.
        for argument in arguments { JSValueProtect(reference, argument) }
        defer { for argument in arguments { JSValueUnprotect(reference, argument) } }
        var exception: JSValueRef?
        let object = JSValueToObject(reference, function, nil)
        let optional: [JSValueRef?] = arguments
        let value = JSObjectCallAsFunction(reference, object, nil, optional.count, optional, &exception)
        return try checked(value, exception)
    }

    func checked(_ value: JSValueRef?, _ exception: JSValueRef?) throws -> JSValueRef {
        guard let value, exception == nil else { throw self.exception(exception) }
        return value
    }

    private func exception(_ value: JSValueRef?) -> Exception {
        Exception(value: ProtectedValue(value ?? undefined, in: self))
    }

    // MARK: Making values

    var undefined: JSValueRef { JSValueMakeUndefined(reference) }
    var null: JSValueRef { JSValueMakeNull(reference) }

    func make(_ flag: Bool) -> JSValueRef { JSValueMakeBoolean(reference, flag) }
    func make(_ number: Double) -> JSValueRef { JSValueMakeNumber(reference, number) }
    func make(_ number: Int) -> JSValueRef { JSValueMakeNumber(reference, Double(number)) }

    func make(_ text: String) -> JSValueRef {
        make(JavaScriptString(text))
    }

    func make(_ text: JavaScriptString) -> JSValueRef {
        text.withReference { JSValueMakeString(reference, $0) }
    }

    /// The value of a text of JSON.
    func make(json text: JavaScriptString) throws -> JSValueRef {
        let value = text.withReference { JSValueMakeFromJSONString(reference, $0) }
        return try checked(value, nil)
    }

    /// A number where it is exact, else a BigInt.
    func make(_ integer: Int64) throws -> JSValueRef {
        if integer.magnitude <= Self.safeIntegers { return JSValueMakeNumber(reference, Double(integer)) }
        var exception: JSValueRef?
        return try checked(JSBigIntCreateWithInt64(reference, integer, &exception), exception)
    }

    /// A number where it is exact, else a BigInt; −1 for 2^64 − 1, which is Realm's version of a realm without one.
    func make(schemaVersion version: UInt64) throws -> JSValueRef {
        if version == .max || version <= Int64.max { return try make(Int64(bitPattern: version)) }
        var exception: JSValueRef?
        return try checked(JSBigIntCreateWithUInt64(reference, version, &exception), exception)
    }

    /// The greatest magnitude of integers that a script meets as numbers, 2^53 − 1.
    static let safeIntegers: UInt64 = (1 << 53) - 1

    /// An array for the prelude, which inherits nothing: what a script does to all arrays does not show in it.
    func makeArray() throws -> JSObjectRef {
        var exception: JSValueRef?
        let array = try checked(JSObjectMakeArray(reference, 0, nil, &exception), exception)
        inheritNothing(array)
        return array
    }

    /// Takes the prototype from an object.
    func inheritNothing(_ object: JSObjectRef) {
        JSObjectSetPrototype(reference, object, null)
    }

    func set(_ index: Int, of array: JSObjectRef, to value: JSValueRef) throws {
        var exception: JSValueRef?
        JSObjectSetPropertyAtIndex(reference, array, UInt32(truncatingIfNeeded: index), value, &exception)
        if exception != nil { throw self.exception(exception) }
    }

    func set(_ name: String, of object: JSObjectRef, to value: JSValueRef) throws {
        var exception: JSValueRef?
        JavaScriptString(name).withReference {
            JSObjectSetProperty(
                reference, object, $0, value, JSPropertyAttributes(kJSPropertyAttributeNone), &exception)
        }
        if exception != nil { throw self.exception(exception) }
    }

    // MARK: Reading values

    func type(of value: JSValueRef) -> JSType { JSValueGetType(reference, value) }

    func element(_ index: Int, of array: JSValueRef) throws -> JSValueRef {
        var exception: JSValueRef?
        let object = try object(array)
        let value = JSObjectGetPropertyAtIndex(reference, object, UInt32(truncatingIfNeeded: index), &exception)
        return try checked(value, exception)
    }

    func member(_ name: String, of value: JSValueRef) throws -> JSValueRef {
        let object = try object(value)
        var exception: JSValueRef?
        let member = JavaScriptString(name).withReference { JSObjectGetProperty(reference, object, $0, &exception) }
        return try checked(member, exception)
    }

    func object(_ value: JSValueRef) throws -> JSObjectRef {
        var exception: JSValueRef?
        return try checked(JSValueToObject(reference, value, &exception), exception)
    }

    func number(_ value: JSValueRef) throws -> Double {
        var exception: JSValueRef?
        let number = JSValueToNumber(reference, value, &exception)
        if exception != nil { throw self.exception(exception) }
        return number
    }

    /// A count or an index; whatever is none becomes −1.
    func int(_ value: JSValueRef) throws -> Int {
        Int(exactly: try number(value)) ?? -1
    }

    /// An integer of a number or a BigInt; nil where it is neither or has more than 64 bits.
    func int64(_ value: JSValueRef) throws -> Int64? {
        guard JSValueIsBigInt(reference, value) else { return Int64(exactly: try number(value)) }
        var exception: JSValueRef?
        let integer = JSValueToInt64(reference, value, &exception)
        if exception != nil { throw self.exception(exception) }
        let relation = JSValueCompareInt64(reference, value, integer, nil)
        return relation == kJSRelationConditionEqual ? integer : nil
    }

    func string(_ value: JSValueRef) throws -> String {
        try copyString(value).text
    }

    func copyString(_ value: JSValueRef) throws -> JavaScriptString {
        var exception: JSValueRef?
        guard let reference = JSValueToStringCopy(reference, value, &exception), exception == nil else {
            throw self.exception(exception)
        }
        return JavaScriptString(owning: reference)
    }
}

/// A value that the collector keeps as long as this exists.
final class ProtectedValue: @unchecked Sendable {
    // Sendable because JavaScriptCore takes the lock of its virtual machine itself, in `deinit` too.
    let reference: JSValueRef
    private let context: JavaScriptContext

    init(_ reference: JSValueRef, in context: JavaScriptContext) {
        self.reference = reference
        self.context = context
        JSValueProtect(context.reference, reference)
    }

    deinit {
        JSValueUnprotect(context.reference, reference)
    }
}
