import CJavaScriptCore
import RealmMigration
import RealmModel

/// Makes values of a realm into what the prelude expects.
struct ScriptValueMaker {
    let context: JavaScriptContext
    let side: MigrationSide
    /// The side's schema; links name their class by its index there.
    let schema: Schema

    /// - Parameter objectType: the class that links lead to, where the property has one.
    func make(_ value: Value, objectType: String?) throws -> JSValueRef {
        switch value {
        case .null: context.null
        case .int(let number): try context.make(number)
        case .bool(let flag): context.make(flag)
        case .float(let number): context.make(Double(number))
        case .double(let number): context.make(number)
        case .string(let text): context.make(text)
        case .data(let bytes):
            try tagged(.data, try context.makeTypedArray(bytes, as: kJSTypedArrayTypeUint8Array))
        case .date(let date):
            try tagged(.date, try context.make(date.seconds), context.make(Int(date.nanoseconds)))
        case .decimal128(let number): try tagged(.decimal128, context.make(number.description))
        case .objectId(let id): try tagged(.objectId, context.make(id.description))
        case .uuid(let id): try tagged(.uuid, context.make(id.description))
        case .link(let key): try makeObject(className: objectType, key)
        case .typedLink(let className, let key): try makeObject(className: className, key)
        case .list(let elements): try make(elements, objectType: objectType)
        case .dictionary(let entries): try make(entries, objectType: objectType)
        }
    }

    func makeObject(_ object: ObjectReference) throws -> JSValueRef {
        try tagged(
            .object, context.make(object.side == .old ? ScriptValueTag.oldSide : ScriptValueTag.newSide),
            context.make(object.classIndex), try context.make(object.key.value))
    }

    func make(_ elements: [Value], objectType: String?) throws -> JSValueRef {
        let array = try tagged(.array)
        for (index, element) in elements.enumerated() {
            try context.set(index + 1, of: array, to: try make(element, objectType: objectType))
        }
        return array
    }

    func make(objects: [ObjectReference]) throws -> JSValueRef {
        let array = try tagged(.array)
        for (index, object) in objects.enumerated() {
            try context.set(index + 1, of: array, to: try makeObject(object))
        }
        return array
    }

    private func make(_ entries: [DictionaryEntry], objectType: String?) throws -> JSValueRef {
        let array = try tagged(.members)
        for (index, entry) in entries.enumerated() {
            try context.set(2 * index + 1, of: array, to: context.make(entry.key))
            try context.set(2 * index + 2, of: array, to: try make(entry.value, objectType: objectType))
        }
        return array
    }

    private func makeObject(className: String?, _ key: ObjectKey) throws -> JSValueRef {
        guard let index = schema.classes.firstIndex(where: { $0.name == className }) else { return context.null }
        return try makeObject(ObjectReference(side: side, classIndex: index, key: key))
    }

    private func tagged(_ tag: ScriptValueTag) throws -> JSObjectRef {
        let array = try context.makeArray()
        try context.set(0, of: array, to: context.make(tag.rawValue))
        return array
    }

    // The parts are parameters, not an array: they must stay on the stack until the array holds them.
    private func tagged(
        _ tag: ScriptValueTag, _ first: JSValueRef, _ second: JSValueRef? = nil, _ third: JSValueRef? = nil
    ) throws -> JSValueRef {
        let array = try tagged(tag)
        try context.set(1, of: array, to: first)
        if let second { try context.set(2, of: array, to: second) }
        if let third { try context.set(3, of: array, to: third) }
        return array
    }
}
