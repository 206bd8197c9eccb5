import RealmModel

extension MigrationTransaction {
    // MARK: Creating

    /// Creates an object; members that are missing get the schema's default, null, or nothing in a collection.
    ///
    /// - Parameters:
    ///   - className: a class of the target schema that is not embedded.
    ///   - input: members by public name, an array with a value for every persisted property in declared order, or
    ///     an object whose properties are copied by name.
    /// - Throws: `MigrationError` with Realm's text; then no object was made.
    public func create(in className: String, _ input: ScriptInput) throws -> ObjectReference {
        guard let index = index(of: className, side: .new), let stored = new[className] else {
            throw MigrationError.unknownClass(className)
        }
        guard stored.kind != .embedded else { throw MigrationError.explicitEmbedded(className) }
        return ObjectReference(side: .new, classIndex: index, key: try createLinked(in: className, input))
    }

    /// Creates an object of any class, embedded ones included, and answers its key.
    func createLinked(in className: String, _ input: ScriptInput) throws -> ObjectKey {
        guard let index = index(of: className, side: .new), let stored = new[className] else {
            throw MigrationError.unknownClass(className)
        }
        let bindings = bindings(of: index, side: .new)
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
        let primaryKey = newSchema.classes[index].primaryKeyProperty.map { plain[NameKey($0.name)] ?? $0.initialValue }
        if losesDuplicatedPrimaryKeys, let primaryKey { try losePrimaryKey(of: stored, index, ifTaken: primaryKey) }
        let key = try stored.create(values)
        linkRevision += 1
        if let primaryKey { primaryKeyIndexes[ClassOnSide(side: .new, index: index)]?.add(primaryKey, key: key.value) }
        do {
            try link(key, of: stored, to: zip(bindings, inputs))
        } catch {
            try delete(key.value, from: stored)
            throw error
        }
        return key
    }

    /// Takes the primary key from a class where an object has the one that is to be created.
    private func losePrimaryKey(of stored: WorkingClass, _ index: Int, ifTaken value: Value) throws {
        guard let name = stored.primaryKey, newSchema.classes[index].primaryKey?.hasSameBytes(as: name) == true,
            let column = stored.column(named: name),
            try key(in: index, side: .new, of: value, in: column, stored) != nil
        else { return }
        stored.primaryKey = nil
        column.property.index = .none
    }

    /// Gives a new object its links and mixed values.
    private func link(
        _ key: ObjectKey, of stored: WorkingClass, to inputs: Zip2Sequence<[Binding], [ScriptInput?]>
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
        from input: ScriptInput, for bindings: [Binding], _ className: String
    ) throws -> [ScriptInput?] {
        let given: [ScriptInput?]
        switch input {
        case .object(let object): return try inputs(from: try members(of: object), for: bindings, className)
        case .members(let members): given = try match(members, to: bindings, className)
        case .array(let elements):
            let persisted = bindings.indices.filter { !bindings[$0].property.isComputed }
            guard elements.count == persisted.count else {
                throw MigrationError.arrayCount(className, count: elements.count, expected: persisted.count)
            }
            var byIndex: [ScriptInput?] = bindings.map { _ in nil }
            for (index, element) in zip(persisted, elements) { byIndex[index] = element }
            given = byIndex
        case .undefined, .null: given = bindings.map { _ in nil }
        default:
            throw MigrationError.wrongType(className, "", expected: "an object", found: input.kind)
        }
        return try zip(bindings, given).map { binding, input in
            let property = binding.property
            if let input {
                // Realm takes a null for a required property of a new object as no value at all.
                guard input.isNull, !property.isCollection, !property.initialValue.isNull else { return input }
                throw MigrationError.missingValue(className, property.name)
            }
            if let value = property.defaultValue { return self.input(from: value, of: property, side: .new) }
            guard !property.isComputed, !property.isCollection, !property.initialValue.isNull else { return nil }
            throw MigrationError.missingValue(className, property.name)
        }
    }

    private func match(
        _ members: [(name: String, value: ScriptInput)], to bindings: [Binding], _ className: String
    ) throws -> [ScriptInput?] {
        var given: [ScriptInput?] = bindings.map { _ in nil }
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

    /// Deletes a new object, with the embedded objects that it owns.
    public func delete(_ object: ObjectReference) throws {
        let (stored, _) = try writable(object)
        try delete(object.key.value, from: stored)
    }

    func delete(_ key: Int64, from stored: WorkingClass) throws {
        try new.delete(key, from: stored)
        linkRevision += 1
    }

    /// Deletes all objects of a class, and the class itself where the target schema has it not.
    ///
    /// - Returns: whether there was such a class.
    /// - Throws: `MigrationError` where a class that is to go is still linked to.
    public func deleteData(of className: String) throws -> Bool {
        guard let stored = new[className] else { return false }
        defer { unbind() }
        if newSchema[className] == nil {
            try refuseIfLinked(className)
            new.removeClass(named: className)
            return true
        }
        try new.deleteAll(of: stored)
        return true
    }

    /// Removes a class with its objects, as Realm JS's `deleteModel`; one of the target schema comes back empty.
    ///
    /// - Throws: `MigrationError` where another class still links to it.
    public func deleteModel(_ className: String) throws {
        guard new[className] != nil else { return }
        if newSchema[className] != nil {
            _ = try deleteData(of: className)
        } else {
            try refuseIfLinked(className)
            new.removeClass(named: className)
            unbind()
        }
    }

    private func refuseIfLinked(_ className: String) throws {
        let isLinked = new.classes.contains { other in
            !other.name.hasSameBytes(as: className)
                && other.columns.contains { $0.property.objectType?.hasSameBytes(as: className) == true }
        }
        guard try !isLinked && !hasMixedLink(to: className) else { throw MigrationError.linkedFromOutside(className) }
    }

    /// Whether a mixed value of another class linked to the class when the migration began.
    ///
    /// Realm remembers that, even where the value is gone. A script gives no links to a class that is to go.
    private func hasMixedLink(to className: String) throws -> Bool {
        for origin in old.classes where !origin.name.hasSameBytes(as: className) {
            for column in origin.columns where column.property.type == .mixed {
                if try origin.contains(in: column, where: { $0.links(to: className) }) { return true }
            }
        }
        return false
    }
}
