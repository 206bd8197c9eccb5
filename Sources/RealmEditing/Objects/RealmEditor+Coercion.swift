import RealmModel

extension RealmEditor {
    /// The value that an input is for a property; nested objects are created on the way.
    package func coerce(_ input: ObjectInput, to property: Property, of className: String) throws -> Value {
        if case .value(let value) = input { return try fitting(value, in: property, of: className) }
        switch property.collection {
        case .none: return try coerceElement(input, to: property, of: className)
        case .list: return .list(try elements(of: input, property, className))
        case .set: return .list(try setElements(try elements(of: input, property, className), property, className))
        case .dictionary: return .dictionary(try entries(of: input, property, className))
        }
    }

    /// The value of one element of a collection, or of a property that is none.
    func coerceElement(_ input: ObjectInput, to property: Property, of className: String) throws -> Value {
        switch input {
        case .null, .undefined:
            let allowsNull = property.isOptional || property.type == .mixed || property.type == .object
            guard allowsNull, !(property.type == .object && [.list, .set].contains(property.collection)) else {
                throw EditingError.notNullable(className, property.name)
            }
            return .null
        default: break
        }
        if property.type == .mixed { return try mixed(input, for: property, of: className) }
        if property.type == .object, let target = property.objectType {
            return try link(input, to: target, property, className)
        }
        guard let value = input.scalar(as: property.type) else {
            throw EditingError.wrongType(
                className, property.name, expected: property.type.expectation,
                found: input.kind(insteadOf: property.type))
        }
        return try fitting(value, in: property, of: className)
    }

    /// A value that is not longer than Realm's.
    private func fitting(_ value: Value, in property: Property, of className: String) throws -> Value {
        switch value {
        case .string(let text) where text.utf8.count > RealmLimits.stringBytes:
            throw EditingError.tooBig(className, property.name, "String")
        case .data(let bytes) where bytes.count > RealmLimits.dataBytes:
            throw EditingError.tooBig(className, property.name, "Binary")
        default: return value
        }
    }

    /// The elements of a set in Realm's order; those that are the same are one.
    func setElements(_ elements: [Value], _ property: Property, _ className: String) throws -> [Value] {
        for element in elements {
            switch element {
            case .list: throw EditingError.withinSet(className, property.name, "Lists")
            case .dictionary: throw EditingError.withinSet(className, property.name, "Dictionaries")
            default: break
            }
        }
        return ValueOrder.sortedUnique(elements)
    }

    /// A key that Realm's dictionaries may have.
    func dictionaryKey(_ key: String, in property: Property, of className: String) throws -> String {
        if key.utf8.first == UInt8(ascii: "$") {
            throw EditingError.dictionaryKey(className, property.name, "start with '$'")
        }
        if key.utf8.contains(UInt8(ascii: ".")) {
            throw EditingError.dictionaryKey(className, property.name, "contain '.'")
        }
        return key
    }

    private func elements(of input: ObjectInput, _ property: Property, _ className: String) throws -> [Value] {
        switch input {
        case .null, .undefined: return []
        case .array(let inputs): return try coerceElements(inputs, to: property, of: className)
        default:
            throw EditingError.wrongType(className, property.name, expected: "an array", found: input.kind)
        }
    }

    /// The values of elements of a collection, all or none: embedded objects that were made for some go again where another fails.
    func coerceElements(_ inputs: [ObjectInput], to property: Property, of className: String) throws -> [Value] {
        var values: [Value] = []
        do {
            for input in inputs { values.append(try coerceElement(input, to: property, of: className)) }
        } catch {
            try deleteEmbedded(values, of: property)
            throw error
        }
        return values
    }

    private func deleteEmbedded(_ values: [Value], of property: Property) throws {
        guard let target = property.objectType.flatMap({ realm[$0] }), target.kind == .embedded else { return }
        for key in values.flatMap(\.linkedKeys) { try delete(key.value, from: target) }
    }

    private func entries(
        of input: ObjectInput, _ property: Property, _ className: String
    ) throws -> [DictionaryEntry] {
        switch input {
        case .null, .undefined: return []
        case .members(let members):
            var entries: [DictionaryEntry] = []
            do {
                for member in members {
                    let key = try dictionaryKey(member.name, in: property, of: className)
                    entries.append(DictionaryEntry(key, try coerceElement(member.value, to: property, of: className)))
                }
            } catch {
                try deleteEmbedded(entries.map(\.value), of: property)
                throw error
            }
            return DictionaryEntry.sorted(entries)
        default:
            throw EditingError.wrongType(className, property.name, expected: "an object", found: input.kind)
        }
    }

    private func mixed(_ input: ObjectInput, for property: Property, of className: String) throws -> Value {
        switch input {
        case .null, .undefined: return .null
        case .value(let value): return try fitting(value, in: property, of: className)
        case .bool(let flag): return .bool(flag)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .float(let number): return .float(number)
        case .string(let text): return try fitting(.string(text), in: property, of: className)
        case .data(let bytes): return try fitting(.data(bytes), in: property, of: className)
        case .date(let date): return .date(date)
        case .decimal128(let number): return .decimal128(number)
        case .objectId(let id): return .objectId(id)
        case .uuid(let id): return .uuid(id)
        case .object(let object):
            let target = try counterpart(of: object)
            let targetName = view.className(of: target)
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
        switch realm[className]?.kind {
        case .embedded: throw EditingError.mixedLink(className, kind: "embedded")
        case .asymmetric: throw EditingError.mixedLink(className, kind: "ephemeral")
        case .topLevel, nil: break
        }
    }

    private func link(
        _ input: ObjectInput, to target: String, _ property: Property, _ className: String
    ) throws -> Value {
        guard let stored = realm[target] else { throw EditingError.unknownClass(target) }
        switch input {
        case .value(let value): return value
        case .members, .array: return .link(try createLinked(in: target, input))
        case .object(let object):
            let found = try view(of: object).className(of: object)
            guard found == target else {
                throw EditingError.wrongType(
                    className, property.name, expected: "an instance of \(target)", found: "an instance of \(found)")
            }
            // An embedded object has one parent: what is assigned is a copy, as the SDKs make it.
            if stored.kind == .embedded { return .link(try createLinked(in: target, try members(of: object))) }
            return .link(try counterpart(of: object).key)
        default:
            throw EditingError.wrongType(
                className, property.name, expected: "an instance of \(target)", found: input.kind)
        }
    }

    /// The object of the edited realm that an object of either side is.
    private func counterpart(of object: ObjectReference) throws -> ObjectReference {
        let name = try view(of: object).className(of: object)
        guard let index = view.index(of: name) else { throw EditingError.unknownClass(name) }
        let found = ObjectReference(side: .new, classIndex: index, key: object.key)
        guard try view.isValid(found) else { throw EditingError.invalidatedObject(name) }
        return found
    }

    /// An object's properties as input for another object.
    func members(of object: ObjectReference) throws -> ObjectInput {
        let view = try view(of: object)
        let bindings = view.bindings(of: object.classIndex)
        return .members(
            try bindings.indices.filter { !bindings[$0].property.isComputed }.map {
                let property = bindings[$0].property
                return (property.publicName, view.input(from: try view.value($0, of: object), of: property))
            })
    }
}

extension RealmView {
    /// A value as it would be given; the class of a link is that of the property.
    func input(from value: Value, of property: Property) -> ObjectInput {
        func reference(_ className: String?, _ key: ObjectKey) -> ObjectInput {
            guard let className, let index = index(of: className) else { return .null }
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
        case .list(let elements): return .array(elements.map { input(from: $0, of: property) })
        case .dictionary(let entries):
            return .members(entries.map { ($0.key, input(from: $0.value, of: property)) })
        }
    }
}

extension DictionaryEntry {
    /// Entries in bytewise order of their keys; of several with one key the last.
    package static func sorted(_ entries: [DictionaryEntry]) -> [DictionaryEntry] {
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
