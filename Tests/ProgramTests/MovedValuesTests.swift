import Foundation
import Testing

/// Scripts that move values within an object or to a linked one: all of them, or not.
struct MovedValuesTests {
    struct Script: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var body: String
        /// The properties that the class has before and after; the others stay.
        var old = ""
        var new = ""
        /// Those of the objects that the script makes, which are linked.
        var linked = "made: int?"
        var said: String

        init(
            _ name: String, _ body: String, old: String = "", new: String = "", linked: String = "made: int?",
            _ said: String
        ) {
            (testDescription, self.body, self.old, self.new, self.linked) = (name, body, old, new, linked)
            self.said = said
        }
    }

    private static let peace = "  nothing is lost\n"
    private static let copy = "a: o.e.a, b: o.e.b, s: o.e.s, h: o.e.h, l: [...o.e.l]"

    private static let within: [Script] = [
        Script("the same again", "n.e = {\(copy)};", peace),
        Script("two numbers of all", "n.e = {\(copy), a: o.e.b, b: o.e.a};", "warning (exchangedValues): C.e"),
        Script("two numbers of two", "if (o.id < 2) n.e = {\(copy), a: o.e.b, b: o.e.a};", "2 values were replaced"),
        Script(
            "texts of two embedded objects", "n.e = {\(copy), s: o.f.s}; n.f = {...o.f, s: o.e.s};",
            "warning (exchangedValues): C.e"),
        Script("two lists", "const t = [...o.t]; n.t = [...o.w]; n.w = t;", "warning (exchangedValues): C.t"),
        Script("entries of a dictionary", "n.d = {p: o.d.q, q: o.d.p};", "warning (exchangedValues): C.d"),
        Script("a list in another order", "n.e = {\(copy), l: [...o.e.l].reverse()};", "6 values were replaced"),
        Script("a list without one of two", "n.e = {\(copy), l: [...new Set(o.e.l)]};", "6 values were replaced"),
        Script("a flag that is another one", "n.e = {\(copy), h: !o.e.h};", "6 values were replaced"),
    ]

    private static let pairs = "const [a, b] = o.xw.s.split(' '), [c, d] = o.xw.v.split(' ');"

    private static let parts: [Script] = [
        Script(
            "words of two texts of an embedded object", "\(pairs) n.xw = {s: a + ' ' + d, v: c + ' ' + b};",
            "warning (exchangedValues): C.xw: values of 6"),
        Script(
            "words of two texts", "\(pairs) n.w1 = a + ' ' + d; n.w2 = c + ' ' + b;", "12 values were replaced"),
        Script(
            "the last words of texts that move", "\(pairs) n.y1 = a + ' ' + d; n.y2 = c + ' ' + b;", old: "xw: W",
            new: "y1: string, y2: string", "6 values were replaced"),
        Script(
            "an element and an embedded value", "n.e = {\(copy), s: o.w[0]}; n.w = [o.e.s];",
            "warning (exchangedValues): C.w: values of 6"),
        Script("an element and a text", "n.w1 = o.w[0]; n.w = [o.w1];", "warning (exchangedValues): C.w: values of 6"),
        Script("an element and a number", "n.c = o.i[1]; n.i = [o.i[0], o.c];", "(exchangedValues): C.i: values of 6"),
        Script(
            "parts of a text", "\(pairs) n.y1 = a; n.y2 = b;", old: "w1: string", new: "y1: string, y2: string", peace),
    ]

    /// Values that move to new names, by a map that is another one for some objects.
    private static let renamed: [Script] = [
        Script("two texts", "n.y1 = o.w1; n.y2 = o.w2;", old: "w1: string, w2: string", new: texts, peace),
        Script(
            "two texts, exchanged in some", swap("w1", "w2"), old: "w1: string, w2: string", new: texts,
            "warning (exchangedValues): C.w1: values of 2"),
        Script(
            "two numbers, exchanged in some", swap("n1", "n2"), old: "n1: double, n2: double",
            new: "y1: double, y2: double", "4 values were replaced"),
        Script(
            "two numbers as texts, exchanged in some", swap("n1 + ' EUR'", "n2 + ' EUR'"),
            old: "n1: double, n2: double",
            new: texts, "4 values were replaced"),
        Script(
            "values of an embedded object, exchanged in some", swap("xw.s", "xw.v"), old: "xw: W", new: texts,
            "warning (exchangedValues): C.xw: values of 2"),
        Script(
            "two texts to one of two names each", "if (o.id < 2) n.y1 = o.w1; else n.y2 = o.w1;", old: "w1: string",
            new: texts, peace),
        Script(
            "one text twice", "n.y1 = o.w1; n.y2 = o.w2; if (o.id < 2) n.y3 = o.w1;", old: "w1: string, w2: string",
            new: texts + ", y3: string", peace),
    ]

    private static let renamedApart: [Script] = [
        Script(
            "texts", "n.k.s = o.w1; n.k.v = o.w2;", old: "w1: string, w2: string", linked: "s: string?, v: string?",
            peace),
        Script(
            "texts, exchanged in some", "[n.k.s, n.k.v] = o.id < 2 ? [o.w2, o.w1] : [o.w1, o.w2];",
            old: "w1: string, w2: string", linked: "s: string?, v: string?",
            "warning (exchangedValues): C.w1: values of 2"),
        Script(
            "numbers, exchanged in some", "[n.k.s, n.k.v] = o.id < 2 ? [o.n2, o.n1] : [o.n1, o.n2];",
            old: "n1: double, n2: double", linked: "s: double?, v: double?", "4 values were replaced"),
        Script(
            "values of an embedded object, exchanged in some",
            "[n.k.s, n.k.v] = o.id < 2 ? [o.xw.v, o.xw.s] : [o.xw.s, o.xw.v];", old: "xw: W",
            linked: "s: string?, v: string?", "warning (exchangedValues): C.xw: values of 2"),
        Script(
            "a text to a linked object or stays",
            "if (o.id < 2) { n.y1 = o.w1; n.k.s = o.w2; } else { n.y1 = o.w2; n.k.s = o.w1; }",
            old: "w1: string, w2: string", new: "y1: string", linked: "s: string?",
            "(exchangedValues): C.w1: values of 2"),
    ]

    private static let texts = "y1: string, y2: string"

    private static func swap(_ one: String, _ other: String) -> String {
        "[n.y1, n.y2] = o.id < 2 ? [o.\(other), o.\(one)] : [o.\(one), o.\(other)];"
    }

    @Test(arguments: parts) func `by parts are seen`(script: Script) throws { try look(script) }

    @Test(arguments: renamed + renamedApart) func `to new names have one map in all objects, or it is told`(
        script: Script
    ) throws {
        try look(script)
    }

    @Test func `of which no finding tells are counted beside findings`() throws {
        let script = Script(
            "", "n.e = {\(Self.copy), l: [...o.e.l].reverse()};", old: "n1: double",
            "no error, but 1 warning; 6 values were replaced by others: look at the properties that changed")
        try look(script)
        try look(
            Script("", "n.e = {\(Self.copy), l: [...o.e.l].reverse()}; n.m = '';", "  6 values were replaced by others")
        )
    }

    private static let linked: [Script] = [
        Script("a date", "n.k.v = o.at;", old: "at: date", linked: "v: date?", peace),
        Script(
            "the day of a date", "n.k.v = new Date(o.at.getTime() - o.at.getTime() % 86400000);", old: "at: date",
            linked: "v: date?", "droppedValue): C.at: values of 6"),
        Script(
            "a number between words without its sign", "n.k.v = o.z2.replace('-', '');", old: "z2: string",
            linked: "v: string?", "droppedValue): C.z2: values of 6"),
        Script("a number between words", "n.k.v = 'x ' + o.z2;", old: "z2: string", linked: "v: string?", peace),
        Script(
            "an embedded object", "n.k.s = o.e.s; n.k.h = o.e.h; n.k.l = [...o.e.l]; n.k.a = o.e.a; n.k.b = o.e.b;",
            old: "e: E", linked: "s: string?, h: bool?, l: string[], a: int?, b: int?", peace),
        Script(
            "an embedded object whose flag is one for all",
            "n.k.s = o.e.s; n.k.h = true; n.k.l = [...o.e.l]; n.k.a = o.e.a; n.k.b = o.e.b;", old: "e: E",
            linked: "s: string?, h: bool?, l: string[], a: int?, b: int?", "droppedValue): C.e: values of 3"),
        Script(
            "an embedded object whose list is in another order",
            "n.k.s = o.e.s; n.k.h = o.e.h; n.k.l = [...o.e.l].reverse(); n.k.a = o.e.a; n.k.b = o.e.b;", old: "e: E",
            linked: "s: string?, h: bool?, l: string[], a: int?, b: int?", "droppedValue): C.e: values of 6"),
        Script("signs", "n.k.v = o.m;", old: "m: string", linked: "v: string?", peace),
        Script(
            "fewer signs", "n.k.v = '*';", old: "m: string", linked: "v: string?", "droppedValue): C.m"),
        Script(
            "a number without its sign", "n.k.v = o.z.slice(1);", old: "z: string", linked: "v: string?",
            "droppedValue): C.z: values of 6"),
        Script("a list", "n.k.v = [...o.t];", old: "t: string[]", linked: "v: string[]", peace),
        Script(
            "a list in another order", "n.k.v = [...o.t].reverse();", old: "t: string[]", linked: "v: string[]",
            "droppedValue): C.t: values of 6"),
        Script(
            "a list that is a set", "n.k.v = [...o.t];", old: "t: string[]", linked: "v: string<>",
            "droppedValue): C.t: values of 6"),
        Script("a dictionary", "n.k.v = {...o.d};", old: "d: int{}", linked: "v: int{}", peace),
        Script(
            "a dictionary of other keys", "n.k.v = {x: o.d.p, y: o.d.q};", old: "d: int{}", linked: "v: int{}",
            "droppedValue): C.d: values of 6"),
    ]

    private static let keys: [Script] = [
        // The first objects of two classes have the same key.
        Script("an embedded object", "n.k.v = 1;", old: "e: E", linked: "v: int?", "droppedValue): C.e: values of 6"),
        Script("a link", "n.k.v = 1;", old: "o: C?", linked: "v: int?", "droppedValue): C.o: values of 6"),
    ]

    private static let stayed: [Script] = [
        Script("an object that stays", "n.e = {\(copy)};", old: "u: string", "droppedValue): C.u: values of 6"),
        Script("a list of the same", "n.t = [...o.t];", old: "u: string", "droppedValue): C.u: values of 6"),
        Script("an object for a text that is empty", "n.e = {\(copy)}; n.u = '';", "valueToEmpty): C.u"),
    ]

    private static let stayedNumbers: [Script] = [
        Script(
            "an object with a number that stays", "n.e = {\(copy)};", old: "c: int", "droppedValue): C.c: values of 6")
    ]

    private static let flags: [Script] = [
        Script("one of two", "n.x = o.g2;", old: "g1: bool, g2: bool", new: "x: bool", "droppedValue): C.g1"),
        Script("both", "n.x = o.g2; n.y = o.g1;", old: "g1: bool, g2: bool", new: "x: bool, y: bool", peace),
        Script("as a list", "n.x = [o.g1, o.g2];", old: "g1: bool, g2: bool", new: "x: bool[]", peace),
        Script("as a text", "n.x = String(o.g1);", old: "g1: bool", new: "x: string", peace),
        Script("as a number", "n.x = o.g1 ? 1 : 0;", old: "g1: bool", new: "x: int", peace),
        Script("out of an object", "n.x = o.q.h; n.y = o.q.i;", old: "q: Q", new: "x: bool, y: bool", peace),
        Script("one of two out of an object", "n.x = o.q.h;", old: "q: Q", new: "x: bool", "C.q: values of 3"),
        Script(
            "out of a list", "n.x = o.r[0]; n.y = o.r[1];", old: "r: bool[]", new: "x: bool, y: bool", peace),
        Script(
            "out of a list the other way round", "n.x = o.r[1]; n.y = o.r[0];", old: "r: bool[]",
            new: "x: bool, y: bool", "were replaced by others"),
        Script("another one's", "n.g1 = o.g2;", old: "g2: bool", "valueToEmpty): C.g1"),
    ]

    @Test(arguments: within) func `within an object are seen`(script: Script) throws { try look(script) }

    @Test(arguments: linked) func `to a linked object are all there, or told`(script: Script) throws {
        try look(script)
    }

    @Test(arguments: keys) func `are not in a link to an object of another class`(script: Script) throws {
        try look(script)
    }

    @Test(arguments: stayed + stayedNumbers) func `are not in one that has them still`(script: Script) throws {
        try look(script)
    }

    @Test(arguments: flags) func `of flags are told from each other`(script: Script) throws { try look(script) }

    // MARK: The realm

    private static let properties = [
        "id: int", "e: E", "f: F", "t: string[]", "w: string[]", "d: int{}", "at: date", "m: string", "z: string",
        "z2: string", "u: string", "o: C?", "c: int", "g1: bool", "g2: bool", "q: Q", "r: bool[]", "xw: W",
        "w1: string", "w2: string", "i: int[]", "n1: double", "n2: double",
    ]

    private static let embedded = [
        "E": "a: int, b: int, s: string, h: bool, l: string[]", "F": "s: string, c: int", "Q": "h: bool, i: bool",
        "W": "s: string, v: string",
    ]

    private static func properties(_ properties: some Sequence<String>) -> String {
        "{" + properties.map { "\"" + $0.replacing(": ", with: "\": \"") + "\"" }.joined(separator: ", ") + "}"
    }

    private static func split(_ text: String) -> [String] { text.isEmpty ? [] : text.components(separatedBy: ", ") }

    private static func schema(_ version: Int, _ own: [String], _ linked: String?) -> String {
        let parts = embedded.sorted { $0.key < $1.key }.map {
            #"{"name": "\#($0.key)", "embedded": true, "properties": \#(properties(split($0.value)))}"#
        }
        let other = linked.map { [#"{"name": "K", "properties": \#(properties(split($0)))}"#] } ?? []
        let links = linked == nil ? [] : ["k: K?"]
        let all = parts + other + [#"{"name": "C", "properties": \#(properties(own + links))}"#]
        return #""schemaVersion": \#(version), "schema": [\#(all.joined(separator: ", "))]"#
    }

    private static func object(_ id: Int) -> String {
        let word = ["red", "blue", "green", "brown", "grey", "pink"][id]
        let (one, other) = (id % 2 == 0, id % 3 == 0)
        return """
            {"id": \(id), "e": {"a": \(100 + id), "b": \(200 + id), "s": "\(word)", "h": \(one), "l": ["\(word)", "\(word)", "x"]},
            "f": {"s": "f\(word)", "c": \(id)}, "t": ["\(word)", "tea", "tea"], "w": ["w\(word)"],
            "d": {"p": \(300 + id), "q": \(400 + id)}, "at": {"$date": "2001-02-1\(id)T10:20:3\(id)Z"},
            "m": "\(String(repeating: "*", count: id + 1))", "z": "-12\(id)5", "z2": "at -3\(id) C", "u": "\(word)", "o": \(id), "c": \(100 + id), "g1": \(one), "g2": \(other),
            "q": {"h": \(one), "i": \(!one)}, "r": [\(one), \(other)],
            "xw": {"s": "one\(word) of\(id)", "v": "two\(word) in\(id)"}, "w1": "one\(word) of\(id)", "w2": "two\(word) in\(id)",
            "i": [7\(id), 9\(id)], "n1": 20\(id).5, "n2": 31\(id).25}
            """
    }

    private func look(_ script: Script) throws {
        let folder = try TemporaryFolder()
        let dropped = Self.split(script.old)
        let kept = Self.properties.filter { !dropped.contains($0) } + Self.split(script.new)
        let objects = (0..<6).map(Self.object).joined(separator: ", ")
        let source = "{\(Self.schema(1, Self.properties, nil)), \"objects\": {\"C\": [\(objects)]}}"
        let body = "n.k = m.create('K', {}); \(script.body)"
        let run = try BuiltProgram.run([
            "rehearse", try folder.file("c.json", source), "--schema",
            try folder.file("target.json", "{\(Self.schema(2, kept, script.linked))}"), "--script",
            try folder.file("s.js", "function migrate(m) { m.enumerateObjects('C', (o, n) => { \(body) }); }"),
            "--quiet", "--fail-on", "never",
        ])
        #expect(run.output.contains(script.said), "\(run.output) \(run.error)")
    }
}
