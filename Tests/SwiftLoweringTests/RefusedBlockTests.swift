import Foundation
import Testing

/// Migration blocks that would do something else than in the app are refused, before anything runs.
struct RefusedBlockTests {
    @Test(arguments: [
        ("print(Volume(level: 50).level)", "‘@Clamped’ may change what this does"),
        ("print(joined(\"a\"))", "‘@Joiner’ may change what this does"),
        ("print(tag(of: Tagged()))", "Which ‘tag’ a generic function reads is not known here"),
        ("print([() -> Int]().count)", "A type of functions is not understood as a value: write it behind a name"),
        ("print([2.0].map { pow($0, 2) })", "give the array a name first"),
        ("print([1, 2].map { number in pow(number, 2) })", "give the array a name first"),
        ("let x = 2.5\nprint([pow(10, 2), x])", "write the type of the collection"),
        ("let x = 2.5\nprint([\"a\": x, \"b\": pow(10, 2)])", "write the type of the collection"),
        ("print((\"ab\" as NSString).range(of: \"b\").location)", "‘range’ of an ‘NSString’, which gives an ‘NSRange’"),
        ("let text: NSString = \"ab\"\nprint(text.range(of: \"b\").length)", "‘range’ of an ‘NSString’"),
        ("print([1, 2].mean())", "This member is for floating numbers: write the literals with a point"),
        ("print([1, 2].reversed())", "How this sequence is shown is not understood"),
        ("let both = zip([1], [2])\nprint(\"\\(both)\")", "How this sequence is shown is not understood"),
        ("print(Calendar.current == Calendar.current)", "can't be compared."),
        (
            "let half: Double? = 0.5\nprint(half.flatMap { $0 * 2 } ?? 0)",
            "keep the value in a constant of the type ‘Double’"
        ),
        ("let all: [Int?] = [nil]\nprint(all.first == nil)", "An optional of an optional is not understood"),
        ("let all: [Int?] = [nil]\nprint(all.last! ?? 1)", "An optional of an optional is not understood"),
        (
            "let half: Int? = 1\nprint(half.map { Int(\"\\($0)\") } == nil)",
            "An optional of an optional is not understood"
        ),
        ("print(Optional(Optional(1)) as Any)", "An optional of an optional is not understood"),
        ("print(Beagle.who())", "Which ‘name’ is meant is not known here, as ‘Beagle’ has one of its own"),
        ("print(Beagle.made())", "Which ‘tag’ is meant is not known here, as ‘Beagle’ has one of its own"),
        ("_ = Numbered()", "In which order ‘Counted’ and its subclass ‘Numbered’ call functions"),
        ("let all: [Int?] = [nil]\nprint(all[safe: 0] == nil)", "An optional of an optional is not understood"),
        ("let any: Any = 1\nprint(any as? Int? as Any)", "An optional of an optional is not understood"),
        ("print(named(Second()))", "Which ‘n’ a generic function reads is not known here"),
        ("print(Hidden().run())", "‘Hidden’ and ‘Hider’ each have a ‘x’: give one of them another name."),
        ("Worked().v = 2", "Observers of ‘v’, which ‘Working’ works out, are not understood here"),
        ("print(Beagle.copied())", "Whether ‘Hound’ or ‘Beagle’ is meant is not known here"),
        ("print(Beagle.shown())", "Whether ‘Hound’ or ‘Beagle’ is meant is not known here"),
        ("Idle().v += 1", "Observers of a lazy property are not understood."),
        ("_ = Taking(next())", "Work this out before ‘Taking’ is made, whose properties call functions too."),
        ("Lower().v = 9", "is changed in its own observer: that is not understood here."),
        ("print(same(0.5) ?? -1)", "may take this literal for a number of another type"),
        (
            "let one: Int? = 1\nprint([1, 2].filter { $0 == one })",
            "The compiler takes the elements of this literal for optionals"
        ),
        (
            "print([1, 2].map { isOne($0) ? [$0] : [] })",
            "The compiler takes the elements of this literal for optionals"
        ),
        (
            "_ = try? JSONEncoder().encode([Figure.circle(r: 1)])",
            "An enumeration without raw values is not understood as JSON"
        ),
        ("print(min(1, 2))", "Whether the app's ‘min’ or the library's is called is not known here"),
        (
            "print([\"a\", \"\"].compactMap { $0.isEmpty ? nil : $0 }.count)",
            "The compiler takes the elements of this literal for optionals"
        ),
        ("print([1, 2].filter(isOne))", "The compiler takes the elements of this literal for optionals"),
        ("let all: [Asking.Type] = [Asked.self]\nprint(all[0].k)", "‘k’ is what ‘Asking’ asks of types"),
        ("let all: [Asking] = [Asked(), Below()]\nprint(all.map { $0.shown })", "is meant for ‘Asked’ or for ‘Below’"),
        ("print(Below().own())", "Which ‘told’ is meant is not known here, as ‘Below’ has one of its own"),
        (
            "func add() { n += 1 }\ndefer { print(\"end\") }\nvar n = 0\nadd()",
            "‘n’ is used here before it is declared: declare it before this."
        ),
        ("print(2 + 3 ** 2)", "No file tells how strongly ‘**’ binds beside other operators"),
        ("print(2 |> 3 + 2)", "No file tells how strongly ‘|>’ binds beside other operators"),
        ("print(\"b\".compare(\"a\"))", "How a value of the type ‘ComparisonResult’ is shown is not understood"),
        ("print(\"\\(2...)\")", "How a value of the type ‘PartialRange’ is shown is not understood"),
        ("print([Optional(Locale.current)])", "How a value of the type ‘Locale’ is shown is not understood"),
        (
            "print(String(describing: [\"a\": TimeZone(secondsFromGMT: 0)]))",
            "How a value of the type ‘TimeZone’ is shown is not understood"
        ),
        (
            "print(\"\\((1, DateComponents(year: 2020)))\")",
            "How a value of the type ‘DateComponents’ is shown is not understood"
        ),
        (
            "print(\"\\(Spot.at(\"a\".startIndex))\")",
            "How a value of the type ‘StringIndex’ is shown is not understood"
        ),
        (
            "let options: JSONSerialization.WritingOptions = .sortedKeys\nNSLog(\"%@\", Written(options: options) as Any)",
            "How a value of the type ‘JSONOptions’ is shown is not known here"
        ),
        (
            "print([\"b\".compare(\"a\") as Any])",
            "How a value of the type ‘ComparisonResult’ is shown is not known here"
        ),
        (
            "migration.enumerateObjects(ofType: \"Dog\") { old, _ in print(\"\\(old!)\") }",
            "How a value of the type ‘MigrationObject’ is shown is not understood"
        ),
        (
            "migration.enumerateObjects(ofType: \"Owner\") { old, _ in print(old![\"favourite\"] as Any) }",
            "How a value of the type ‘Dog’ is shown is not known here"
        ),
        (
            "migration.enumerateObjects(ofType: \"Owner\") { old, _ in print(old![\"scores\"] as Any) }",
            "How this value is shown is not known here"
        ),
        ("debugPrint(List<Int>())", "How a value of the type ‘List<Int>’ is shown is not understood"),
        ("let value: Int? = nil\nprint(value is AnyObject)", "Every value is one of ‘AnyObject’, and nil is too"),
        ("let value: Int? = nil\nprint(value as? Any == nil)", "Every value is one of ‘Any’, and nil is too"),
        ("print(NSDecimalNumber(string: \"abc\").stringValue)", "NSDecimalNumber(string:) of what is no number"),
        ("print(NSDecimalNumber(string: nil).stringValue)", "NSDecimalNumber(string:) of what is no number"),
        ("print(NSDecimalNumber.notANumber)", "‘NSDecimalNumber’ has no ‘notANumber’"),
        ("print((Decimal(1) as Any) is NSNumber)", "A Decimal as an NSNumber is not understood here"),
        (
            "let found: Any? = asked(nil, \"none\")\nprint(found ?? 0)",
            "The compiler takes ‘T’ for ‘Any?’ here, as literals tell it no type"
        ),
        ("print(2 <+> 3)", "No file tells how strongly ‘<+>’ binds beside other operators"),
    ])
    func `what would be otherwise than in the app is refused`(statements: String, message: String) throws {
        let (outcome, _) = try BlockRun.migrateDogs(
            statements,
            besides: """
                enum Spot { case at(String.Index) }
                enum Figure: Codable { case circle(r: Double) }
                struct Written { var options: JSONSerialization.WritingOptions }
                @propertyWrapper struct Clamped { var wrappedValue: Int }
                struct Volume { @Clamped var level: Int }
                func same<T>(_ value: T) -> T? { value }
                func asked<T>(_ value: Any?, _ other: T) -> T { value as? T ?? other }
                extension Array where Element: FloatingPoint { func mean() -> Element { reduce(0, +) / Element(count) } }
                class Hound { class var name: String { "A" }; class func tag() -> String { "a" }; class func who() -> String { Self.name }; class func made() -> String { tag() }; required init() {}; class func copied() -> String { "\\(Self())" }; class func shown() -> String { "\\(self)" } }
                class Beagle: Hound { override class var name: String { "B" }; override class func tag() -> String { "b" } }
                var count = 0
                func next() -> Int { count += 1; return count }
                class Counted { let id = next() }
                class Numbered: Counted { let number = next() }
                extension Array { subscript(safe i: Int) -> Element? { i < count ? self[i] : nil } }
                protocol Named { var n: String { get } }
                extension Named { var n: String { "default" } }
                class First: Named {}
                class Second: First { var n: String { "second" } }
                func named<T: Named>(_ value: T) -> String { value.n }
                class Hider { private var x = 1; func run() -> Int { x } }
                class Hidden: Hider { private var x = 2 }
                class Working { var v: Int { get { 1 } set { } } }
                class Worked: Working { override var v: Int { didSet { } } }
                class Idle { lazy var v: Int = 5 { didSet { print(oldValue) } } }
                class Taking { var a = next(); let b: Int; init(_ b: Int) { self.b = b } }
                class Upper { var v = 0 }
                class Lower: Upper { override var v: Int { didSet { if v > 3 { v = 3 } } } }
                @resultBuilder struct Joiner { static func buildBlock(_ parts: String...) -> String { parts.joined() } }
                @Joiner func joined(_ text: String) -> String { text; "b" }
                protocol Tag {}
                extension Tag { var tag: String { "protocol" } }
                struct Tagged: Tag { var tag: String { "own" } }
                func isOne(_ number: Int?) -> Bool { number == 1 }
                func min(_ a: Double, _ b: Double) -> Double { a }
                protocol Asking { static var k: String { get } }
                extension Asking { var shown: String { Self.k }; static var told: String { k } }
                class Asked: Asking { class var k: String { "A" }; func own() -> String { type(of: self).told } }
                class Below: Asked { override class var k: String { "B" } }
                func tag<T: Tag>(of value: T) -> String { value.tag }
                func ** (a: Int, b: Int) -> Int { a * b }
                infix operator |>: GroupOfAnotherModule
                func |> (a: Int, b: Int) -> Int { a * b }
                infix operator <+>: AdditionPrecedence
                #if OTHER
                infix operator <+>: MultiplicationPrecedence
                #endif
                func <+> (a: Int, b: Int) -> Int { a * b }
                """)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(arguments: [
        "let n: Int? = { let all = [1]; return all.nope() }()\nprint(n ?? 0)",
        "let n: Int = { let all = [1]; return all.nope()! }()\nprint(n)",
        "print([1].map { let one = [$0]; return one.nope() }.first! + 1)",
    ])
    func `what is not understood in a closure is told alone`(statements: String) throws {
        let (outcome, _) = try BlockRun.migrateDogs(statements)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("‘[Int]’ has no ‘nope’"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("‘()’"), "\(outcome.errors)")
    }

    @Test func `names from outside are refused before anything runs, all at once`() throws {
        let body =
            "Track.shared.info(\"start\")\nmigration.enumerateObjects(ofType: Dog.className()) { _, new in\n    new![\"grams\"] = Server.current.chainID\n}"
        let (refused, _) = try BlockRun.migrateDogs(body)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("‘Track’ is declared by no file"), "\(refused.errors)")
        let (outcome, json) = try BlockRun.migrateDogs(
            body, options: ["--stub", "Track", "--parameter", "Server.current.chainID=42"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(json.contains(#""grams":42"#))
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `script check says where`(lineEnd: String) throws {
        let lines = [
            "func migrate(migration: Migration, old: UInt64) {", "    foo() // “four”", "    let x = bar + 1",
            "    print(x)",
            "    UserDefaults.standard.set(1)", "}", "",
        ]
        let file = try TemporaryFolder.shared.file(lines.joined(separator: lineEnd), "M.swift")
        let outcome = try BuiltProgram.run(["script", "check", file])
        #expect(outcome.code == 1)
        let said = outcome.output.split(separator: "\n")
        #expect(said.count == 3, "\(outcome.output)")
        #expect(said[0].hasPrefix("\(file):2:5: error: ‘foo’ is declared by no file"), "\(outcome.output)")
        #expect(said[1].hasPrefix("\(file):3:13: error: ‘bar’"))
    }
}
