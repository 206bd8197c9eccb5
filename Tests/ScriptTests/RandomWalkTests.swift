import Columns
import Foundation
import RealmMigration
import Testing

@testable import ScriptChild

/// Scripts that read, write, link, create and delete at random do by columns what they do value by value.
@Suite struct RandomWalkTests {
    private static let json = #"""
        {"schemaVersion": 0,
         "schema": [
           {"name": "A", "properties": {
             "n": "int", "text": "string?", "link": "B", "links": "B[]", "next": "A", "names": "string[]",
             "numbers": "int?[]", "times": "date[]", "flags": "bool[]", "bag": "B<>", "part": "E", "parts": "E[]",
             "owned": {"type": "linkingObjects", "objectType": "B", "property": "owner"},
             "listed": {"type": "linkingObjects", "objectType": "B", "property": "all"}}},
           {"name": "B", "primaryKey": "id", "properties": {
             "id": "int", "n": "int?", "owner": "A", "all": "A[]", "when": "date?", "x": "double"}},
           {"name": "E", "embedded": true, "properties": {"n": "int", "seen": "A", "inner": "F", "lists": "B[]"}},
           {"name": "F", "embedded": true, "properties": {"n": "int"}}],
         "objects": {
           "A": [
             {"_key": 0, "n": 0, "text": "zero", "link": 1, "links": [1, 2, 1], "next": 1, "names": ["a", "é", "😀"], "numbers": [1, null, 9007199254740993], "times": [{"$date": "2020-01-01T00:00:00.000000007Z"}], "flags": [true, false], "bag": [1, 2], "part": {"n": 1, "seen": 0, "inner": {"n": 2}, "lists": [1]}, "parts": [{"n": 3, "seen": null, "inner": null, "lists": []}, {"n": 4, "seen": 1, "inner": {"n": 5}, "lists": [2, 3]}]},
             {"_key": 1, "n": 1, "text": null, "link": null, "links": [], "next": 65536, "names": [], "numbers": [], "times": [], "flags": [], "bag": [], "part": null, "parts": []},
             {"_key": 2, "n": 2, "text": "two", "link": 3, "links": [3], "next": 2, "names": ["b"], "numbers": [2, 3], "times": [], "flags": [true], "bag": [3], "part": {"n": 6, "seen": 2, "inner": null, "lists": []}, "parts": []},
             {"_key": 255, "n": 3, "text": "", "link": 1, "links": [4, 3, 2, 1], "next": null, "names": ["c", "d"], "numbers": [null], "times": [], "flags": [], "bag": [], "part": null, "parts": [{"n": 7, "seen": 65536, "inner": null, "lists": [1, 1]}]},
             {"_key": 65536, "n": 4, "text": "four", "link": 5, "links": [5, 5], "next": 0, "names": [], "numbers": [4], "times": [], "flags": [false], "bag": [5], "part": null, "parts": []},
             {"_key": 65537, "n": 5, "text": "five", "link": 4, "links": [], "next": 70000, "names": ["e"], "numbers": [], "times": [], "flags": [], "bag": [], "part": {"n": 8, "seen": null, "inner": {"n": 9}, "lists": [4]}, "parts": []},
             {"_key": 70000, "n": 6, "text": "six", "link": 2, "links": [2], "next": 65537, "names": [], "numbers": [], "times": [], "flags": [], "bag": [], "part": null, "parts": []}],
           "B": [
             {"id": 1, "n": 1, "owner": 0, "all": [0, 1], "when": null, "x": 1.5},
             {"id": 2, "n": null, "owner": 1, "all": [], "when": {"$date": "1969-12-31T23:59:59.5Z"}, "x": 0.0},
             {"id": 3, "n": 3, "owner": null, "all": [2, 255, 65536], "when": null, "x": -1.0},
             {"id": 4, "n": 4, "owner": 0, "all": [70000], "when": null, "x": 4.0},
             {"id": 5, "n": 5, "owner": 70000, "all": [], "when": null, "x": 5.0}]}}
        """#

    /// Walks at random; what it does next depends on the seed alone, and on what it has seen.
    private static let script = #"""
        let state = SEED;
        const roll = limit => { state = (Math.imul(state, 1103515245) + 12345) >>> 0; return (state >>> 8) % limit; };
        const pick = values => values[roll(values.length)];
        const show = (value, depth = 0) => {
          if (value === null || typeof value !== "object") return typeof value === "bigint" ? value + "n" : value;
          if (value instanceof Date) return [value.getTime(), value.nanoseconds];
          if (typeof value.objectSchema === "function") return value.objectSchema().name + value._key;
          if (depth > 3) return "deep";
          return [...value].map(element => show(element, depth + 1));
        };
        const log = (...values) => console.log(JSON.stringify(values.map(value => show(value))));
        const pool = [];
        let m, next = 100, depth = 0;
        const keep = object => { if (object) { if (pool.length < 24) pool.push(object); else pool[roll(24)] = object; } };
        const any = name => pick(pool.filter(o => o.objectSchema().name === name).concat([null]));
        const value = type => {
          switch (type) {
            case "n": return pick([1, 2, 3, -7, 9007199254740993n, "wrong", null, 1.5]);
            case "text": return pick(["s", "é", "", null, 5]);
            case "link": return pick([any("B"), any("B"), any("B"), any("B"), any("A"), null, undefined, { id: next++, x: 1 }]);
            case "next": return pick([any("A"), any("A"), any("A"), any("B"), null, { n: 77 }]);
            case "names": return pick(["x", "y", "ü", null, 3]);
            case "numbers": return pick([1, 2, null, 9007199254740993n, "no"]);
            case "times": return pick([new Date(roll(9) * 1000), new Date(-500), null]);
            case "flags": return pick([true, false, 1]);
            case "part": return pick([{ n: roll(9) }, { n: 1, inner: { n: roll(9) }, lists: [any("B")].filter(b => b) }, null, any("E")]);
            case "n?": return pick([1, null, 6]);
            case "when": return pick([new Date(roll(9)), null]);
            case "x": return pick([1, 2.5, "bad"]);
          }
        };
        const kinds = { links: "link", names: "names", numbers: "numbers", times: "times", flags: "flags", parts: "part", all: "next", lists: "link", bag: "link" };
        const plain = { A: ["n", "text", "link", "next", "part"], B: ["n?", "owner", "when", "x"], E: ["n", "seen", "inner"], F: ["n"] };
        const lists = { A: ["links", "names", "numbers", "times", "flags", "parts"], B: ["all"], E: ["lists"], F: [] };
        const types = { owner: "next", seen: "next", inner: "part" };
        const change = (object, name) => {
          const list = object[name], kind = kinds[name];
          const values = [value(kind), value(kind)].slice(0, 1 + roll(2));
          switch (roll(18)) {
            case 0: case 1: return list.push(...values);
            case 2: return show(list.pop());
            case 3: return show(list.shift());
            case 4: return list.unshift(...values);
            case 5: return show(list.splice(roll(4), roll(3), ...values));
            case 6: case 7: list[roll(3)] = values[0]; return list.length;
            case 8: list.length = roll(2); return list.length;
            case 9: object[name] = [...list].reverse(); return show(object[name]);
            case 10: object[name] = values; return show(list);
            case 11: list.reverse(); return show(list);
            case 12: { const other = pick(pool); if (other.objectSchema().name === object.objectSchema().name) object[name] = other[name]; return show(list); }
            case 13: list.removeAll(); return list.length;
            case 14: list.remove(roll(3) - 1); return show(list);
            case 15: for (const element of list) { if (list.length < 12) list.push(element); } return show(list);
            case 16: { const held = list[0]; object[name] = list.filter((_, i) => i % 2 === 0); list.push(held); return show(object[name]); }
            default: list.sort((x, y) => (show(x) > show(y) ? 1 : -1)); return show(list);
          }
        };
        const act = object => {
          const name = object.objectSchema().name;
          const property = pick(plain[name]), list = pick(lists[name].concat(["links"]));
          switch (roll(20)) {
            case 0: case 1: { const p = property === "n?" ? "n" : property; object[p] = value(types[p] ?? property); return show(object[p]); }
            case 2: case 3: case 4: return lists[name].includes(list) ? change(object, list) : 0;
            case 5: case 6: return name === "A" ? [object.link && object.link.x, object.next && [object.next.n, object.next.text, show(object.next.links)], object.part && [object.part.n, show(object.part.seen)]] : show(object.owner);
            case 7: if (name === "A") { keep(object.link); keep(object.next); keep(object.part); keep(object.parts[0]); for (const b of object.links) keep(b); } else if (name === "B") { keep(object.owner); for (const a of object.all) keep(a); } return 0;
            case 8: if (name === "A" && object.next) { object.next.n += 1; object.next.text = "by " + object.n; object.next.link = object.link; return [object.next.n, show(object.next.link)]; } return 0;
            case 9: if (name === "A" && object.next) { object.next.links.push(any("B")); object.next.names.push("z"); return show(object.next.links); } return 0;
            case 10: if (roll(2) === 0) { const what = pick(pool); m.delete(what); return show(what._key); } return object.isValid();
            case 11: keep(name === "A" ? m.create("A", { n: next++, link: any("B"), links: [any("B"), any("B")].filter(b => b), part: value("part") }) : m.create("B", { id: next++, x: 1, owner: any("A") })); return 0;
            case 12: { const target = name === "A" ? object.link ?? object.links[0] : name === "B" ? object.owner : null; if (target && roll(2)) m.delete(target); return show(target); }
            case 13: if (name === "A") { const part = object.part; keep(part); object.part = value("part"); object.parts = [value("part"), value("part")].filter(v => v); return [part && part.isValid() && part.n, show(object.parts)]; } return 0;
            case 14: { const found = m.newRealm.objectForPrimaryKey("B", 1 + roll(6)); keep(found); return show(found); }
            case 15: keep(m.newRealm.objects(pick(["A", "B"]))[roll(6)]); return 0;
            case 16: keep(m.oldRealm.objects(pick(["A", "B"]))[roll(5)]); return 0;
            case 17: if (name === "A") { object.bag.add(any("B")); object.bag.delete(any("B")); return show(object.bag); } return 0;
            case 18: if (depth < 2) { depth += 1; try { visit(pick(["A", "B", "E"]), 2); } finally { depth -= 1; } } return 0;
            default: if (roll(40) === 0) { m.deleteData(pick(["A", "B"])); return "all"; } if (roll(3) === 0 && name !== "F") { const made = m.create(pick(["A", "B"]), object); keep(made); } return 0;
          }
        };
        const whole = object => {
          const json = JSON.stringify(object, (_, v) => typeof v === "bigint" ? v + "n" : v);
          return object.objectSchema().name === "A" ? [json, show(object.owned), show(object.listed)] : json;
        };
        const step = current => {
          const object = current && roll(2) ? current : pick(pool);
          try { log(object, act(object)); } catch (error) { console.log(error.message); }
          for (const shown of [object, pick(pool)]) {
            try { if (roll(2)) log(shown, whole(shown)); } catch (error) { console.log(error.message); }
          }
        };
        const visit = (name, steps) => m.enumerateObjects(name, (o, n) => {
          if (o && roll(4) === 0) keep(o);
          keep(n);
          for (let i = roll(steps + 1); i > 0; i--) step(n);
        });
        function migrate(migration) {
          m = migration;
          for (let round = 0; round < 7; round++) { visit(pick(["A", "A", "B", "E"]), 8); for (let i = 0; i < 6 && pool.length; i++) step(); }
          for (const o of pool) console.log(o.isValid());
        }
        """#

    @Test(arguments: 0..<60)
    func `does the same by columns and value by value`(seed: Int) throws {
        let rowGroups = RowGroupLimits(rows: seed % 3 + 1, bytes: seed % 2 == 0 ? 1 << 20 : 512)
        let results = try [true, false].map { usesColumns in
            let realm = try TestRealm(Self.json, limits: rowGroups)
            let run = TestRealm.Run(usesColumns: usesColumns, rowGroups: rowGroups)
            let source = Self.script.replacing("SEED", with: "\(seed * 7919 + 17)")
            do {
                let json = try realm.json(source, run)
                return run.observer.lines + [json]
            } catch let error as MigrationError {
                return run.observer.lines + ["\(error)", "\(error.details)"]
            }
        }
        let lines = zip(results[0], results[1])
        let difference = lines.enumerated().first { $0.element.0 != $0.element.1 }
        #expect(results[0].count > 40, "the walk ended early: \(results[0].suffix(2))")
        let message = difference.map {
            "line \($0.offset): \($0.element), after \(results[0].prefix($0.offset).suffix(6))"
        }
        #expect(message == nil && results[0].count == results[1].count, "\(message ?? "")")
    }
}
