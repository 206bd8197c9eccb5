import RealmModel

extension RealmEditor {
    /// Appends to a list or adds to a set; answers the new count.
    ///
    /// - Throws: `EditingError` with Realm's text, as `set` does.
    package func append(_ input: ObjectInput, to property: Int, of object: ObjectReference) throws -> Int {
        try modify(property, of: object) { elements, declared, className in
            elements.append(try coerceElement(input, to: declared, of: className))
            if declared.collection == .set { elements = try setElements(elements, declared, className) }
            return elements.count
        }
    }

    /// Replaces `removeCount` elements of a list from `index` by others; answers the values removed.
    ///
    /// - Parameter index: clamped to the list, as `removeCount` is.
    package func splice(
        _ property: Int, of object: ObjectReference, at index: Int, removeCount: Int, inserting: [ObjectInput]
    ) throws -> [Value] {
        try modify(property, of: object) { elements, declared, className in
            let start = min(max(index, 0), elements.count)
            let end = start + min(max(removeCount, 0), elements.count - start)
            let removed = Array(elements[start..<end])
            elements.replaceSubrange(start..<end, with: try coerceElements(inserting, to: declared, of: className))
            return removed
        }
    }

    /// Puts another element in the place of one of a list; an equal one stays as it is, as in Realm.
    ///
    /// - Throws: `EditingError`, `outOfBounds` where the list has no such element.
    package func setElement(_ index: Int, of property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        try modify(property, of: object) { elements, declared, className in
            guard elements.indices.contains(index) else {
                throw EditingError(.outOfBounds, "There is no element \(index) in a list of \(elements.count).")
            }
            let element = try coerceElement(input, to: declared, of: className)
            if !elements[index].isKept(over: element) { elements[index] = element }
        }
    }

    /// Sets or adds a dictionary's entry.
    package func setEntry(_ key: String, of property: Int, of object: ObjectReference, to input: ObjectInput) throws {
        try modifyEntries(property, of: object) { entries, declared, className in
            let key = try dictionaryKey(key, in: declared, of: className)
            let value = try coerceElement(input, to: declared, of: className)
            if let index = entries.firstIndex(where: { $0.key.hasSameBytes(as: key) }) {
                if !entries[index].value.isKept(over: value) { entries[index].value = value }
            } else {
                entries = DictionaryEntry.sorted(entries + [DictionaryEntry(key, value)])
            }
        }
    }

    /// Removes a dictionary's entry or a set's element; answers whether it was there.
    package func remove(_ input: ObjectInput, from property: Int, of object: ObjectReference) throws -> Bool {
        guard try binding(property, of: object).property.collection == .dictionary else {
            return try modify(property, of: object) { elements, declared, className in
                let value = try coerceElement(input, to: declared, of: className)
                let count = elements.count
                elements.removeAll { declared.collection == .set ? ValueOrder.isSame($0, value) : $0 == value }
                return elements.count < count
            }
        }
        guard case .string(let key) = input else { return false }
        return try modifyEntries(property, of: object) { entries, _, _ in
            let count = entries.count
            entries.removeAll { $0.key.hasSameBytes(as: key) }
            return entries.count < count
        }
    }

    private func binding(_ property: Int, of object: ObjectReference) throws -> RealmView.Binding {
        try view(of: object).bindings(of: object.classIndex)[property]
    }

    /// Changes a list or a set in place.
    private func modify<Result>(
        _ property: Int, of object: ObjectReference, _ body: (inout [Value], Property, String) throws -> Result
    ) throws -> Result {
        let (stored, position) = try writable(object)
        let binding = try binding(property, of: object)
        guard let column = binding.column, case .list(var elements) = try view.value(property, of: object) else {
            throw EditingError.wrongType(
                stored.name, binding.property.name, expected: "a list or a set", found: "another property")
        }
        let result = try body(&elements, binding.property, stored.name)
        try write(.list(elements), to: column, of: stored, at: position)
        return result
    }

    /// Changes a dictionary in place.
    private func modifyEntries<Result>(
        _ property: Int, of object: ObjectReference,
        _ body: (inout [DictionaryEntry], Property, String) throws -> Result
    ) throws -> Result {
        let (stored, position) = try writable(object)
        let binding = try binding(property, of: object)
        guard let column = binding.column, case .dictionary(var entries) = try view.value(property, of: object) else {
            throw EditingError.wrongType(
                stored.name, binding.property.name, expected: "a dictionary", found: "another property")
        }
        let result = try body(&entries, binding.property, stored.name)
        try write(.dictionary(entries), to: column, of: stored, at: position)
        return result
    }
}
