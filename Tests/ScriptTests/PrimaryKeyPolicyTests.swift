import Columns
import RealmJSON
import RealmMigration
import RealmModel
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// A primary key that changes its type, and objects that have the same one then.
@Suite struct `Policies for equal primary keys` {
    private let realm: TestRealm
    private let target = """
        [{"name": "Tag", "primaryKey": "id", "properties": {"id": "int", "label": "string", "uses": "int"}},
         {"name": "Note", "properties": {"tag": "Tag?", "tags": "Tag[]", "set": "Tag<>", "any": "mixed"}}]
        """
    /// Tags 1 and 3 are the same number, and so are 2, 4 and 5.
    private let script = """
        function migrate(migration) {
          migration.enumerateObjects("Tag", (before, now) => { now.id = Number(before.id); });
        }
        """

    init() throws {
        realm = try TestRealm(
            """
            {"schemaVersion": 1, "schema": [
                {"name": "Tag", "primaryKey": "id", "properties": {"id": "string", "label": "string", "uses": "int"}},
                {"name": "Note", "properties": {"tag": "Tag?", "tags": "Tag[]", "set": "Tag<>", "any": "mixed"}}],
             "objects": {
                "Tag": [{"id": "0", "label": "a", "uses": 1}, {"id": "1", "label": "b", "uses": 2},
                        {"id": "2", "label": "c", "uses": 4}, {"id": "01", "label": "d", "uses": 8},
                        {"id": "02", "label": "e", "uses": 16}, {"id": "2.0", "label": "f", "uses": 32}],
                "Note": [{"tag": "01", "tags": ["02", "0", "1"], "set": ["2", "2.0", "1"], "any": {"$ref": "Tag", "$id": "02"}}]}}
            """)
    }

    private func migrate(
        _ choice: PrimaryKeyPolicy.Choice, _ merge: String? = nil, script: String? = nil
    ) throws -> (JSONValue, MigrationResult) {
        let schema = try TargetJSON(Array("{\"schema\":\(target)}".utf8)).schema
        let request = MigrationRequest(
            source: realm.snapshot, target: schema, targetVersion: 2,
            migration: DeclaredMigration(
                script: ScriptSource(.javaScript, script ?? self.script),
                primaryKeyPolicies: [PrimaryKeyPolicy(className: "Tag", onDuplicate: choice, merge: merge)]))
        let host = SandboxedScriptRunner(
            hosts: HostPoolOfTests.pool, rowGroups: RowGroupLimits(rows: 3, bytes: 1 << 20))
        let result = try MigrationRunner(by: host, of: TestRealm.app).run(
            request, limits: ScriptLimits(timeoutSeconds: 120), store: realm.store, observer: TestObserver())
        var writer = RealmJSONWriter(result.snapshot, from: realm.store, layout: .document)
        var bytes: [UInt8] = []
        while let chunk = try writer.next() { bytes += chunk }
        return (try #require(try JSONValue.parse(bytes)["objects"]), result)
    }

    @Test(arguments: [
        (PrimaryKeyPolicy.Choice.keepFirst, ["a", "b", "c"]), (.keepLast, ["a", "d", "f"]),
    ])
    func `keep one object, to which the links of the others lead`(
        choice: PrimaryKeyPolicy.Choice, labels: [String]
    ) throws {
        let (objects, result) = try migrate(choice)
        #expect(objects["Tag"]?.elements?.map { $0["id"] } == [0, 1, 2])
        #expect(objects["Tag"]?.elements?.compactMap { $0["label"]?.string } == labels)
        let note = try #require(objects["Note"]?.elements?.first)
        #expect(note["tag"] == 1 && note["tags"] == [2, 0, 1] && note["any"] == ["$ref": "Tag", "$id": 2])
        #expect(Set(note["set"]?.elements?.compactMap(\.int) ?? []) == [1, 2] && note["set"]?.elements?.count == 2)
        guard case .collisions("Tag", "id", 5, let pairs) = result.findings.first else {
            Issue.record("\(result.findings)")
            return
        }
        #expect(pairs.map(\.first.value) == [1, 2, 2] && pairs.map(\.second.value) == [3, 4, 5])
    }

    @Test(arguments: [
        "(a, b) => ({...b})", "(a, b) => Object.assign({}, b)", "(a, b) => { const {id, ...rest} = b; return rest; }",
        "(a, b) => Object.fromEntries(Object.entries(b))",
    ])
    func `merge objects by a function that asks for their own properties`(merge: String) throws {
        let (objects, _) = try migrate(.merge, merge)
        #expect(objects["Tag"]?.elements?.compactMap { $0["label"]?.string } == ["a", "d", "f"])
    }

    @Test func `merge objects by a function`() throws {
        let (objects, _) = try migrate(.merge, "(a, b) => ({label: a.label + b.label, uses: a.uses + b.uses})")
        #expect(objects["Tag"]?.elements?.compactMap { $0["label"]?.string } == ["a", "bd", "cef"])
        #expect(objects["Tag"]?.elements?.compactMap { $0["uses"]?.int } == [1, 10, 52])
        let (others, _) = try migrate(.merge, "(a, b) => b")
        #expect(others["Tag"]?.elements?.compactMap { $0["label"]?.string } == ["a", "d", "f"])
    }

    @Test(arguments: [
        (PrimaryKeyPolicy.Choice.fail, nil as String?, nil as String?, "has duplicate values after migration"),
        (.merge, "(a, b) => 1", nil, "A function that merges objects answers the members"),
        (.merge, "(a, b) => { throw new Error('no') }", nil, "no"), (.merge, "(a, b", nil, ""),
        (.merge, "(a, b) => new Map([['uses', 1]])", nil, "answers a plain object, or one of the two"),
        (.merge, "(a, b) => new (class { get uses() { return 1 } })()", nil, "answers a plain object"),
        // Keys that nobody has given are the same in all objects: none of them is another's copy.
        (.keepFirst, nil, "function migrate() {}", "has duplicate values after migration"),
    ])
    func `fail where there is none to choose`(
        choice: PrimaryKeyPolicy.Choice, merge: String?, script: String?, message: String
    ) throws {
        let error = try #require(throws: MigrationError.self) { _ = try migrate(choice, merge, script: script) }
        #expect(message.isEmpty ? error.script == .syntax : error.message.contains(message), "\(error)")
    }
}

/// Hosts of the tests of this file.
private enum HostPoolOfTests {
    static let pool: HostPool = {
        do {
            return HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 2))
        } catch {
            preconditionFailure("There is no host for tests: \(error)")
        }
    }()
}
