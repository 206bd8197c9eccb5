import RealmModel

/// The schema of a class's Parquet file, and the nodes that take its objects apart.
struct ParquetSchema {
    private(set) var elements: [ParquetSchemaElement]
    private(set) var nodes: [ParquetNode] = []
    /// The columns of the class's properties.
    let names: [String]
    private let relations: NamedRelations

    /// - Parameter relations: say what links refer to.
    init(_ relation: ClassRelation, _ relations: NamedRelations) {
        self.relations = relations
        let properties = relation.schema.persistedProperties
        let hasObjectKey = relation.key.property == nil
        elements = [
            ParquetSchemaElement(
                name: "schema", repetition: nil,
                content: .group(.plain, children: properties.count + (hasObjectKey ? 1 : 0)))
        ]
        var room = NameRoom(columnsOf: .columns)
        names = properties.map { room.take($0.publicName) }
        if hasObjectKey {
            let leaf = leaf([room.take("_key")], .int64, isOptional: false, definition: 0, repetition: 0)
            nodes.append(.leaf(leaf))
        }
        for (name, property) in zip(names, properties) {
            nodes.append(node(property, [name], definition: 0, repetition: 0))
        }
    }

    private mutating func leaf(
        _ path: [String], _ type: ParquetType, isOptional: Bool, definition: UInt8, repetition: UInt8
    ) -> ParquetLeaf {
        elements.append(
            ParquetSchemaElement(
                name: path.last ?? "", repetition: isOptional ? .optional : .required, content: .leaf(type)))
        return ParquetLeaf(path, type, definition: definition + (isOptional ? 1 : 0), repetition: repetition)
    }

    private mutating func node(
        _ property: Property, _ path: [String], definition: UInt8, repetition: UInt8
    ) -> ParquetNode {
        switch property.collection {
        case .none: return element(property, path, definition: definition, repetition: repetition)
        case .list, .set:
            group(path, .required, .list, children: 1)
            group(path + ["list"], .repeated, .plain, children: 1)
            let part = element(
                property, path + ["list", "element"], definition: definition + 1, repetition: repetition + 1)
            return .list(part, repetition: repetition + 1, definition: definition + 1)
        case .dictionary:
            group(path, .required, .map, children: 1)
            group(path + ["key_value"], .repeated, .plain, children: 2)
            let key = leaf(
                path + ["key_value", "key"], .text, isOptional: false, definition: definition + 1,
                repetition: repetition + 1)
            let part = element(
                property, path + ["key_value", "value"], definition: definition + 1, repetition: repetition + 1)
            return .map(key: key, value: part, repetition: repetition + 1, definition: definition + 1)
        }
    }

    /// A single value, or an element of a collection.
    private mutating func element(
        _ property: Property, _ path: [String], definition: UInt8, repetition: UInt8
    ) -> ParquetNode {
        if let target = relations.embeddedClass(of: property) {
            let members = target.persistedProperties
            guard !members.isEmpty else {
                // Parquet has no group without a part: that an object is there is all there is to say.
                return .leaf(leaf(path, .bool, isOptional: true, definition: definition, repetition: repetition))
            }
            group(path, .optional, .plain, children: members.count)
            var names = NameRoom(columnsOf: .columns)
            var parts: [ParquetNode] = []
            for member in members {
                parts.append(
                    node(
                        member, path + [names.take(member.publicName)], definition: definition + 1,
                        repetition: repetition))
            }
            return .structure(parts, definition: definition + 1)
        }
        let key = property.objectType.flatMap { relations[$0]?.key }
        let type = property.type == .object ? key.map { ParquetType($0.type) } ?? .int64 : ParquetType(property.type)
        // A date may be one that nanoseconds do not reach, and is null then.
        let isOptional = property.isOptional || [.object, .mixed, .date].contains(property.type)
        return .leaf(
            leaf(path, type, isOptional: isOptional, definition: definition, repetition: repetition))
    }

    private mutating func group(
        _ path: [String], _ repetition: ParquetSchemaElement.Repetition, _ group: ParquetSchemaElement.Group,
        children: Int
    ) {
        elements.append(
            ParquetSchemaElement(
                name: path.last ?? "", repetition: repetition, content: .group(group, children: children)))
    }
}
