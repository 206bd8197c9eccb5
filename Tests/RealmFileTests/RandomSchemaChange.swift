import Columns
import RealmModel
import TestRandomness

/// A change of a snapshot that leaves all values alone: columns go, come, move, become optional, and have other names and indexes.
///
/// Of two snapshots with the same schema the same seed makes the same change, wherever their values are.
struct RandomSchemaChange {
    private static let added = [
        Property("int", .int), Property("text", .string), Property("nothing", .string, isOptional: true),
        Property("mark", .int, index: .general), Property("list", .string, collection: .list),
        Property("any", .mixed, isOptional: true), Property("date", .date, isOptional: true),
        Property("map", .int, collection: .dictionary), Property("bytes", .data),
        Property("id", .uuid, isOptional: true),
    ]
    private static let indexed: [PropertyType] = [.int, .bool, .string, .date, .objectId, .uuid]

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func callAsFunction(_ snapshot: Snapshot) -> Snapshot {
        var changed = snapshot
        changed.schemaVersion = chance(8) ? nil : UInt64(Int.random(in: 0..<100, using: &generator))
        let names = snapshot.classes.map(\.schema.name)
        changed.classes = snapshot.classes.map { change($0, names) }
        if chance(3) {
            changed.classes.append(
                StoredClass(
                    empty: ObjectSchema(
                        "Added class", primaryKey: "id",
                        properties: [Property("id", .string)] + Self.added.filter { $0.name != "id" })))
        }
        changed.declared = Schema(changed.classes.map(\.schema))
        return changed
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    private mutating func change(_ stored: StoredClass, _ names: [String]) -> StoredClass {
        var columns = Array(zip(stored.schema.properties, stored.columns))
        var primaryKey = stored.schema.primaryKey
        for index in columns.indices.reversed() {
            let isPrimaryKey = columns[index].0.name == primaryKey
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                columns.remove(at: index)
                if isPrimaryKey { primaryKey = nil }
            case 1:
                columns[index].0.name = "renamed \(index)"
                if isPrimaryKey { primaryKey = columns[index].0.name }
            case 2 where columns[index].0.type != .object:
                columns[index].0.isOptional = true
            case 3
            where !isPrimaryKey && !columns[index].0.isCollection && Self.indexed.contains(columns[index].0.type):
                columns[index].0.index = columns[index].0.index == .general ? .none : .general
            default: break
            }
        }
        var added = Self.added.filter { _ in chance(4) }
        if chance(3), let target = names.randomElement(using: &generator) {
            added.append(Property("link", .object, objectType: target, isOptional: true))
            added.append(Property("links", .object, collection: .list, objectType: target))
        }
        for property in added where !columns.contains(where: { $0.0.name == property.name }) {
            columns.append((property, .constant(property.initialValue)))
        }
        if chance(2) { columns.shuffle(using: &generator) }
        var changed = stored
        changed.schema = ObjectSchema(
            stored.schema.name, kind: stored.schema.kind, primaryKey: primaryKey, properties: columns.map(\.0))
        changed.columns = columns.map(\.1)
        return changed
    }
}
