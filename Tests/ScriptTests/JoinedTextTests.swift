import Columns
import RealmMigration
import Testing

@testable import ScriptChild

/// Texts that were joined with their neighbours, because a script was done with their rows, are what they were.
@Suite struct JoinedTextTests {
    /// Row groups whose texts are joined four rows at a time.
    private static let rowGroups = RowGroupLimits(rows: 128, bytes: 1 << 20)

    private static let json = """
        {"schemaVersion": 0, "schema": [{"name": "P", "properties": {"a": "string", "b": "string?"}}],
         "objects": {"P": [\(
            (0..<300).map { #"{"a": "é\#($0)", "b": \#($0.isMultiple(of: 3) ? "null" : "\"\($0)\"")}"# }
                .joined(separator: ","))]}}
        """

    @Test(arguments: [
        "m.enumerateObjects('P', (o, n) => { n.a = o.a + '/' + o.b; n.b = o.b === null ? o.a : null })",
        // Every second text, and none at all where a run of rows begins.
        "m.enumerateObjects('P', (o, n) => { if (o._key % 2) n.a = 'odd' + o.a; if (o._key % 4) n.b = '' })",
        // Read again when joined, from the same row group and from others.
        "const all = []; m.enumerateObjects('P', (o, n) => { n.a = o.a + '!'; all.push(n); log(all[all.length >> 1].a) })",
        """
        const all = []; m.enumerateObjects('P', (o, n) => {
          n.a = 'x' + o.a; n.b = 'y';
          all.push(n);
          const earlier = all[o._key * 7 % all.length];
          if (o._key % 5 === 0) earlier.a += '+' + o._key;
          if (o._key % 11 === 0) earlier.b = null;
          if (o._key % 13 === 0) earlier.b = 'longer than before';
          log(earlier.a, earlier.b);
        })
        """,
        "m.enumerateObjects('P', (o, n) => { n.a += 1; if (o._key % 50 === 49) m.enumerateObjects('P', (p, q) => { q.a += 2; q.b = q.a }) })",
        """
        const all = []; m.enumerateObjects('P', (o, n) => {
          n.a = o.a + o.a; all.push(n);
          if (o._key % 9 === 8) { m.delete(all[o._key - 3]); all[o._key - 5].a += 'kept'; }
          if (o._key % 40 === 39) m.create('P', { a: all[o._key - 1].a });
        })
        """,
        "m.enumerateObjects('P', (o, n) => { n.a = o.a + 'x'; if (o._key === 100) throw new Error(n.a) })",
        "try { m.enumerateObjects('P', (o, n) => { n.a = o.a + 'x'; if (o._key === 100) throw 1 }) } catch {}",
    ])
    func `does the same as value by value`(body: String) throws {
        let results = try [true, false].map { usesColumns in
            let realm = try TestRealm(Self.json, limits: Self.rowGroups)
            let run = TestRealm.Run(usesColumns: usesColumns, rowGroups: Self.rowGroups)
            let source = "const log = (...v) => console.log(...v); function migrate(m) { \(body) }"
            do {
                return [try realm.json(source, run)] + run.observer.lines
            } catch let error as MigrationError {
                return ["\(error)", "\(error.details)"] + run.observer.lines
            }
        }
        #expect(results[0] == results[1])
    }
}
