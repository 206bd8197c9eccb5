import Columns
import RealmModel
import TestRandomness
import Testing

@testable import RealmJSON

/// Primary keys that memory has no room for change nothing: neither a realm nor an error.
@Suite struct `Primary keys in scratch space` {
    private enum Outcome: Equatable {
        case realm([UInt8])
        case error(InputError)
    }

    /// Reads a document with so many bytes for keys, and writes the realm.
    private static func read(
        _ bytes: [UInt8], _ layout: RealmJSONWriter.Layout, keyBytes: Int, rows: Int = 16_384
    ) throws -> Outcome {
        let store = MemorySegmentStore()
        let source = ByteArraySource(bytes)
        let limits = RowGroupLimits(rows: rows, bytes: 1 << 20)
        do {
            let snapshot =
                switch layout {
                case .document:
                    try RealmJSONReader(source, into: store, limits: limits, chunk: 4096, keyBytes: keyBytes).read()
                case .lines:
                    try RealmNDJSONReader(source, into: store, limits: limits, chunk: 4096, keyBytes: keyBytes).read()
                }
            return .realm(try Document.write(snapshot, from: store, .lines))
        } catch let error as InputError {
            return .error(error)
        }
    }

    private static func expectTheSame(_ bytes: [UInt8], _ layout: RealmJSONWriter.Layout, _ comment: Comment) throws
        -> Outcome
    {
        let expected = try read(bytes, layout, keyBytes: 16 << 20)
        for (keyBytes, rows) in [(0, 16_384), (200, 3), (1000, 100)] {
            try #require(try read(bytes, layout, keyBytes: keyBytes, rows: rows) == expected, comment)
        }
        return expected
    }

    @Test(arguments: [RealmJSONWriter.Layout.document, .lines])
    func `random realms come out the same`(layout: RealmJSONWriter.Layout) throws {
        for seed in 5000..<UInt64(5015) {
            var generator = RandomDocument(seed: seed)
            let store = MemorySegmentStore()
            let snapshot = try Document.read(generator.make().encoded(), into: store)
            let bytes = try Document.write(snapshot, from: store, layout)
            guard case .realm = try Self.expectTheSame(bytes, layout, "seed \(seed)") else {
                Issue.record("seed \(seed) was refused")
                continue
            }
        }
    }

    /// Few keys, so that some stand twice and some links lead nowhere; sometimes a value of another type, or a line that is cut.
    @Test(arguments: [RealmJSONWriter.Layout.document, .lines])
    func `random faults are told the same`(layout: RealmJSONWriter.Layout) throws {
        var refused: Set<InputError.Code> = []
        var accepted = 0
        for seed in 0..<60 as Range<UInt64> {
            var faulty = FaultyDocument(seed: seed)
            switch try Self.expectTheSame(faulty.make(layout), layout, "seed \(seed)") {
            case .realm: accepted += 1
            case .error(let error): refused.insert(error.code)
            }
        }
        #expect(accepted > 0)
        #expect(refused.isSuperset(of: [.duplicateKey, .brokenLink, .typeMismatch]))
    }
}

/// Objects of classes with primary keys of each type, and of one without, that link to one another; some are wrong.
private struct FaultyDocument {
    private static let types = ["A": "int", "B": "string", "C": "uuid", "D": "objectId"]
    private var random: SeededGenerator
    private let range: Int
    private let faults: [Int]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        range = Int.random(in: 10...60, using: &random)
        // How seldom a key stands twice, a link leads nowhere, and a value is wrong.
        faults = (0..<3).map { _ in [20, 200, .max, .max].randomElement(using: &random) ?? .max }
        self.random = random
    }

    mutating func make(_ layout: RealmJSONWriter.Layout) -> [UInt8] {
        let classes =
            Self.types.keys.sorted().map { name in
                #"{"name": "\#(name)", "primaryKey": "id", "properties": {"id": "\#(Self.types[name] ?? "")?", "#
                    + #""a": "A", "b": "B[]", "c": "C<>", "any": "mixed", "d": "D", "n": "int", "f": "F"}}"#
            } + [
                #"{"name": "F", "properties": {"next": "F", "b": "B", "e": "E"}}"#,
                #"{"name": "E", "embedded": true, "properties": {"c": "C"}}"#,
            ]
        let head = #""schemaVersion": 1, "schema": [\#(classes.joined(separator: ","))]"#
        var objects: [(name: String, text: String)] = []
        for name in ["A", "B", "C", "D", "F"] {
            let numbers = self.numbers()
            for number in numbers { objects.append((name, object(name, number))) }
        }
        let isCut = chance(faults[2])
        if layout == .lines {
            objects.shuffle(using: &random)
            var lines = ["{\(head)}"] + objects.map { #"{"class": "\#($0.name)", "object": \#($0.text)}"# }
            if isCut { lines[lines.count - 1].removeLast() }
            return Array(lines.joined(separator: "\n").utf8)
        }
        let members = ["B", "F", "A", "D", "C"].map { name in
            "\"\(name)\": [\(objects.filter { $0.name == name }.map(\.text).joined(separator: ",\n"))]"
        }
        let body = #""objects": {\#(members.joined(separator: ","))}"#
        let text = chance(2) ? "{\(head), \(body)}" : "{\(body), \(head)}"
        return Array((isCut ? String(text.dropLast(2)) : text).utf8)
    }

    /// The numbers of a class's objects: each once, but for faults, in their order at times.
    private mutating func numbers() -> [Int] {
        var numbers = Array(0..<range)
        if !chance(3) { numbers.shuffle(using: &random) }
        if chance(faults[0] / 10), let again = numbers.randomElement(using: &random) {
            numbers.insert(again, at: Int.random(in: 0...numbers.count, using: &random))
        }
        return numbers
    }

    private mutating func object(_ name: String, _ number: Int) -> String {
        guard name != "F" else {
            let key = chance(2) ? "\"_key\": \(number * 3), " : ""
            return #"{\#(name == "F" && range % 2 == 0 ? "" : key)"b": \#(link("B")), "e": {"c": \#(link("C"))}}"#
        }
        let links = (0..<Int.random(in: 0...3, using: &random)).map { _ in link("C") }
        let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in link("B") }.filter { $0 != "null" }
        let any = link("D")
        let number1 = chance(faults[2]) ? "\"x\"" : "\(number)"
        return #"{"id": \#(key(name, number)), "a": \#(link("A")), "b": [\#(elements.joined(separator: ","))], "#
            + #""c": [\#(links.filter { $0 != "null" }.joined(separator: ","))], "#
            + #""any": \#(any == "null" ? any : #"[{"$ref": "D", "$id": \#(any)}]"#), "d": \#(link("D")), "n": \#(number1)}"#
    }

    private mutating func link(_ name: String) -> String {
        if chance(5) { return "null" }
        let isMissing = chance(faults[1])
        return key(name, isMissing ? range + Int.random(in: 0...3, using: &random) : number())
    }

    /// A number that is no null's, which links have another form for.
    private mutating func number() -> Int { Int.random(in: 0..<range - 1, using: &random) }

    private func key(_ name: String, _ number: Int) -> String {
        if number == range - 1 { return "null" }
        let digits = String(number)
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return switch Self.types[name] {
        case "string": "\"key \(number)\""
        case "uuid": #"{"$uuid": "00000000-0000-0000-0000-\#(padded)"}"#
        case "objectId": #"{"$oid": "000000000000\#(padded)"}"#
        default: digits
        }
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<max(of, 1), using: &random) == 0 }
}
