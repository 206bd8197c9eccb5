import Glibc
import RealmMigration
import Testing

@testable import Sandbox
@testable import ScriptChild
@testable import ScriptParent
@testable import ScriptWire

/// Large realms have hosts of their own.
@Suite struct ScriptPaceTests {
    @Test func `a realm of many objects is long work`() {
        #expect(ScriptPace(objectCount: 0) == .brief)
        #expect(ScriptPace(objectCount: ScriptPace.longObjectCount - 1) == .brief)
        #expect(ScriptPace(objectCount: ScriptPace.longObjectCount) == .long)
        #expect(Set(ScriptPace.allCases.map(\.roleName)) == Set(HostRole.scripts.map(\.name)))
    }

    @Test func `a small realm leaves the host of a large one alone`() throws {
        let pool = HostPool(executable: try TestProgram.path(), policy: HostPool.Policy(kept: 4))
        let objects = (0..<ScriptPace.longObjectCount).map { #"{"_key":\#($0),"n":0}"# }.joined(separator: ",")
        func realm(_ objects: String) throws -> TestRealm {
            try TestRealm(
                #"{"schemaVersion":0,"schema":[{"name":"A","properties":{"n":"int"}}],"objects":{"A":[\#(objects)]}}"#,
                limits: .standard)
        }
        let script = "function migrate(m) { m.enumerateObjects('A', (o, n) => { n.n = o.n + 1 }) }"
        let (large, small) = (try realm(objects), try realm(#"{"_key":0,"n":0}"#))
        var hosts: [Set<pid_t>] = []
        for realm in [large, small, large, small] {
            _ = try realm.migrate(script, TestRealm.Run(rowGroups: .standard, hosts: pool))
            hosts.append(Set(pool.waitingProcesses.kept))
        }
        #expect(hosts.map(\.count) == [1, 2, 2, 2])
        #expect(hosts[0].isSubset(of: hosts[1]) && hosts[1] == hosts[3])
    }
}
