import Foundation
import Testing

/// Model classes as they stand are a schema.
struct ModelSchemaTests {
    private func schema(_ source: String) throws -> String {
        let file = try TemporaryFolder.shared.file(source, "Models.swift")
        let outcome = try BuiltProgram.run(["schema", file])
        try #require(outcome.code == 0, "\(outcome.errors)")
        // Without the white space, to compare.
        return outcome.output.filter { !$0.isWhitespace }
    }

    @Test(arguments: [
        ("@Persisted var n: Int", #""n":{"type":"int","optional":false,"indexed":false,"default":0}"#),
        ("@Persisted var n: Int?", #""n":{"type":"int","optional":true,"indexed":false}"#),
        ("@Persisted(primaryKey: true) var n: String", #""primaryKey":"n""#),
        (
            "@Persisted(indexed: true) var n = \"x\"",
            #""n":{"type":"string","optional":false,"indexed":true,"default":"x"}"#
        ),
        (
            "@Persisted var n = List<String>()",
            #""n":{"type":"list","objectType":"string","optional":false,"indexed":false}"#
        ),
        ("@Persisted var n: List<Int?>", #""n":{"type":"list","objectType":"int","optional":true,"indexed":false}"#),
        (
            "@Persisted var n: MutableSet<Date>",
            #""n":{"type":"set","objectType":"date","optional":false,"indexed":false}"#
        ),
        (
            "@Persisted var n: Map<String, Double>",
            #""n":{"type":"dictionary","objectType":"double","optional":false,"indexed":false}"#
        ),
        ("@Persisted var n: Other?", #""n":{"type":"object","objectType":"Other","optional":true,"indexed":false}"#),
        ("@Persisted var n: AnyRealmValue", #""n":{"type":"mixed","optional":true,"indexed":false}"#),
        (
            "@Persisted(originProperty: \"a\") var n: LinkingObjects<Other>; @Persisted var x: Int",
            #""n":{"type":"linkingObjects","objectType":"Other""#
        ),
        ("@objc dynamic var n = 5", #""n":{"type":"int","optional":false,"indexed":false,"default":5}"#),
        ("dynamic var n = \"\"", #""n":{"type":"string","optional":false,"indexed":false,"default":""}"#),
        ("@objc dynamic var n: Date? = nil", #""n":{"type":"date","optional":true,"indexed":false}"#),
        ("let n = RealmOptional<Int>()", #""n":{"type":"int","optional":true,"indexed":false}"#),
        ("let n = RealmProperty<Bool?>()", #""n":{"type":"bool","optional":true,"indexed":false}"#),
        (
            "@objc dynamic var n = UUID().uuidString\n override static func primaryKey() -> String? { return \"n\" }",
            #""primaryKey":"n""#
        ),
        (
            "@objc dynamic var n = 0\n override class func indexedProperties() -> [String] { [\"n\"] }",
            #""n":{"type":"int","optional":false,"indexed":true,"default":0}"#
        ),
        ("@Persisted var n: Decimal128 = -1.5", #""default":{"$numberDecimal":"-1.5"}"#),
        ("@Persisted var n: Decimal128 = 2", #""default":{"$numberDecimal":"2"}"#),
        ("@Persisted var n: AnyRealmValue = .int(5)", #""type":"mixed","optional":true,"indexed":false,"default":5"#),
        ("@Persisted var n: AnyRealmValue = .none", #""n":{"type":"mixed","optional":true,"indexed":false}"#),
        (
            "@Persisted var n = Date(timeIntervalSince1970: 86400)",
            #""default":{"$date":"1970-01-02T00:00:00Z"}"#
        ),
        ("@Persisted var n: Int? = (5)", #""n":{"type":"int","optional":true,"indexed":false,"default":5}"#),
        ("@Persisted var n: Int? = 5 + 1", #""n":{"type":"int","optional":true,"indexed":false}"#),
        ("@Persisted var n: Kind = .b", #""n":{"type":"int","optional":false,"indexed":false,"default":5}"#),
        (
            "@Persisted var n: Int\n override class func propertiesMapping() -> [String: String] { [\"n\": \"stored\"] }",
            #""mapTo":"stored""#
        ),
    ])
    func `a property`(declaration: String, json: String) throws {
        let schema = try schema(
            "import RealmSwift\nenum Kind: Int, PersistableEnum { case a = 4, b }\nclass Thing: Object {\n\(declaration.replacingOccurrences(of: "; ", with: "\n"))\n}\n"
                + "class Other: Object { @Persisted var a: Thing? }\n")
        #expect(schema.contains(json), "\(schema)")
    }

    @Test(arguments: ["Date", "Data", "UUID"]) func `a class hides a type of Foundation`(name: String) throws {
        let schema = try schema(
            "class \(name): Object { @Persisted var other: \(name)?; @Persisted var all: List<\(name)> }")
        #expect(schema.contains(#""other":{"type":"object","objectType":"\#(name)","optional":true,"indexed":false}"#))
        #expect(schema.contains(#""all":{"type":"list","objectType":"\#(name)","optional":false,"indexed":false}"#))
    }

    @Test func `classes inherit, have names of Objective-C, and leave out what is none of a realm's`() throws {
        let schema = try schema(
            """
            @objc(Stored) class Base: Object { @Persisted(primaryKey: true) var id: Int; var plain = 1; var computed: Int { 1 } }
            class Derived: Base { @Persisted var more: String }
            class Part: EmbeddedObject { @Persisted var x: Double }
            final class View { var realm = 1 }
            enum Outer { class Inner: Object { @objc dynamic var a = 1; @objc dynamic var b = 2
                override static func ignoredProperties() -> [String] { return ["b"] } } }
            extension Derived { var extra: Int { 5 } }
            """)
        #expect(schema.contains(#""name":"Stored","primaryKey":"id","properties":{"id":"#))
        #expect(
            schema.contains(
                #""name":"Derived","primaryKey":"id","properties":{"id":{"type":"int","optional":false,"indexed":true,"default":0},"more":"#
            ))
        #expect(schema.contains(#""name":"Part","embedded":true"#))
        #expect(
            schema.contains(
                #""name":"Inner","properties":{"a":{"type":"int","optional":false,"indexed":false,"default":1}}"#))
        #expect(!schema.contains("View") && !schema.contains("plain") && !schema.contains("computed"))
    }

    @Test func `says where a type is not declared`() throws {
        let file = try TemporaryFolder.shared.file(
            "class A: Object {\n    @Persisted var x: Missing?\n}\n", "Models.swift")
        let outcome = try BuiltProgram.run(["schema", file])
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("Models.swift:2:23: error: Realm stores no ‘Missing’"), "\(outcome.errors)")
    }
}
