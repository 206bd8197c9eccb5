import RealmMigration
import Testing

@testable import ScriptChild

/// A script changes no value of a realm by calling accessors on other objects, or by replacing what the language has.
@Suite struct ForeignReceiverTests {
    private static let json = #"""
        {"schemaVersion": 0,
         "schema": [
           {"name": "A", "properties": {"i": "int", "s": "string", "u": "uuid", "b": "data", "m": "mixed", "d": "date", "l": "A",
             "list": "int[]", "set": "int<>", "map": "int{}", "x": "double"}},
           {"name": "I", "properties": {"i": "string", "s": "A", "u": "decimal128", "b": "uuid", "m": "data", "d": "int", "l": "int",
             "list": "A[]", "set": "string<>", "map": "string{}", "x": "objectId"}}],
         "objects": {
           "A": [{"_key": 0, "i": 1, "s": "s", "u": {"$uuid": "00112233-4455-6677-8899-aabbccddeeff"},
             "b": {"$binary": {"base64": "AQIDBA==", "subType": "00"}}, "m": 7, "d": {"$date": "2020-01-01T00:00:00Z"}, "l": null,
             "list": [1], "set": [1], "map": {"k": 1}, "x": 1.5}],
           "I": [{"_key": 0, "i": "i", "s": null, "u": {"$numberDecimal": "1"}, "b": {"$uuid": "00112233-4455-6677-8899-aabbccddee00"},
             "m": {"$binary": {"base64": "", "subType": "00"}}, "d": 3, "l": 4, "list": [], "set": ["s"], "map": {"k": "v"},
             "x": {"$oid": "0123456789abcdef01234567"}}]}}
        """#

    private static let names = "['i', 's', 'u', 'b', 'm', 'd', 'l', 'list', 'set', 'map', 'x']"

    @Test(arguments: [true, false])
    func `an accessor is for the objects of its class and side alone`(usesColumns: Bool) throws {
        let script = """
            function migrate(m) {
              let a, i;
              m.enumerateObjects('A', (o, n) => { a = [o, n]; });
              m.enumerateObjects('I', (o, n) => {
                i = [o, n];
                for (const name of \(Self.names)) {
                  for (const [holder, receiver] of [[a[1], i[1]], [i[1], a[1]], [a[1], a[0]], [i[1], i[0]], [a[0], a[1]]]) {
                    try { Reflect.set(holder, name, holder[name], receiver); console.log('set', name); }
                    catch (error) { if (!(error instanceof TypeError) && !/read only|outside/.test(error.message)) console.log(name, error.message); }
                    try { console.log('got', name, Reflect.get(holder, name, receiver)); } catch (error) { if (!(error instanceof TypeError)) console.log(name, error.message); }
                  }
                }
              });
            }
            """
        let realm = try TestRealm(Self.json)
        let run = TestRealm.Run(usesColumns: usesColumns)
        let before = try realm.json("function migrate(m) {}", TestRealm.Run(usesColumns: usesColumns))
        let after = try realm.json(script, run)
        #expect(run.observer.lines == [])
        #expect(after == before)
    }

    @Test func `a change that would be lost is refused, also where the script is not strict`() throws {
        let json = #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"m": "mixed", "dates": "date[]", "copy": "date[]"}}],
             "objects": {"A": [{"_key": 0, "m": {"count": 1, "tags": ["a"]}, "dates": [{"$date": "2020-01-31T00:00:00Z"}], "copy": []}]}}
            """#
        let script = """
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => {
                const tries = [() => { n.m.count = 5; }, () => { n.m.more = 6; }, () => { delete n.m.count; }, () => { n.m.tags[0] = 'b'; },
                  () => { n.m.tags.push('c'); }, () => { n.m = [[1]]; n.m[0] = 5; }];
                for (const attempt of tries) { try { attempt(); console.log('lost'); } catch (error) { console.log(error instanceof TypeError); } }
                for (const date of o.dates) date.setUTCFullYear(2030);
                n.copy = o.dates;
                console.log(JSON.stringify(n.copy));
              });
            }
            """
        #expect(
            try TestRealm(json).log(script) == Array(repeating: "true", count: 6) + [#"["2020-01-31T00:00:00.000Z"]"#])
    }

    @Test func `no kind of array that a script replaces is given the memory of calls`() throws {
        // A key that no number holds is handed over in memory as an integer of 64 bits.
        let json = #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"n": "int"}}],
             "objects": {"A": [{"_key": 9007199254740999, "n": 1}]}}
            """#
        let script = """
            const given = [];
            for (const name of ["BigInt64Array", "Int32Array", "Float64Array", "Uint8Array", "DataView"]) {
              const Native = globalThis[name];
              globalThis[name] = function (memory) { given.push(typeof memory); return new Native(memory); };
            }
            BigInt64Array = function (memory) { given.push(typeof memory); };
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => { console.log(o.isValid() && n.isValid()); n.n = 2; });
              console.log(given.length);
            }
            """
        let plain =
            "var Kind = BigInt64Array, given = 0; BigInt64Array = function (m) { given += 1; return new Kind(m); };\n"
            + "function migrate(m) { m.enumerateObjects('A', (o, n) => { console.log(n.isValid()); }); console.log(given); }"
        #expect(try TestRealm(json).log(script) == ["true", "0"])
        #expect(try TestRealm(json).log(plain) == ["true", "0"])
    }

    @Test func `no iterator of a script and no member of its views comes between`() throws {
        let script = """
            function migrate(m) {
              const AI = Object.getPrototypeOf([][Symbol.iterator]()), next = AI.next;
              AI.next = function () {
                const step = next.call(this);
                if (!step.done && ArrayBuffer.isView(step.value)) step.value = new step.value.constructor(step.value.length).fill(66);
                return step;
              };
              m.enumerateObjects('A', (o, n) => {
                n.m = o.i;
                const bytes = new Uint8Array([9, 1, 2, 3, 4, 9]).subarray(1, 5);
                Object.defineProperty(bytes, 'byteLength', { value: 1e9 });
                Object.defineProperty(bytes, 'buffer', { value: new ArrayBuffer(4096) });
                Object.defineProperty(bytes, 'byteOffset', { value: -8 });
                Object.defineProperty(bytes, 'length', { value: 2 });
                n.b = bytes;
              });
            }
            """
        let realm = try TestRealm(Self.json)
        let before = try realm.json("function migrate(m) { m.enumerateObjects('A', (o, n) => { n.m = o.i; }); }")
        #expect(try realm.json(script) == before)
    }
}
