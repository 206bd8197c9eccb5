import RealmModel

extension RealmEditor {
    // MARK: Creating

    /// Creates an object; members that are missing get the schema's default, null, or nothing in a collection.
    ///
    /// - Parameters:
    ///   - className: a class of the schema that is not embedded.
    ///   - input: members by public name, an array with a value for every persisted property in declared order, or
    ///     an object whose properties are copied by name.
    /// - Throws: `EditingError` with Realm's text; then no object was made.
    package func create(in className: String, _ input: ObjectInput) throws -> ObjectReference {
        guard let index = view.index(of: className), let stored = realm[className] else {
            throw EditingError.unknownClass(className)
        }
        guard stored.kind != .embedded else { throw EditingError.explicitEmbedded(className) }
        return ObjectReference(side: .new, classIndex: index, key: try createLinked(in: className, input))
    }

    /// Creates an object of any class, embedded ones included, and answers its key.
    func createLinked(in className: String, _ input: ObjectInput) throws -> ObjectKey {
        guard let index = view.index(of: className), let stored = realm[className] else {
            throw EditingError.unknownClass(className)
        }
        let bindings = view.bindings(of: index)
        let inputs = try inputs(from: input, for: bindings, className)
        // Plain values first, so that a wrong one leaves no object behind; then the object, then what it links to:
        // the order in which Realm gives keys away.
        var plain: [NameKey: Value] = [:]
        for (binding, input) in zip(bindings, inputs) where !binding.property.isLink && binding.property.type != .mixed
        {
            plain[NameKey(binding.property.name)] = try input.map {
                let (value, initial) = (
                    try coerce($0, to: binding.property, of: className), binding.property.initialValue
                )
                return value.mayBeKept(in: binding.property) && initial.isKept(over: value) ? initial : value
            }
        }
        let values = stored.columns.map { plain[NameKey($0.property.name)] ?? $0.property.initialValue }
        let primaryKey = view.schema.classes[index].primaryKeyProperty.map {
            plain[NameKey($0.name)] ?? $0.initialValue
        }
        if let primaryKey { try settle(primaryKey, of: stored, index) }
        let key = try stored.create(values)
        createdCount += 1
        view.noteLinks()
        if let primaryKey { view.primaryKeys[stored]?.note(primaryKey, of: key.value) }
        do {
            try link(key, of: stored, to: zip(bindings, inputs))
        } catch {
            try delete(key.value, from: stored)
            throw error
        }
        return key
    }

    /// Does what is to be done where an object has the primary key already that one is to be created with.
    private func settle(_ value: Value, of stored: WorkingClass, _ index: Int) throws {
        guard takenPrimaryKeys != .stand, let name = stored.primaryKey,
            view.schema.classes[index].primaryKey?.hasSameBytes(as: name) == true,
            let column = stored.column(named: name), try view.firstKey(of: value, in: index, stored, column) != nil
        else { return }
        guard takenPrimaryKeys == .loseTheirProperty else {
            throw EditingError.objectAlreadyExists(stored.name, name, value)
        }
        stored.primaryKey = nil
        column.property.index = .none
    }

    /// Gives a new object its links and mixed values.
    private func link(
        _ key: ObjectKey, of stored: WorkingClass, to inputs: Zip2Sequence<[RealmView.Binding], [ObjectInput?]>
    ) throws {
        for (binding, input) in inputs where binding.property.isLink || binding.property.type == .mixed {
            guard let input, let column = binding.column, let position = try stored.position(of: key.value) else {
                continue
            }
            let value = try coerce(input, to: binding.property, of: stored.name)
            try stored.set(value, in: column, at: position)
        }
    }

    /// One input a property; nil for those that start as they are by themselves.
    private func inputs(
        from input: ObjectInput, for bindings: [RealmView.Binding], _ className: String
    ) throws -> [ObjectInput?] {
        let given: [ObjectInput?]
        switch input {
        case .object(let object): return try inputs(from: try members(of: object), for: bindings, className)
        case .members(let members): given = try match(members, to: bindings, className)
        case .array(let elements):
            let persisted = bindings.indices.filter { !bindings[$0].property.isComputed }
            guard elements.count == persisted.count else {
                throw EditingError.arrayCount(className, count: elements.count, expected: persisted.count)
            }
            var byIndex: [ObjectInput?] = bindings.map { _ in nil }
            for (index, element) in zip(persisted, elements) { byIndex[index] = element }
            given = byIndex
        case .undefined, .null: given = bindings.map { _ in nil }
        default:
            throw EditingError.wrongType(className, "", expected: "an object", found: input.kind)
        }
        return try zip(bindings, given).map { binding, input in
            let property = binding.property
            if let input {
                // Realm takes a null for a required property of a new object as no value at all.
                guard input.isNull, !property.isCollection, !property.initialValue.isNull else { return input }
                throw EditingError.missingValue(className, property.name)
            }
            if let value = property.defaultValue { return view.input(from: value, of: property) }
            guard !property.isComputed, !property.isCollection, !property.initialValue.isNull else { return nil }
            throw EditingError.missingValue(className, property.name)
        }
    }

    private func match(
        _ members: [(name: String, value: ObjectInput)], to bindings: [RealmView.Binding], _ className: String
    ) throws -> [ObjectInput?] {
        var given: [ObjectInput?] = bindings.map { _ in nil }
        for member in members {
            // Scripts use public names; what is copied by stored names fits as well.
            guard
                let index = bindings.firstIndex(where: { $0.property.publicName.hasSameBytes(as: member.name) })
                    ?? bindings.firstIndex(where: { $0.property.name.hasSameBytes(as: member.name) })
            else { continue }
            if case .undefined = member.value { continue }
            // A copy of an object has them too; Realm JS passes over them.
            if bindings[index].property.isComputed { continue }
            given[index] = member.value
        }
        return given
    }

    // MARK: Deleting

    /// Deletes an object, with the embedded objects that it owns.
    package func delete(_ object: ObjectReference) throws {
        let (stored, _) = try writable(object)
        try delete(object.key.value, from: stored)
    }

    func delete(_ key: Int64, from stored: WorkingClass) throws {
        try realm.delete(key, from: stored)
        view.noteLinks()
    }
}
