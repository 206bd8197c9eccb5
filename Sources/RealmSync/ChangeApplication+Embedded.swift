import Columns
import RealmEditing
import RealmModel

extension ChangeApplication {
    /// Whether a property has already the embedded objects that it is given: made again they would be told as changed.
    ///
    /// - Parameters:
    ///   - held: the property's value, or an element of it.
    ///   - given: likewise, with all that the schema shows of embedded objects.
    func holds(_ held: Value, _ given: ObjectInput, of property: Property) throws -> Bool {
        switch (held, given) {
        case (.null, .null): return true
        case (_, .value(let value)): return held == value && value.linkedKeys.isEmpty
        case (.list(let elements), .array(let inputs)):
            return try elements.count == inputs.count
                && zip(elements, inputs).allSatisfy { try holds($0, $1, of: property) }
        case (.dictionary(let entries), .members(let members)):
            return try entries.count == members.count
                && members.allSatisfy { name, value in
                    let entry = entries.first { $0.key.hasSameBytes(as: name) }
                    return try entry.map { try holds($0.value, value, of: property) } ?? false
                }
        case (.link(let key), .members(let members)):
            guard let index = property.objectType.flatMap({ editor.view.index(of: $0) }) else { return false }
            let object = ObjectReference(side: .new, classIndex: index, key: key)
            return try members.allSatisfy { try holds($0.value, at: $0.name, of: object) }
        default: return false
        }
    }

    private func holds(_ given: ObjectInput, at name: String, of object: ObjectReference) throws -> Bool {
        let shown = editor.view.schema.classes[object.classIndex]
        guard let place = shown.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return false }
        let (property, held) = (shown.properties[place], try editor.view.value(place, of: object))
        guard editor.view.schema[property.objectType ?? ""]?.isEmbedded != true else {
            return try holds(held, given, of: property)
        }
        guard case .value(let value) = given else { return false }
        return held == value
    }
}
