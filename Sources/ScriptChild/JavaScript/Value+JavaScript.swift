import CJavaScriptCore
import RealmEditing
import RealmMigration
import RealmModel

/// Makes values of a realm into what the prelude expects.
struct ScriptValueMaker {
    let context: JavaScriptContext
    let side: RealmSide
    /// The side's schema; links name their class by its index there.
    let schema: Schema

    /// - Parameter property: the one that has the value, alone or in a collection.
    func make(_ value: Value, of property: Property) throws -> JSValueRef {
        try make(
            value, objectType: property.objectType, tellingTypes: context.tellsNumberTypes && property.type == .mixed)
    }

    func make(_ elements: [Value], of property: Property) throws -> JSValueRef {
        try make(.list(elements), of: property)
    }

    /// - Parameters:
    ///   - objectType: the class that links lead to, where the property has one.
    ///   - tellsTypes: whether numbers say their types.
    private func make(_ value: Value, objectType: String?, tellingTypes tellsTypes: Bool) throws -> JSValueRef {
        switch value {
        case .null: context.null
        case .int(let number): try context.make(number)
        case .bool(let flag): context.make(flag)
        case .float(let number) where tellsTypes: try tagged(.float, context.make(Double(number)))
        case .double(let number) where tellsTypes && number.isWhole: try tagged(.double, context.make(number))
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
        case .list(let elements):
            try tagged(.array, count: elements.count) {
                try make(elements[$0], objectType: objectType, tellingTypes: tellsTypes)
            }
        case .dictionary(let entries): try make(entries, objectType: objectType, tellingTypes: tellsTypes)
        }
    }

    func makeObject(_ object: ObjectReference) throws -> JSValueRef {
        try tagged(
            .object, context.make(object.side == .old ? ScriptValueTag.oldSide : ScriptValueTag.newSide),
            context.make(object.classIndex), try context.make(object.key.value))
    }

    func make(objects: [ObjectReference]) throws -> JSValueRef {
        try tagged(.array, count: objects.count) { try makeObject(objects[$0]) }
    }

    private func make(
        _ entries: [DictionaryEntry], objectType: String?, tellingTypes tellsTypes: Bool
    ) throws -> JSValueRef {
        try tagged(.members, count: entries.count * 2) { index in
            let entry = entries[index / 2]
            return index.isMultiple(of: 2)
                ? context.make(entry.key)
                : try make(entry.value, objectType: objectType, tellingTypes: tellsTypes)
        }
    }

    private func makeObject(className: String?, _ key: ObjectKey) throws -> JSValueRef {
        guard let index = schema.classes.firstIndex(where: { className.hasSameBytes(as: $0.name) }) else {
            return context.null
        }
        return try makeObject(ObjectReference(side: side, classIndex: index, key: key))
    }

    private func tagged(_ tag: ScriptValueTag, _ parts: JSValueRef...) throws -> JSValueRef {
        // The parts pass through the heap, where the collector does not look: at most one of them is a cell of its
        // heap, and none is made before that one stands on the stack again.
        try tagged(tag, count: parts.count) { parts[$0] }
    }

    /// How many parts an array is made with at once: so many that they lie on the stack, where the collector looks.
    private static let stackParts = 32

    private func tagged(
        _ tag: ScriptValueTag, count: Int, part: (Int) throws -> JSValueRef
    ) throws -> JSValueRef {
        let first = min(count, Self.stackParts - 1)
        let array = try withUnsafeTemporaryAllocation(of: JSValueRef?.self, capacity: Self.stackParts) { parts in
            parts.initialize(repeating: nil)
            parts[0] = context.make(tag.rawValue)
            for index in 0..<first { parts[index + 1] = try part(index) }
            var exception: JSValueRef?
            let array = JSObjectMakeArray(context.reference, first + 1, parts.baseAddress, &exception)
            return try context.checked(array, exception)
        }
        if count > first { context.inheritNothing(array) }
        for index in first..<max(count, first) { try context.set(index + 1, of: array, to: try part(index)) }
        return array
    }
}

extension Double {
    /// Whether a number of JavaScript that is this one may be taken for an Int.
    var isWhole: Bool { self == rounded() }
}
