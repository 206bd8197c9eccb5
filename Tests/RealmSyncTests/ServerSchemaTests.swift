import Columns
import RealmModel
import RealmSync
import TestRandomness
import Testing

/// Laws of what the schema of a synced realm's server may become, on schemas that nobody wrote.
@Suite struct `The schema of a synced realm's server` {
    private static let types: [PropertyType] = [.int, .bool, .string, .double, .date, .uuid]

    /// Classes with a primary key and some properties, of names that come up again and again.
    private static func schema(_ random: inout SeededGenerator) -> Schema {
        Schema(
            ["A", "B", "C", "D"].filter { _ in random.below(3) > 0 }.map { name in
                let properties = ["p", "q", "r", "s"].filter { _ in random.below(2) == 0 }.map {
                    property(named: $0, &random)
                }
                return ObjectSchema(name, primaryKey: "_id", properties: [Property("_id", .int)] + properties)
            })
    }

    private static func property(named name: String, _ random: inout SeededGenerator) -> Property {
        Property(name, types[random.below(types.count)], isOptional: random.below(2) == 0)
    }

    /// A schema with more, in front of what there is and behind it.
    private static func grown(_ schema: Schema, _ random: inout SeededGenerator) -> Schema {
        var grown = schema
        for index in grown.classes.indices where random.below(2) == 0 {
            let more = property(named: "t\(random.below(3))", &random)
            guard grown.classes[index].property(named: more.name) == nil else { continue }
            grown.classes[index].properties.insert(more, at: random.below(2))
        }
        if random.below(2) == 0 {
            grown.classes.append(ObjectSchema("E", primaryKey: "_id", properties: [Property("_id", .int)]))
        }
        return grown
    }

    /// A schema with less.
    private static func shrunk(_ schema: Schema, _ random: inout SeededGenerator) -> Schema {
        var shrunk = schema
        shrunk.classes.removeAll { _ in random.below(4) == 0 }
        for index in shrunk.classes.indices {
            shrunk.classes[index].properties.removeAll { $0.name != "_id" && random.below(3) == 0 }
        }
        return shrunk
    }

    private static func snapshot(_ schema: Schema) -> Snapshot {
        Snapshot(schemaVersion: 1, declared: schema, classes: schema.classes.map { StoredClass(empty: $0) })
    }

    @Test(arguments: 0..<200) func `grows, and serves all versions that it served`(seed: Int) throws {
        var random = SeededGenerator(seed: 110, iteration: UInt64(seed))
        let server = Self.schema(&random)
        let version = Self.shrunk(server, &random)
        let target = Self.grown(server, &random)
        try ServerSchema(Self.snapshot(server)).requireAdditions(to: target)
        for schema in [server, target] {
            let view = try SchemaView(server: schema, version: 1, declared: version)
            for shown in version.classes {
                let names = shown.properties.map(\.name) + view.hidden(in: shown.name).map(\.property.name)
                #expect(names.sorted() == schema[shown.name]?.properties.map(\.name).sorted())
            }
        }
        // And never goes back.
        guard target != server else { return }
        #expect(throws: ServerSchemaError.self) { try ServerSchema(Self.snapshot(target)).requireAdditions(to: server) }
    }

    @Test(arguments: 0..<200)
    func `takes what a model has more, once, and then serves it; or refuses it as a whole`(seed: Int) throws {
        var random = SeededGenerator(seed: 111, iteration: UInt64(seed))
        let (server, model) = (Self.schema(&random), Self.schema(&random))
        let contradicts = model.classes.contains { wanted in
            wanted.properties.contains { property in
                guard let known = server[wanted.name]?.property(named: property.name) else { return false }
                return !known.hasSameType(as: property) || known.isOptional != property.isOptional
            }
        }
        guard !contradicts else {
            let error = #expect(throws: ServerSchemaError.self) {
                try ServerSchema(Self.snapshot(server)).grown(by: model)
            }
            guard case .breaking(let changes)? = error else { throw try #require(error) }
            #expect(changes.allSatisfy { $0.serverSide == .breaking && $0.client == .breaking })
            return
        }
        let grown = try ServerSchema(Self.snapshot(server)).grown(by: model)
        #expect(try ServerSchema(Self.snapshot(grown)).grown(by: model) == grown)
        for version in [server, model] {
            #expect(try SchemaView(server: grown, version: 1, declared: version).shown == version)
        }
        let known = Set((server.classes + model.classes).map(\.name))
        #expect(Set(grown.classes.map(\.name)) == known)
    }

    @Test func `says of a stored property that comes back as another that it breaks`() throws {
        var stored = Self.snapshot(
            Schema([
                ObjectSchema("A", primaryKey: "_id", properties: [Property("_id", .int), Property("p", .string)])
            ]))
        stored.declared.classes[0].properties.removeLast()
        var target = stored.declared
        target.classes[0].properties.append(Property("p", .int))
        let error = #expect(throws: ServerSchemaError.self) {
            try ServerSchema(stored).requireAdditions(to: target)
        }
        guard case .breaking(let changes)? = error else { throw try #require(error) }
        #expect(changes.map(\.kind) == [.changePropertyType])
        target.classes[0].properties[1] = Property("p", .string)
        try ServerSchema(stored).requireAdditions(to: target)
    }
}
