import Columns
import Foundation
import RealmMigration
import Sandbox
import Testing

@testable import ScriptChild
@testable import ScriptParent

/// Values that a script writes to where links lead wait in row groups, and are what they are value by value.
@Suite struct ScatteredWriteTests {
    private static let schema = #"""
        [{"name": "A", "properties": {
           "n": "int", "text": "string?", "when": "date?", "x": "double", "f": "bool", "link": "A", "u": "uuid", "b": "data?",
           "m": "mixed", "part": "E",
           "back": {"type": "linkingObjects", "objectType": "A", "property": "link"}}},
         {"name": "B", "primaryKey": "id", "properties": {"id": "int", "a": "A"}},
         {"name": "E", "embedded": true, "properties": {"n": "int", "text": "string"}}]
        """#

    /// The key of the object of a number, as Realm gives them.
    private static func key(_ number: Int) -> Int { (number & 255) | (number & ~255) << 8 }

    private static func json(_ count: Int) -> String {
        let objects = (0..<count).map { i in
            #"""
            {"_key": \#(key(i)), "n": \#(i), "text": "text \#(i)", "when": null, "x": \#(i).5, "f": \#(i % 2 == 0),
             "link": \#(key(i * 7919 % count)), "u": {"$uuid": "\#(String(format: "%08x", i))-0000-4000-8000-00000000ffee"},
             "b": {"$binary": {"base64": "\#(Data(repeating: UInt8(i % 251), count: i % 90).base64EncodedString())", "subType": "00"}},
             "m": \#(i % 3), "part": {"n": \#(i), "text": "part"}}
            """#
        }
        let others = (0..<count / 4).map { #"{"id": \#($0), "a": \#(key($0 * 331 % count))}"# }
        return #"""
            {"schemaVersion": 0, "schema": \#(schema),
             "objects": {"A": [\#(objects.joined(separator: ","))], "B": [\#(others.joined(separator: ","))]}}
            """#
    }

    private static let walk = #"""
        let state = SEED;
        const roll = limit => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 8) % limit; };
        const pick = values => values[roll(values.length)];
        const names = ["n", "text", "when", "x", "f", "link", "u", "b", "m"];
        const show = value => value === null || typeof value !== "object" ? Object.is(value, -0) ? "-0" : String(value)
          : value instanceof Date ? value.getTime() : ArrayBuffer.isView(value) ? "bytes " + [...value]
          : typeof value.objectSchema === "function" ? value._key : String(value);
        const value = (name, other) => {
          switch (name) {
            case "n": return pick([roll(1000), roll(1000), -1, 9007199254740993n, "no"]);
            case "text": return pick(["t" + roll(1000), other.text, "é😀", null, "long ".repeat(roll(200))]);
            case "when": return pick([new Date(roll(1000) * 999), null]);
            case "x": return pick([roll(9) / 2, 0, -0, null]);
            case "f": return roll(2) === 0;
            case "link": return pick([other, other.link, null]);
            case "u": return pick([other.u, new UUID("00112233-4455-6677-8899-aabbccddeeff"), null]);
            case "b": return pick([other.b, new Uint8Array([roll(256), 2]), new Int16Array([roll(9)]), new Uint8Array(roll(200)), null]);
            default: return pick([other.m, roll(9), -0, "mixed " + roll(9), null, other.u, [1]]);
          }
        };
        let m, kept = null, visits = 0;
        const log = (...values) => console.log(values.join(" "));
        const far = object => { for (let i = roll(3); i >= 0 && object.link; i--) object = object.link; return object; };
        const act = (o, n) => {
          const other = far(n), name = pick(names);
          switch (roll(RARELY)) {
            case 0: return log("query", m.newRealm.objects("A").filtered("n < 100 AND text != nil").length);
            case 1: if (roll(4) === 0) { m.delete(other); return log("gone"); } return log(other.isValid());
            case 2: { const made = m.create("A", other); kept = made; return log(show(made.text), show(made.n), show(made.b)); }
            case 3: other.part.text = "scattered " + roll(99); n.part = other.part; return log(n.part.text, other.part.text);
            case 4: return log("back", [...other.back].map(show));
            case 5: if (kept && kept.isValid()) { other.link = kept; kept.text = "kept " + roll(9); } return;
            case 6: if (visits < 3) { visits += 1; try { m.enumerateObjects("A", (o, n) => { n.x = 3; if (roll(90) === 0) throw new Error("stop"); }); } catch (error) { log(error.message); } } return;
            case 7: return log(JSON.stringify(other));
            default:
              if (roll(3)) other[name] = value(name, roll(2) ? o : far(o));
              if (roll(8) === 0) log(name, show(other[name]), show(n[name]));
          }
        };
        const attempt = (o, n) => { try { act(o, n); } catch (error) { log(error.message); } };
        function migrate(migration) {
          m = migration;
          m.enumerateObjects("A", attempt);
          m.enumerateObjects("B", (o, n) => { if (o.a && n.a) attempt(o.a, n.a); });
        }
        """#

    @Test(arguments: 0..<12)
    func `random writes to where links lead are the same`(seed: Int) throws {
        let bytes = seed % 3 == 0 ? 1 << 20 : 1 << 15
        let rowGroups = RowGroupLimits(rows: [3, 300, 700][seed / 3 % 3], bytes: bytes)
        let source = Self.walk.replacing("SEED", with: "\(seed * 7919 + 17)")
            .replacing("RARELY", with: seed % 2 == 0 ? "20" : "400")
        let json = Self.json(900)
        let results = try [true, false].map { usesColumns in
            let run = TestRealm.Run(usesColumns: usesColumns, rowGroups: rowGroups)
            let json = try TestRealm(json, limits: rowGroups).json(source, run)
            return run.observer.lines + [json]
        }
        #expect(results[0].count > 60, "the walk ended early: \(results[0].suffix(2))")
        let difference = zip(results[0], results[1]).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil && results[0].count == results[1].count, "line \(difference?.offset ?? -1)")
    }

    @Test func `a check is refused to write to where links lead, and the next one sees nothing of it`() throws {
        let realm = try TestRealm(Self.json(1500), limits: RowGroupLimits(rows: 300, bytes: 1 << 20))
        let source = #"""
            function checkWrites(before, after) {
              for (const b of after.objects("B")) if (!b.a.text) return "nothing was read";
              try { for (const b of after.objects("B")) b.a.text = "written"; } catch {}
              return true;
            }
            function checkLooks(before, after) {
              for (const b of after.objects("B")) if (b.a.text === "written") return "something was written";
              return true;
            }
            """#
        let runner = SandboxedScriptRunner(hosts: HostPool(executable: try TestProgram.path()))
        let results = try runner.check(
            RealmChecks([ScriptSource(.javaScript, source)], old: realm.snapshot, new: realm.snapshot),
            of: TestRealm.app,
            limits: ScriptLimits(timeoutSeconds: 60), store: realm.store, observer: TestObserver())
        #expect(results.map(\.passed) == [false, true], "\(results)")
    }
}
