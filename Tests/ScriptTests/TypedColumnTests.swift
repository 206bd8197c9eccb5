import Columns
import Foundation
import RealmMigration
import Testing

@testable import ScriptChild

/// Values that JavaScript has not, and those of several types, are by columns what they are value by value.
@Suite struct TypedColumnTests {
    private static let schema = #"""
        [{"name": "T", "properties": {
           "n": "int", "u": "uuid", "v": "uuid?", "o": "objectId", "p": "objectId?", "d": "decimal128", "e": "decimal128?",
           "b": "data", "c": "data?", "m": "mixed", "x": "mixed", "k": "int{}", "t": "string?{}", "w": "uuid?{}", "y": "mixed{}",
           "q": "T{}", "s": "int<>", "z": "objectId<>", "l": "uuid[]", "g": "mixed[]", "h": "decimal128?[]", "next": "T"}}]
        """#

    @Test func `collections of bytes are read and copied`() throws {
        let bytes = #"{"$binary": {"base64": "BQY=", "subType": "00"}}"#
        let json = #"""
            {"schemaVersion": 0, "schema": [{"name": "A", "properties": {"l": "data[]", "s": "data<>", "d": "data{}", "n": "int"}}],
             "objects": {"A": [{"_key": 0, "l": [\#(bytes), \#(bytes)], "s": [\#(bytes)], "d": {"k": \#(bytes)}, "n": 0}]}}
            """#
        let script = """
            function migrate(m) {
              m.enumerateObjects('A', (o, n) => {
                n.l = [o.l[0], new Uint8Array([9])]; n.s = o.s; n.d = o.d;
                console.log(o.l[1][0], n.l[1][0], [...n.s][0][1], n.d.k[1], JSON.stringify(o.d));
              });
            }
            """
        #expect(try TestRealm(json).log(script) == [#"5 9 6 6 {"k":{"0":5,"1":6}}"#])
    }

    /// A realm of some objects, each value made of its number.
    private static func json(_ count: Int) -> String {
        let objects = (0..<count).map { i in
            let uuid = { (n: Int) in
                #"{"$uuid": "\#(String(format: "%08x", n &* 2_654_435))-0000-4000-8000-00000000ffee"}"#
            }
            let id = { (n: Int) in #"{"$oid": "\#(String(format: "%08x", n &* 40503))0123456789abcdef"}"# }
            let decimal = { (n: Int) in
                #"{"$numberDecimal": "\#(["1.20", "-0.0", "Infinity", "NaN", "12345678901234567890.5", "0E-20"][n % 6])"}"#
            }
            let bytes = { (n: Int) in
                #"{"$binary": {"base64": "\#(Data((0..<n % 5).map { UInt8($0 * 70) }).base64EncodedString())", "subType": "00"}}"#
            }
            let mixed = { (n: Int) -> String in
                switch n % 13 {
                case 0: "null"
                case 1: "true"
                case 2: "9007199254740993"
                case 3: "-0.0"
                case 4: #"{"$float": 0.1}"#
                case 5: #""é\#(n)""#
                case 6: uuid(n)
                case 7: decimal(n)
                case 8: #"{"$date": "2020-01-01T00:00:00.000000007Z"}"#
                case 9: bytes(n)
                case 10: "[1, \"two\", null]"
                case 11: #"{"$ref": "T", "$id": 3}"#
                default: "\(n)"
                }
            }
            let maybe = { (text: String) in i % 3 == 1 ? "null" : text }
            return #"""
                {"_key": \#(i * 3), "n": \#(i), "u": \#(uuid(i)), "v": \#(maybe(uuid(i + 1))), "o": \#(id(i)), "p": \#(maybe(id(i + 1))),
                 "d": \#(decimal(i)), "e": \#(maybe(decimal(i + 1))), "b": \#(bytes(i)), "c": \#(maybe(bytes(i + 1))),
                 "m": \#(mixed(i)), "x": \#(mixed(i + 5)), "k": {\#(i % 2 == 0 ? #""a": 1, "é": \#(i)"# : "")},
                 "t": {"one": null, "two": "zwei\#(i)"}, "w": {"u": \#(uuid(i)), "none": null},
                 "y": {"m": \#(mixed(i + 2))}, "q": {"self": \#(i * 3), "none": null}, "s": [\#(i), 1000], "z": [\#(id(i))],
                 "l": [\#(uuid(i)), \#(uuid(i + 1))], "g": [\#(mixed(i + 3))], "h": [\#(decimal(i)), null],
                 "next": \#(i % 4 == 3 ? "null" : "\((i * 7 % count) * 3)")}
                """#
        }
        return #"{"schemaVersion": 0, "schema": \#(schema), "objects": {"T": [\#(objects.joined(separator: ","))]}}"#
    }

    private static let walk = #"""
        let state = SEED;
        const roll = limit => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 8) % limit; };
        const pick = values => values[roll(values.length)];
        const show = (value, depth = 0) => {
          if (value === undefined) return "undefined";
          if (value === null || typeof value === "boolean") return value;
          if (typeof value === "bigint") return value + "n";
          if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
          if (typeof value !== "object") return typeof value + " " + value;
          if (value instanceof Date) return [value.getTime(), value.nanoseconds];
          if (ArrayBuffer.isView(value)) return "bytes " + [...value];
          for (const Kind of [UUID, ObjectId, Decimal128]) if (value instanceof Kind) return Kind.name + " " + value;
          if (depth > 4) return "deep";
          if (value instanceof Set) return ["set", [...value].map(v => show(v, depth + 1))];
          if (Array.isArray(value)) return [...value].map(v => show(v, depth + 1));
          if (typeof value.objectSchema === "function") return "T" + value._key;
          return Object.keys(value).sort().map(key => [key, show(value[key], depth + 1)]);
        };
        const names = ["u", "v", "o", "p", "d", "e", "b", "c", "m", "x", "k", "t", "w", "y", "q", "s", "z", "l", "g", "h"];
        const buffer = new Uint8Array([1, 2, 3, 250]);
        const plain = () => pick([null, 0, -0, 7, 1.5, NaN, true, "t", "", "😀", 9007199254740993n, new Date(5), buffer, buffer.buffer,
          new UUID("00112233-4455-6677-8899-aabbccddeeff"), new ObjectId("00112233445566778899aabb"), new Decimal128("-1.20E+3"),
          undefined, [1, "a"], { a: 1 }]);
        const value = name => {
          switch (name) {
            case "u": case "v": return pick([null, new UUID("ffEEddcc-bbaa-9988-7766-554433221100"), "ffeeddcc-bbaa-9988-7766-554433221101", 5]);
            case "o": case "p": return pick([null, new ObjectId("ffeeddccbbaa998877665544"), "zz", new UUID("ffeeddcc-bbaa-9988-7766-554433221100")]);
            case "d": case "e": return pick([null, new Decimal128("1.50"), new Decimal128("NaN"), 2, "3"]);
            case "b": case "c": return pick([null, buffer, new DataView(buffer.buffer, 1, 2), buffer.buffer, new Uint8Array(0), "x"]);
            case "k": return pick([{}, { b: 2 }, { "$no": 1 }, { c: null }, null, new Map([["d", 4]])]);
            case "t": return pick([{ a: null, b: "b" }, {}, { c: 1 }]);
            case "w": return pick([{ a: new UUID("ffeeddcc-bbaa-9988-7766-554433221100") }, {}]);
            case "y": return { a: plain() };
            case "q": return pick([{ a: any() }, {}, { b: null }]);
            case "s": return pick([[1, 2, 2], [], new Set([9]), ["x"]]);
            case "z": return pick([[new ObjectId("ffeeddccbbaa998877665544")], []]);
            case "l": return pick([[new UUID("ffeeddcc-bbaa-9988-7766-554433221100")], [], [null]]);
            case "g": return [plain(), plain()];
            case "h": return pick([[null, new Decimal128("1")], []]);
            default: return plain();
          }
        };
        let pool = [], m;
        const any = () => pick(pool);
        const log = (...values) => console.log(JSON.stringify(values.map(v => show(v))));
        const act = (o, n) => {
          const name = pick(names), other = roll(4) ? n : any(), from = roll(3) ? o : any();
          switch (roll(10)) {
            case 0: case 1: return show(other[name]);
            case 2: case 3: other[name] = from[name]; return roll(2) ? show(other[name]) : 0;
            case 4: case 5: other[name] = value(name); return show(other[name]);
            case 6: { const read = other[name]; if (ArrayBuffer.isView(read) && read.length) read[0] = 99; return [show(read), show(other[name])]; }
            case 7: { const kept = other[name]; other[name] = from[name]; return [show(kept), show(other[name])]; }
            case 8: {
              if (["k", "t", "w", "y"].includes(name)) { other[name].added = value(name)[pick(["a", "b"])]; delete other[name].one; }
              else if (["s", "z"].includes(name)) { const made = [...value(name)]; if (made.length) other[name].add(made[0]); }
              else if (["l", "g", "h"].includes(name)) { other[name].push(...value(name)); if (roll(2)) other[name].pop(); }
              return show(other[name]);
            }
            default: if (roll(6) === 0 && pool.length > 4) { const gone = any(); m.delete(gone); return "gone"; }
              if (roll(6) === 0) { const made = m.create("T", other); pool.push(made); return names.map(name => show(made[name])); }
              return [name, from.isValid() && show(from[name]), other.next && show(other.next[name])];
          }
        };
        function migrate(migration) {
          m = migration;
          for (let round = 0; round < 3; round++) {
            m.enumerateObjects("T", (o, n) => {
              pool.push(n, o);
              if (pool.length > 40) pool = pool.slice(20);
              for (let i = roll(6); i > 0; i--) { try { log(act(o, n)); } catch (error) { console.log(error.message); } }
            });
          }
          m.enumerateObjects("T", (o, n) => { log(names.map(name => n[name])); });
        }
        """#

    @Test(arguments: 0..<40)
    func `random reads and writes are the same`(seed: Int) throws {
        let rowGroups = RowGroupLimits(rows: [1, 3, 7, 64][seed % 4], bytes: 1 << 20)
        let json = Self.json(24)
        let results = try [true, false].map { usesColumns in
            let realm = try TestRealm(json, limits: rowGroups)
            let run = TestRealm.Run(usesColumns: usesColumns, rowGroups: rowGroups)
            let source = Self.walk.replacing("SEED", with: "\(seed * 7919 + 17)")
            do {
                let json = try realm.json(source, run)
                return run.observer.lines + [json]
            } catch let error as MigrationError {
                return run.observer.lines + ["\(error)", "\(error.details)"]
            }
        }
        #expect(results[0].count > 60, "the walk ended early: \(results[0].suffix(2))")
        let difference = zip(results[0], results[1]).enumerated().first { $0.element.0 != $0.element.1 }
        let message = difference.map {
            "line \($0.offset): \($0.element), after \(results[0].prefix($0.offset).suffix(4))"
        }
        #expect(message == nil && results[0].count == results[1].count, "\(message ?? "")")
    }
}
