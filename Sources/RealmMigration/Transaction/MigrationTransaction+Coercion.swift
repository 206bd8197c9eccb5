import RealmModel

extension MigrationTransaction {
    /// The value that a script's input is for a property; nested objects are created on the way.
    func coerce(_ input: ScriptInput, to property: Property, of className: String) throws -> Value {
        switch property.collection {
        case .none: return try coerceElement(input, to: property, of: className)
        case .list: return .list(try elements(of: input, property, className))
        case .set: return .list(ValueOrder.sortedUnique(try elements(of: input, property, className)))
        case .dictionary: return .dictionary(try entries(of: input, property, className))
        }
    }

    /// The value of one element of a collection, or of a property that is none.
    func coerceElement(_ input: ScriptInput, to property: Property, of className: String) throws -> Value {
        switch input {
        case .null, .undefined:
            let allowsNull = property.isOptional || property.type == .mixed || property.type == .object
            guard allowsNull, !(property.type == .object && [.list, .set].contains(property.collection)) else {
                throw MigrationError.notNullable(className, property.name)
            }
            return .null
        default: break
        }
        if property.type == .mixed { return try mixed(input, for: property, of: className) }
        if property.type == .object, let target = property.objectType {
            return try link(input, to: target, property, className)
        }
        guard let value = input.scalar(as: property.type) else {
            throw MigrationError.wrongType(
                className, property.name, expected: property.type.expectation, found: input.kind)
        }
        return try fitting(value, in: property, of: className)
    }

    /// A value that is not longer than Realm's.
    private func fitting(_ value: Value, in property: Property, of className: String) throws -> Value {
        switch value {
        case .string(let text) where text.utf8.count > RealmLimits.stringBytes:
            throw MigrationError.tooBig(className, property.name, "String")
        case .data(let bytes) where bytes.count > RealmLimits.dataBytes:
            throw MigrationError.tooBig(className, property.name, "Binary")
        default: return value
        }
    }

    /// A key that Realm's dictionaries may have.
    func dictionaryKey(_ key: String, in property: Property, of className: String) throws -> String {
        if key.utf8.first == UInt8(ascii: "$") {
            throw MigrationError.dictionaryKey(className, property.name, "start with '$'")
        }
        if key.utf8.contains(UInt8(ascii: ".")) {
            throw MigrationError.dictionaryKey(className, property.name, "contain '.'")
        }
        return key
    }

    private func elements(of input: ScriptInput, _ property: Property, _ className: String) throws -> [Value] {
        switch input {
        case .null, .undefined: return []
        case .array(let inputs): return try inputs.map { try coerceElement($0, to: property, of: className) }
        default:
            throw MigrationError.wrongType(className, property.name, expected: "an array", found: input.kind)
        }
    }

    private func entries(
        of input: ScriptInput, _ property: Property, _ className: String
    ) throws -> [DictionaryEntry] {
        switch input {
        case .null, .undefined: return []
        case .members(let members):
            return DictionaryEntry.sorted(
                try members.map {
                    let value = try coerceElement($0.value, to: property, of: className)
                    return DictionaryEntry(try dictionaryKey($0.name, in: property, of: className), value)
                })
        default:
            throw MigrationError.wrongType(className, property.name, expected: "an object", found: input.kind)
        }
    }

    private func mixed(_ input: ScriptInput, for property: Property, of className: String) throws -> Value {
        switch input {
        case .null, .undefined: return .null
        case .bool(let flag): return .bool(flag)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .string(let text): return try fitting(.string(text), in: property, of: className)
        case .data(let bytes): return try fitting(.data(bytes), in: property, of: className)
        case .date(let date): return .date(date)
        case .decimal128(let number): return .decimal128(number)
        case .objectId(let id): return .objectId(id)
        case .uuid(let id): return .uuid(id)
        case .object(let object):
            let target = try counterpart(of: object)
            let targetName = self.className(of: target)
            try refuseMixedLink(to: targetName)
            return .typedLink(className: targetName, target.key)
        case .array(let inputs): return .list(try inputs.map { try mixed($0, for: property, of: className) })
        case .members(let members):
            return .dictionary(
                DictionaryEntry.sorted(
                    try members.map {
                        let value = try mixed($0.value, for: property, of: className)
                        return DictionaryEntry(try dictionaryKey($0.name, in: property, of: className), value)
                    }))
        }
    }

    private func refuseMixedLink(to className: String) throws {
        switch new[className]?.kind {
        case .embedded: throw MigrationError.mixedLink(className, kind: "embedded")
        case .asymmetric: throw MigrationError.mixedLink(className, kind: "ephemeral")
        case .topLevel, nil: break
        }
    }

    private func link(
        _ input: ScriptInput, to target: String, _ property: Property, _ className: String
    ) throws -> Value {
        guard let stored = new[target] else { throw MigrationError.unknownClass(target) }
        switch input {
        case .members, .array: return .link(try createLinked(in: target, input))
        case .object(let object):
            let found = self.className(of: object)
            guard found == target else {
                throw MigrationError.wrongType(
                    className, property.name, expected: "an instance of \(target)", found: "an instance of \(found)")
            }
            // An embedded object has one parent: what is assigned is a copy, as the SDKs make it.
            if stored.kind == .embedded { return .link(try createLinked(in: target, try members(of: object))) }
            return .link(try counterpart(of: object).key)
        default:
            throw MigrationError.wrongType(
                className, property.name, expected: "an instance of \(target)", found: input.kind)
        }
    }

    /// The object of the new realm that an object of either side is.
    private func counterpart(of object: ObjectReference) throws -> ObjectReference {
        let name = className(of: object)
        guard let index = index(of: name, side: .new) else { throw MigrationError.unknownClass(name) }
        let found = ObjectReference(side: .new, classIndex: index, key: object.key)
        guard try isValid(found) else { throw MigrationError.invalidatedObject(name) }
        return found
    }

    /// An object's properties as input for another object.
    func members(of object: ObjectReference) throws -> ScriptInput {
        let bindings = bindings(of: object.classIndex, side: object.side)
        return .members(
            try bindings.indices.filter { !bindings[$0].property.isComputed }.map {
                let property = bindings[$0].property
                return (property.publicName, input(from: try value($0, of: object), of: property, side: object.side))
            })
    }

    /// A value as a script would give it; the class of a link is that of the property.
    func input(from value: Value, of property: Property, side: MigrationSide) -> ScriptInput {
        func reference(_ className: String?, _ key: ObjectKey) -> ScriptInput {
            guard let className, let index = index(of: className, side: side) else { return .null }
            return .object(ObjectReference(side: side, classIndex: index, key: key))
        }
        switch value {
        case .null: return .null
        case .int(let number): return .int(number)
        case .bool(let flag): return .bool(flag)
        case .float(let number): return .double(Double(number))
        case .double(let number): return .double(number)
        case .string(let text): return .string(text)
        case .data(let bytes): return .data(bytes)
        case .date(let date): return .date(date)
        case .decimal128(let number): return .decimal128(number)
        case .objectId(let id): return .objectId(id)
        case .uuid(let id): return .uuid(id)
        case .link(let key): return reference(property.objectType, key)
        case .typedLink(let className, let key): return reference(className, key)
        case .list(let elements): return .array(elements.map { input(from: $0, of: property, side: side) })
        case .dictionary(let entries):
            return .members(entries.map { ($0.key, input(from: $0.value, of: property, side: side)) })
        }
    }
}

extension ScriptInput {
    /// The value as a scalar of a type; nil where it is none.
    func scalar(as type: PropertyType) -> Value? {
        switch (self, type) {
        case (.int(let number), .int): .int(number)
        // JavaScript's −0; every other whole number is an int already.
        case (.double(0), .int): .int(0)
        case (.bool(let flag), .bool): .bool(flag)
        case (.int(let number), .float): .float(Float(number))
        case (.double(let number), .float): .float(Float(number))
        case (.int(let number), .double): .double(Double(number))
        case (.double(let number), .double): .double(number)
        case (.string(let text), .string): .string(text)
        case (.data(let bytes), .data): .data(bytes)
        case (.date(let date), .date): .date(date)
        case (.decimal128(let number), .decimal128): .decimal128(number)
        case (.int(let number), .decimal128): Decimal128(String(number)).map { .decimal128($0) }
        case (.string(let text), .decimal128): Decimal128(text).map { .decimal128($0) }
        case (.objectId(let id), .objectId): .objectId(id)
        case (.string(let text), .objectId): ObjectId(text).map { .objectId($0) }
        case (.uuid(let id), .uuid): .uuid(id)
        case (.string(let text), .uuid): UUID(text).map { .uuid($0) }
        default: nil
        }
    }

    /// What the input is, with its article, for messages.
    var kind: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double: "a number"
        case .string: "a string"
        case .data: "an instance of ArrayBuffer"
        case .date: "an instance of Date"
        case .decimal128: "an instance of Decimal128"
        case .objectId: "an instance of ObjectId"
        case .uuid: "an instance of UUID"
        case .object: "an instance of Object"
        case .array: "an array"
        case .members: "an object"
        }
    }
}

extension PropertyType {
    /// What a script has to give for the type, with its article, for messages.
    var expectation: String {
        switch self {
        case .int: "a number or bigint"
        case .bool: "a boolean"
        case .float, .double: "a number"
        case .string: "a string"
        case .data: "an instance of ArrayBuffer"
        case .date: "an instance of Date"
        case .decimal128: "an instance of Decimal128"
        case .objectId: "an instance of ObjectId"
        case .uuid: "an instance of UUID"
        case .mixed: "a value"
        case .object, .linkingObjects: "an object"
        }
    }
}

extension DictionaryEntry {
    /// Entries in bytewise order of their keys; of several with one key the last.
    static func sorted(_ entries: [DictionaryEntry]) -> [DictionaryEntry] {
        let ordered = entries.enumerated().sorted { left, right in
            let (leftKey, rightKey) = (left.element.key.utf8, right.element.key.utf8)
            // By bytes: Swift's strings are equal where only their normalization differs, Realm's are not.
            if leftKey.elementsEqual(rightKey) { return left.offset < right.offset }
            return leftKey.lexicographicallyPrecedes(rightKey)
        }
        return ordered.indices.filter { index in
            index == ordered.count - 1
                || !ordered[index].element.key.utf8.elementsEqual(ordered[index + 1].element.key.utf8)
        }.map { ordered[$0].element }
    }
}
