import CJavaScriptCore
import RealmJSON
import RealmModel
import Testing

@testable import ScriptChild

@Suite
struct PreludeTests {
    private static let files = Prelude.world + Prelude.core + Prelude.parts.flatMap(\.files)

    @Test("Each file of the prelude is a program by itself, and says first what it is about")
    func parses() throws {
        let context = try JavaScriptContext(in: JavaScriptMachine(memoryBytes: 256 << 20))
        for file in Self.files {
            #expect(file.text.hasPrefix("// "), "\(file.name)")
            #expect(throws: Never.self, "\(file.name)") { try context.checkSyntax(file.text, name: file.name) }
        }
    }

    @Test func `what a world is not prepared for its script can't name`() {
        let plain = ScriptTraits(
            "function migrate(m) { m.enumerateObjects('A', (o, n) => { n.s = o.s + 'Update'; }); }")
        #expect(!plain.needsPreparation)
        let all = [
            "globalThis['x']", "this.x", "o.constructor", "\\u0061", "[].__proto__", "A.prototype", "f.getPrototypeOf",
        ]
        for text in all {
            let traits = ScriptTraits(text)
            #expect(
                traits.changesLanguage && traits.usesConsole && traits.makesValues && traits.asksForTime, "\(text)")
        }
        let ways = [
            "x[Symbol.iterator]", "Array['proto' + 'type']", "Array[name]", "Array [name]", "Array\n[name]",
            "Array/**/[name]",
            "a?.[name]", "f()[name]", "[][name]", "''[name]", "`${a}`[name]", "({})[name]", "o.in[name]",
            "o . return [name]",
            "Array[0, name]", "Array['proto\\x74ype']", "Array[`proto${rest}`]", "é[name]", "of[name]",
            "const { [name]: p } = Array", "({ [name] : p } = Array)", "let = Array; (let[name])",
            "({ [name]/**/: p } = Array)",
            "Object.values(x)", "Reflect.get(x, name)", "[].__lookupGetter__(name)",
        ]
        for text in ways { #expect(ScriptTraits(text).changesLanguage, "\(text)") }
        let others = [
            "o.parts[0]", "o['name']", "o[ \"name\" ]", "f(a, [b, c])", "const [a, b] = o.s.split(' ')",
            "return [a, b]",
            "x = [a]", "for (const [k, v] of m) {}", "n.s = [a, b].join('-')", "typeof [a]", "a => [a]",
        ]
        for text in others { #expect(!ScriptTraits(text).changesLanguage, "\(text)") }
        #expect(ScriptTraits("if (o.n)console.log(1)").usesConsole)
        for name in ["Decimal128", "ObjectId", "ObjectID", "UUID", "BSON", "Realm"] {
            #expect(ScriptTraits("new \(name)()").makesValues)
        }
        for name in ["Date", "Math", "Intl"] { #expect(ScriptTraits("(\(name))").asksForTime) }
    }

    @Test func `a schema is described as JSON whatever its names have`() throws {
        let names = ["plain", "say \"so\"", "back\\slash", "line\nend\u{1}", "naïve 🦜", "", "a/b"]
        let schema = Schema([ObjectSchema("Class \"A\"", properties: names.map { Property($0, .string) })])
        let described = try JSONValue.parse(Array(SchemaDescription.json(schema).utf8))
        let first = try #require(described.elements?.first)
        #expect(first["name"] == .string("Class \"A\""))
        let properties = try #require(first["properties"]?.string)
        let shown = try JSONValue.parse(Array(properties.utf8)).elements ?? []
        #expect(shown.map { $0["name"] } == names.map { .string($0) })
        #expect(shown.map { $0["storedName"] } == names.map { .string($0) })
    }

    @Test func `a world is the same however many there were before it`() throws {
        let machine = try JavaScriptMachine(memoryBytes: 256 << 20)
        for _ in 0..<2_100 {
            let context = try JavaScriptContext(in: machine)
            let program = try machine.prelude.run(in: context)
            #expect(context.type(of: try context.member("make", of: program)) == kJSTypeObject)
        }
    }

    @Test("Swift and the prelude agree on constants, each of which is declared once")
    func sharesConstants() {
        let names = Prelude.constants.split(separator: "\n").map { $0.split(separator: " ")[1] }
        #expect(Set(names).count == names.count)
        let program = Self.files.map(\.text).joined()
        // Memory begins with zeros, and of a mixed value the prelude knows the plain kinds.
        for name in names where !["KEPT", "MIXED_KEPT", "MIXED_OTHER"].contains(name) {
            #expect(program.contains(name), "\(name) is not used.")
        }
    }
}
