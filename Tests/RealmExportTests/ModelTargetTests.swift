import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmExport

/// Classes as source: what the SDKs and libraries want, and names that a language does not take.
struct ModelTargetTests {
    private static let schema = Schema([
        ObjectSchema(
            "Person", primaryKey: "id",
            properties: [
                Property("id", .uuid), Property("name", .string, isOptional: true, index: .general),
                Property("class", .int, alias: "grade"), Property("any", .mixed, isOptional: true),
                Property("home", .object, objectType: "Address", isOptional: true),
                Property("dogs", .object, collection: .list, objectType: "Dog"),
                Property("scores", .double, collection: .dictionary, isOptional: true),
                Property("tags", .string, collection: .set),
            ]),
        ObjectSchema(
            "Dog",
            properties: [
                Property("for", .bool), Property("age", .float),
                Property("owners", .linkingObjects, objectType: "Person", originProperty: "dogs"),
            ]),
        ObjectSchema("Address", kind: .embedded, properties: [Property("street", .string)]),
    ])

    @Test(
        arguments: [
            (
                ModelTarget.realmSwift,
                [
                    "class Person: Object {", "@Persisted(primaryKey: true) var id: UUID",
                    "@Persisted(indexed: true) var name: String?", "@Persisted var grade: Int",
                    "@Persisted var any: AnyRealmValue",
                    "@Persisted var home: Address?", "@Persisted var dogs: List<Dog>",
                    "@Persisted var scores: Map<String, Double?>",
                    "@Persisted var tags: MutableSet<String>", "@Persisted var for_: Bool",
                    "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>",
                    "class Address: EmbeddedObject {", "[\"grade\": \"class\"]", "[\"for_\": \"for\"]",
                ]
            ),
            (
                .realmKotlin,
                [
                    "class Person : RealmObject {", "var id: RealmUUID = RealmUUID.random()",
                    "var name: String? = null",
                    "@PersistedName(\"class\")", "var grade: Long = 0", "var any: RealmAny? = null",
                    "var home: Address? = null",
                    "var dogs: RealmList<Dog> = realmListOf()",
                    "var scores: RealmDictionary<Double?> = realmDictionaryOf()",
                    "val owners: RealmResults<Person> by backlinks(Person::dogs)",
                    "class Address : EmbeddedRealmObject {",
                ]
            ),
            (
                .realmJS,
                [
                    "export class Person extends Realm.Object<Person> {", "\"id\"!: BSON.UUID;", "primaryKey: \"id\",",
                    "\"grade\": { type: \"int\", mapTo: \"class\" },",
                    "\"name\": { type: \"string\", optional: true, indexed: true },",
                    "\"dogs\": { type: \"list\", objectType: \"Dog\" },",
                    "\"owners\": { type: \"linkingObjects\", objectType: \"Person\", property: \"dogs\" },",
                    "embedded: true,",
                ]
            ),
            (
                .realmDotnet,
                [
                    "public partial class Person : IRealmObject", "public Guid id { get; set; }",
                    "public string? name { get; set; }",
                    "[MapTo(\"class\")]", "public RealmValue any { get; set; }",
                    "public IList<Dog> dogs { get; } = null!;",
                    "public IDictionary<string, double?> scores { get; } = null!;", "public bool for_ { get; set; }",
                    "[Backlink(nameof(Person.dogs))]", "public partial class Address : IEmbeddedObject",
                ]
            ),
            (
                .realmDart,
                [
                    "class _Person {", "@PrimaryKey()", "late Uuid id;", "late String? name;", "@MapTo(\"class\")",
                    "late List<_Dog> dogs;", "late Map<String, double?> scores;", "@Backlink(#dogs)",
                    "late Iterable<_Person> owners;", "@RealmModel(ObjectType.embeddedObject)",
                ]
            ),
            (
                .grdb,
                [
                    "struct Person: Codable, FetchableRecord, PersistableRecord {",
                    "static let databaseTableName = \"Person\"", "var id: String", "var name: String?",
                    "var grade: Int64",
                    "var home: Int64?", "struct Person_dogs: Codable", "var owner: String", "var position: Int64",
                    "static let ownerAssociation = belongsTo(", "struct Address: Codable", "var _key: Int64",
                    "case for_ = \"for\"",
                ]
            ),
            (
                .room,
                [
                    "tableName = \"Person\"", "@PrimaryKey @ColumnInfo(name = \"id\") val id: String,",
                    "@ColumnInfo(name = \"name\") val name: String?,", "primaryKeys = [\"owner\", \"position\"]",
                    "Index(name = \"index_Person_name\", value = [\"name\"])",
                    "ForeignKey(entity = Address::class, parentColumns = [\"_key\"], childColumns = [\"home\"], "
                        + "onDelete = ForeignKey.SET_NULL, deferred = true)",
                    "@ColumnInfo(name = \"for\") val for_: Boolean,",
                ]
            ),
        ] as [(ModelTarget, [String])])
    func `every target has the classes in its own words`(target: ModelTarget, words: [String]) throws {
        let source = try target.source(of: Self.schema)
        for word in words { #expect(source.contains(word), "\(target.rawValue): \(word)\n\(source)") }
        #expect(source.count { $0 == "{" } == source.count { $0 == "}" })
    }

    @Test func `records have what the tables have whose values need it`() throws {
        let document = """
            {"schema":[
            {"name":"User","primaryKey":"id","properties":{"id":"string?","at":"date","d":"double","l":"double[]"}},
            {"name":"Pet","properties":{"owner":"User"}}],
            "objects":{"User":[{"id":null,"at":{"$date":"1970-01-01T00:00:00Z"},"d":{"$numberDouble":"NaN"},
            "l":[{"$numberDouble":"NaN"}]}],"Pet":[]}}
            """
        let store = MemorySegmentStore()
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store).read()
        }
        let grdb = try ModelTarget.grdb.source(of: snapshot, in: store, options: ExportOptions(dates: .unix))
        for member in ["_key: Int64", "id: String?", "at: Int64", "d: Double?", "owner: Int64?", "value: Double?"] {
            #expect(grdb.contains("    var \(member)\n"), "\(member)\n\(grdb)")
        }
        let room = try ModelTarget.room.source(of: snapshot, in: store, options: ExportOptions(dates: .unix))
        for column in [
            "@PrimaryKey @ColumnInfo(name = \"_key\") val _key: Long", "@ColumnInfo(name = \"id\") val id: String?",
            "@ColumnInfo(name = \"at\") val at: Long", "@ColumnInfo(name = \"d\") val d: Double?",
        ] { #expect(room.contains("    \(column),\n"), "\(column)\n\(room)") }
    }

    @Test func `names that a language does not take are other ones, each its own`() throws {
        var names = ModelNames(.swift)
        #expect(names.take("class") == "class_")
        #expect(names.take("class_") == "class__2")
        #expect(names.take("a b") == "a_b")
        #expect(names.take("a-b") == "a_b_2")
        #expect(names.take("1st") == "_1st")
        #expect(names.take("") == "unnamed")
        #expect(names.take("___") == "unnamed_2")
        #expect(names.take("Größe") == "Größe")
        // The same character, composed of two: Swift's texts take both for one.
        #expect(names.take("e\u{301}") == "e\u{301}")
        #expect(names.take("\u{e9}") == "\u{e9}_2")
        #expect(names.take("a\u{202e}b\0c") == "a_b_c")
        #expect(names.take("String") == "String_")
        var dart = ModelNames(.dart)
        #expect(dart.take("Größe") == "Gr__e")
    }

    @Test func `names that a target keeps for itself are other ones, mapped to those of the realm`() throws {
        let schema = Schema([
            ObjectSchema("__proto__", properties: [Property("constructor", .int), Property("_", .bool)])
        ])
        let javascript = try ModelTarget.realmJS.source(of: schema)
        #expect(javascript.contains("\"constructor_\": { type: \"int\", mapTo: \"constructor\" },"))
        let grdb = try ModelTarget.grdb.source(of: schema)
        #expect(grdb.contains("        case unnamed = \"_\""))
    }

    @Test func `what isn't seen is escaped in every language`() throws {
        let name = "a\0\u{2028}\u{202e}\u{e000}\"$\\"
        #expect(ModelLanguage.swift.literal(name) == #""a\u{0}\u{2028}\u{202e}\u{e000}\"$\\""#)
        #expect(ModelLanguage.csharp.literal(name) == #""a\u0000\u2028\u202e\ue000\"$\\""#)
        #expect(ModelLanguage.kotlin.literal(name) == #""a\u0000\u2028\u202e\ue000\"\$\\""#)
        #expect(ModelLanguage.javascript.literal("\u{10ffff}") == #""\udbff\udfff""#)
    }
}

extension ModelTarget {
    /// The source of a schema without objects.
    fileprivate func source(of schema: Schema) throws -> String {
        let store = MemorySegmentStore()
        let document = JSONValue.object([
            JSONMember("schema", SchemaJSON.encode(schema)), JSONMember("objects", .object([])),
        ])
        let snapshot = try document.encoded().withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store).read()
        }
        return try source(of: snapshot, in: store)
    }
}
