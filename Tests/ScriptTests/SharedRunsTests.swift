import Columns
import RealmJSON
import RealmMigration
import RealmModel
import ScriptWire
import TestRandomness
import Testing

@testable import ScriptChild

/// Realms that a script migrates one after the other end as each would alone.
@Suite(.serialized) struct SharedRunsTests {
    private let machine: JavaScriptMachine
    private let realms: [TestRealm]
    private let log = TestObserver()

    init() throws {
        machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        // Three, from which on some scripts fail, is in one of them.
        realms = try [[1, 2], [4, 5, 6, 7], [], [2, 3, 9], [8]].map { numbers in
            let objects = numbers.map {
                #"{"n":\#($0),"s":"text \#($0)","l":[\#($0),7],"d":{"$date":"2020-01-0\#($0)T00:00:00Z"}}"#
            }
            return try TestRealm(
                """
                {"schemaVersion":0,"schema":[
                  {"name":"A","properties":{"n":"int","s":"string","t":"string?","l":"int[]","d":"date","k":"B"}},
                  {"name":"B","primaryKey":"id","properties":{"id":"int","u":"uuid?","c":"decimal128?","m":"mixed"}}],
                 "objects":{"A":[\(objects.joined(separator: ","))],"B":[{"id":\(numbers.count)}]}}
                """)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>) func `whatever their scripts keep between calls`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var sharedCount = 0
        for _ in 0..<12 {
            let script = RandomScript(&generator).text
            let worlds = try ScriptWorlds(in: machine, at: .brief) { [log] in log.logged($0, level: $1) }
            let key = worlds.key(ScriptSource(.javaScript, script), for: TestRealm.repeatable)
            var seen: [JavaScriptWorld] = []
            for realm in realms + realms.reversed() {
                let alone = try end(of: realm, by: script, in: try worlds.unused()).end
                let next = try worlds.world(for: key)
                if seen.contains(where: { $0 === next.world }) { sharedCount += 1 }
                seen.append(next.world)
                let (end, hasSucceeded) = try end(of: realm, by: script, in: next)
                #expect(end == alone, "\(script)")
                if hasSucceeded { worlds.keep(next.world, for: key) }
            }
        }
        #expect(sharedCount > 0)
    }

    /// Everything that a client learns of a migration.
    private func end(
        of realm: TestRealm, by script: String, in migration: JavaScriptMigration
    ) throws -> (end: [String], hasSucceeded: Bool) {
        log.lines = []
        let request = MigrationRequest(
            source: realm.snapshot, target: realm.snapshot.declared, targetVersion: 1,
            migration: DeclaredMigration(script: ScriptSource(.javaScript, script)))
        do {
            try migration.setOrigin(milliseconds: 1_000, seed: [1, 2, 3, 4])
            try migration.load(script)
            let result = try Migration(request, store: realm.store, limits: RowGroupLimits(rows: 3, bytes: 1 << 20))
                .run(
                    script: { try migration.run($0, usesColumns: true, progressed: { _ in }) }, progress: { _ in })
            var writer = RealmJSONWriter(result.snapshot, from: realm.store, layout: .document)
            var bytes: [UInt8] = []
            while let chunk = try writer.next() { bytes += chunk }
            return (log.lines + ["\(migration.findings.all)", String(decoding: bytes, as: UTF8.self)], true)
        } catch let error as MigrationError {
            return (log.lines + [error.message, "\(error.details)", "\(error.stack)", "\(error.findings)"], false)
        }
    }
}

/// A script that keeps things between calls, in ways that may share a world.
private struct RandomScript {
    let text: String

    init(_ generator: inout SeededGenerator) {
        var (outside, inside): ([String], [String]) = ([], [])
        for number in 0..<(1 + generator.below(4)) {
            guard let (kept, used) = generator.pick(Self.keeping) else { continue }
            // Each has names of its own.
            outside.append(kept.replacing("$", with: "v\(number)"))
            inside.append(used.replacing("$", with: "v\(number)"))
        }
        for number in 0..<generator.below(4) {
            inside.append((generator.pick(Self.doing) ?? "").replacing("$", with: "a\(number)"))
        }
        if generator.below(3) == 0 { inside.append("if (w.n === 3) \(generator.pick(Self.failing) ?? "")") }
        inside.shuffle(using: &generator)
        let calls = "m.enumerateObjects('A', (w, n) => {\n\(inside.joined(separator: "\n"))\n});"
        let form = generator.pick([
            "function migrate(m, version) { console.log(version); #}", "const migrate = m => { # };",
            "var migrate = function (m) { # };", "if (true) { function migrate(m) { # } }",
        ])
        outside.append((form ?? "").replacing("#", with: calls))
        if generator.below(2) == 0 { outside.reverse() }
        if generator.below(8) == 0 { outside.insert("'use strict';", at: 0) }
        text = outside.joined(separator: "\n")
    }

    private static let keeping = [
        ("let $ = 0;", "$ += 1; n.n = $;"), ("var $ = [];", "$.push(w.n); n.t = $.join();"),
        ("const $ = new Map();", "$.set(w.s, ($.get(w.s) || 0) + 1); n.n = $.size;"),
        ("const $ = new Set(['x']);", "$.add(w.n % 3); n.l.push($.size);"),
        ("function $(x) { $.count = ($.count || 0) + 1; return x + $.count; }", "n.n = $(w.n);"),
        ("const $ = (() => { let c = 0; return () => ++c; })();", "n.n = $() + w.n;"),
        ("const $ = { get x() { return $.y || 0; }, set x(q) { $.y = q; } };", "$.x = $.x + 1; n.n = $.x;"),
        ("const $ = new UUID(), $o = new ObjectId();", "m.create('B', { id: w.n * 100, u: $, m: String($o) });"),
        ("const $ = Date.now(), $r = Math.random();", "console.log($, $r, Date.now(), Math.random());"),
        ("const { max: $, floor: $f } = Math;", "n.n = $(w.n, $f(3.5));"),
        ("const $ = new Date(5);", "$.setMinutes($.getMinutes() + w.n); n.d = $;"),
        ("const $ = JSON.parse('{\"a\": [1, {\"b\": null}]}');", "$.a.push(w.n); n.s = JSON.stringify($);"),
        ("switch (1) { case 1: function $() { return 3; } }", "n.n = $();"),
        ("let { p: $, q: [$b = 4] } = { p: 1, q: [] };", "$ += $b; n.n = $;"),
        ("let $;", "if ($) n.s = $.s; $ = n;"), ("let $ = null;", "$ = $ || m.newRealm.objects('A').length; n.n = $;"),
        ("const $ = new Decimal128('1.5');", "m.create('B', { id: w.n * 1000, c: $, m: w.d });"),
    ]
    private static let doing = [
        "console.log(w.s, n.n, typeof w.d, [1, { a: 2n }], w);", "n.l = [...w.l].reverse();",
        "if (w.n % 2 === 0) m.create('A', { n: w.n, s: 'made', l: [w.n], d: w.d });",
        "const $ = m.newRealm.objects('B'); n.k = $.length > 0 ? $[0] : null;",
        "const $ = m.create('A', { n: 1, s: 'gone', d: w.d }); m.delete($);",
        "n.n = m.oldRealm.objects('A').filtered('n > $0', 2).length;", "n.t = w.t?.length ?? 'none';",
        "n.s = w.s.toUpperCase().padEnd(8, '-').replaceAll('T', 'u');", "const [$, ...$r] = w.s; n.t = $ + $r.length;",
        "for (const $ of Array.of(3, 1, 2).sort()) n.l.push($);", "n.t = typeof Math.seen + typeof [].map.c;",
        "n.s = `${w.n}${`<${w.s}>`}`;",
    ]
    private static let failing = [
        "throw new Error('no ' + w.n);", "null.x;", "missing.x = 1;", "n.n = 'text';", "n.absent = 1;",
        "w.s.first.second();",
        "throw 5;", "m.create('B', { id: 3 });", "n.l = [...5];",
        "(function deep(x) { return x > 0 ? deep(x - 1) : null.x; })(9);",
    ]
}
