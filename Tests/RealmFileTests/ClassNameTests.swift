import Columns
import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmFile

/// Names of classes are any bytes: those that a type's shorthand has, too, and those that Unicode takes for one.
struct ClassNameTests {
    private static let types =
        PropertyType.allCases.map(\.rawValue) + CollectionKind.allCases.map(\.rawValue) + ["counter"]
    private static let marks = ["?", "[]", "{}", "<>", "?[]", "?{}", "?<>", "[", "<", "}"]
    /// Names that say something else where a type is expected.
    private static let shorthands: [String] =
        types + types.map { $0 + "?" } + types.map { $0 + "[]" } + marks + marks.map { "Dog" + $0 }
        + marks.map { $0 + "Dog" } + [
            "object?[]", "list<>", "$ref", "_key", "class", "metadata", "\u{301}accent", "K", "\u{212a}",
        ]

    @Test(arguments: shorthands + random)
    func `point 6, links to a class of any name can be read back`(_ name: String) throws {
        for holder in ["Holder", name] { try check(name, holder: holder) }
    }

    @Test(arguments: [("Caf\u{e9}", "Cafe\u{301}"), ("\u{212b}", "\u{c5}"), ("K", "\u{212a}")])
    func `point 7 01, names that differ in normalization alone are two`(_ names: (String, String)) throws {
        let store = MemorySegmentStore()
        var classes: [StoredClass] = []
        for (name, other) in [names, (names.1, names.0)] {
            let schema = ObjectSchema(
                name,
                properties: [
                    Property(name, .object, objectType: name, isOptional: true),
                    Property(other, .object, objectType: other, isOptional: true),
                    Property("any", .mixed, collection: .dictionary, isOptional: true),
                ])
            let writer = ClassWriter(schema: schema, store: store)
            // One has two objects, so that a link to the wrong class shows.
            for key: Int64 in 0..<(name.utf8.elementsEqual(names.0.utf8) ? 2 : 1) {
                try writer.columns[0].append(.link(ObjectKey(key)))
                try writer.columns[1].append(.link(ObjectKey(0)))
                let entries = [name, other].sorted { Ordering(bytes: $0.utf8, $1.utf8) == .ascending }
                try writer.columns[2].append(
                    .dictionary(entries.map { DictionaryEntry($0, .typedLink(className: $0, ObjectKey(0))) }))
                try writer.endRow(key: ObjectKey(key))
            }
            classes.append(try writer.finish(nextSequence: 2))
        }
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema(classes.map(\.schema)), classes: classes)
        try checkText(snapshot, store)
        let written = try WrittenRealm(snapshot, from: store)
        #expect(try written.differences() == [])
        #expect(try Self.text(written.snapshot, written.readStore) == Self.text(snapshot, store))
    }

    /// Realm's own form, where nothing else than the class can be meant.
    @Test(arguments: ["object", "linkingObjects", "list", "set", "dictionary"], ["list", "set", "dictionary"])
    func `point 6, a collection of links to a class with the name of a composite type`(
        _ name: String, kind: String
    ) throws {
        let text = """
            {"schemaVersion": 1, "schema": [{"name": "\(name)", "properties": {
                "p": {"type": "\(kind)", "objectType": "\(name)", "optional": \(kind == "dictionary")}}}]}
            """
        let target = try TargetJSON(Array(text.utf8))
        let property = try #require(target.schema.classes.first?.properties.first)
        #expect(property.type == .object && property.collection.rawValue == kind && property.objectType == name)
    }

    @Test(arguments: [0, 1 << 63 - 1, 1 << 63, .max - 1] as [UInt64])
    func `point 7 18, a schema version has 64 bits`(_ version: UInt64) throws {
        let snapshot = Snapshot(schemaVersion: version, declared: Schema(), classes: [])
        try checkText(snapshot, MemorySegmentStore())
        #expect(try WrittenRealm(snapshot, from: MemorySegmentStore()).snapshot.schemaVersion == version)
    }

    private func check(_ name: String, holder: String) throws {
        let store = MemorySegmentStore()
        func links(_ property: String, _ kind: CollectionKind) -> Property {
            Property(
                property, .object, collection: kind, objectType: name, isOptional: kind == .none || kind == .dictionary)
        }
        var schema = ObjectSchema(
            holder,
            properties: [
                links("one", .none), links("many", .list), links("set", .set), links("named", .dictionary),
                Property("any", .mixed, isOptional: true),
            ])
        var target = ObjectSchema(name)
        let back = Property("back", .linkingObjects, objectType: holder, originProperty: "many")
        if holder == name { schema.properties.append(back) } else { target.properties = [Property("x", .int), back] }
        let writer = ClassWriter(schema: schema, store: store)
        let link = Value.link(ObjectKey(0))
        try writer.columns[0].append(link)
        try writer.columns[1].append(.list([link, link]))
        try writer.columns[2].append(.list([link]))
        try writer.columns[3].append(.dictionary([DictionaryEntry("a", link)]))
        try writer.columns[4].append(.typedLink(className: name, ObjectKey(0)))
        try writer.endRow(key: ObjectKey(0))
        var classes = [try writer.finish(nextSequence: 1)]
        var declared = [schema]
        if holder != name {
            let targets = ClassWriter(schema: target, store: store)
            targets.columns[0].append(int: 7)
            try targets.endRow(key: ObjectKey(0))
            classes.append(try targets.finish(nextSequence: 1))
            declared.append(target)
        }
        let snapshot = Snapshot(schemaVersion: 1, declared: Schema(declared), classes: classes)
        try checkText(snapshot, store)
        #expect(try WrittenRealm(snapshot, from: store).differences() == [])
    }

    /// Checks that JSON and NDJSON of a realm give its schema again, and are written the same way once more.
    private func checkText(_ snapshot: Snapshot, _ store: any SegmentStore) throws {
        for layout in [RealmJSONWriter.Layout.document, .lines] {
            let text = try Self.text(snapshot, store, layout)
            let again = MemorySegmentStore()
            let source = ByteArraySource(text)
            let read =
                layout == .document
                ? try RealmJSONReader(source, into: again).read()
                : try RealmNDJSONReader(source, into: again).read()
            #expect(read.declared == snapshot.declared)
            #expect(read.schemaVersion == snapshot.schemaVersion)
            #expect(try Self.text(read, again, layout) == text)
        }
    }

    private static func text(
        _ snapshot: Snapshot, _ store: any SegmentStore, _ layout: RealmJSONWriter.Layout = .document
    ) throws -> [UInt8] {
        var writer = RealmJSONWriter(snapshot, from: store, layout: layout)
        var text: [UInt8] = []
        while let chunk = try writer.next() { text += chunk }
        return text
    }

    /// Names of the characters that mean something to the shorthand, to JSON or to Unicode.
    private static let random: [String] = {
        var generator = SeededGenerator(seed: 11)
        let parts = types + ["?", "[]", "{}", "<>", "e", "\u{301}", "\u{e9}", "\"", "\\", "/", "\0", " ", "😀"]
        return (0..<60).map { _ in
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }
                .joined()
        }
    }()
}
