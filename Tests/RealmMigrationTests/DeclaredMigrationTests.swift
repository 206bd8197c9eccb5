import RealmJSON
import RealmModel
import TestRandomness
import Testing

@testable import RealmMigration

@Suite struct `Declared migrations` {
    private static let names = ["A", "", "a\u{0}b", "Ä\u{1F600}", "\"\\/~", "line\nline"]

    private static func migration(_ random: inout SeededGenerator) -> DeclaredMigration {
        func name() -> String { random.pick(names) ?? "" }
        func some<Element>(_ make: () -> Element) -> [Element] { (0..<random.below(4)).map { _ in make() } }
        let policies = Set(some(name)).map { className in
            let choice = random.pick(PrimaryKeyPolicy.Choice.allCases) ?? .fail
            return PrimaryKeyPolicy(className: className, onDuplicate: choice, merge: choice == .merge ? name() : nil)
        }
        return DeclaredMigration(
            script: random.pick([
                nil, ScriptSource(.javaScript, name()),
                ScriptSource(.swift, #"{"sources":[{"name":"M.swift","text":"x"}],"block":"b"}"#),
            ]) ?? nil,
            renames: some { PropertyRename(className: name(), from: name(), to: name()) },
            classRenames: some { ClassRename(from: name(), to: name()) },
            primaryKeyPolicies: policies,
            independent: policies.contains { $0.merge != nil } ? [] : some { name() },
            nullability: random.pick(DeclaredMigration.Nullability.allCases + [nil]) ?? nil,
            applyDefaults: random.pick(DeclaredMigration.ApplyDefaults.allCases + [nil]) ?? nil)
    }

    @Test(arguments: 0..<200)
    func `are read as they were written`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let migration = Self.migration(&random)
        #expect(try DeclaredMigration(JSONValue.parse(migration.json.encoded())) == migration)
    }

    @Test(arguments: [
        ("[]", ""), (#"{"langauge":"swift"}"#, "/langauge"), (#"{"language":"python","source":"x"}"#, "/language"),
        (#"{"source":"x"}"#, "/language"), (#"{"language":"swift"}"#, "/source"),
        (#"{"language":"javascript","source":"x","block":"b"}"#, "/block"),
        (#"{"renames":[{"class":"A","from":"b"}]}"#, "/renames/0/to"), (#"{"nullability":"no"}"#, "/nullability"),
        (#"{"primaryKeyPolicy":[{"class":"A","onDuplicate":"merge"}]}"#, "/primaryKeyPolicy/0/merge"),
        (
            #"{"primaryKeyPolicy":[{"class":"A","onDuplicate":"fail"},{"class":"A","onDuplicate":"keepLast"}]}"#,
            "/primaryKeyPolicy/1/class"
        ),
        (#"{"independent":"A"}"#, "/independent"), (#"{"independent":["A",1]}"#, "/independent/1"),
        (
            #"{"independent":["A"],"primaryKeyPolicy":[{"class":"A","onDuplicate":"merge","merge":"f"}]}"#,
            "/independent"
        ),
    ])
    func `are refused with the place of what is wrong`(text: String, pointer: String) throws {
        let value = try JSONValue.parse(Array(text.utf8))
        let error = #expect(throws: InputError.self) { try DeclaredMigration(value, at: "/migration") }
        #expect(error?.details.map(\.pointer) == ["/migration\(pointer)"])
    }
}
