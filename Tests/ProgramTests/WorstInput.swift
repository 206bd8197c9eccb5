import RealmJSON
import Testing

/// An input as bad as a client can make it with a mebibyte, or a part of that.
struct WorstInput: Sendable, CustomTestStringConvertible {
    enum Shape: String, CaseIterable, Sendable {
        case crowd
        case wideClass
        case longNames
        case embeddedChain
        case nestedEmbedded
        case embeddedRing
        case manyClasses
        case manyWideClasses
    }

    let shape: Shape
    /// Of how many classes, properties and objects there is one; 1 for a mebibyte.
    var part = 1

    var testDescription: String { part == 1 ? shape.rawValue : "\(shape.rawValue), a part in \(part)" }

    private func count(_ whole: Int) -> Int { max(2, whole / part) }

    /// The classes, of `C0` and others.
    var schema: JSONValue {
        let many = count(4096)
        switch shape {
        case .manyClasses:
            return .array(
                (0..<many).map { Self.objectType("C\($0)", [("a", "int?"), ("next", "C\(($0 + 1) % many)?")]) })
        case .manyWideClasses:
            return .array((0..<many).map { Self.objectType("C\($0)", (0..<15).map { ("p\($0)", "int?") }) })
        case .wideClass: return [Self.objectType("C0", (0..<count(40_000)).map { ("p\($0)", "int?") })]
        case .longNames:
            let name = String(repeating: "p", count: 50)
            return [Self.objectType("C0", (0..<count(10_000)).map { (name + "\($0)", "string?") })]
        case .embeddedChain:
            let last = count(1000) - 1
            return Self.embedded(last + 1) { $0 < last ? [("a", "E\($0 + 1)?")] : [("x", "int?")] }
        case .nestedEmbedded:
            // Deep enough, however small: the width doubles with each.
            return Self.embedded(60) { $0 < 59 ? [("a", "E\($0 + 1)?"), ("b", "E\($0 + 1)?")] : [("x", "int?")] }
        case .embeddedRing:
            let all = count(3000)
            return Self.embedded(all) { [("a", "E\(($0 + 1) % all)?")] }
        case .crowd: return [Self.objectType("C0", [("a", "int?"), ("text", "string?"), ("friends", "C0[]")])]
        }
    }

    /// The same classes with primary keys, for a synced realm.
    var syncedSchema: JSONValue {
        .array(
            (schema.elements ?? []).map { type in
                guard type["embedded"] == nil else { return type }
                let properties = [JSONMember("_id", "int")] + (type["properties"]?.members ?? [])
                return ["name": type["name"] ?? .null, "primaryKey": "_id", "properties": .object(properties)]
            })
    }

    /// Objects of the classes, with object keys.
    var objects: JSONValue {
        let crowd = count(300)
        switch shape {
        case .manyClasses:
            return .object((0..<count(4096)).map { JSONMember("C\($0)", [["_key": 0, "a": 1, "next": 0]]) })
        case .manyWideClasses: return .object((0..<count(4096)).map { JSONMember("C\($0)", [["_key": 0, "p7": 1]]) })
        case .crowd:
            return [
                "C0": .array(
                    (0..<crowd).map { number in
                        [
                            "_key": .int(Int64(number)), "a": .int(Int64(number)),
                            "text": .string(String(repeating: "ab", count: 100)),
                            "friends": .array((0..<crowd).map { .int(Int64($0)) }),
                        ]
                    })
            ]
        default: return ["C0": [["_key": 0]]]
        }
    }

    /// The queries that are asked of `C0`.
    var queries: [String] {
        let names = ["wideClass": "p0", "manyWideClasses": "p0", "longNames": String(repeating: "p", count: 50) + "0"]
        let first = names[shape.rawValue] ?? "a"
        guard shape == .crowd else { return ["\(first) != null", "@links.@count > 1"] }
        let path = [String](repeating: "friends", count: 40).joined(separator: ".")
        return [
            "ANY \(path).a == -1", "ANY friends.text == ANY friends.a", "@links.@count > 1000",
            "ANY friends.friends.text CONTAINS ANY friends.friends.text",
            "NONE friends.friends.a == ANY friends.friends.a",
            "SUBQUERY(friends, $x, SUBQUERY($x.friends, $y, ANY $y.friends.a == -1).@count > 0).@count > 0",
            (0..<1500).map { "text CONTAINS '\($0)'" }.joined(separator: " OR "),
            "a IN {" + (0..<8000).map { "\($0 + 1000)" }.joined(separator: ",") + "}",
            String(repeating: "(", count: 20_000), String(repeating: "NOT ", count: 10_000) + "a == 1",
            "text LIKE '\(String(repeating: "*a", count: 10_000))'",
        ]
    }

    /// Documents that are no request at all.
    static var documents: [[UInt8]] {
        let size = 1 << 20
        return [
            String(repeating: "[", count: size), String(repeating: "{\"a\":", count: size / 5),
            "[" + String(repeating: "1,", count: size / 2) + "1]", "\"" + String(repeating: "a", count: size) + "\"",
            "{" + String(repeating: "\"a\":1,", count: size / 6) + "\"a\":1}",
            "{" + (0..<60_000).map { "\"schema\($0)\":\($0)" }.joined(separator: ",") + "}",
            "{\"schema\":[" + String(repeating: "{},", count: size / 3) + "{}]}",
            "{\"schema\":[" + String(repeating: "{\"name\":\"A\",\"properties\":{}},", count: size / 30) + "{}]}",
            "{\"upserts\":[" + String(repeating: "{},", count: size / 3) + "{}],\"deletes\":[]}",
            "{\"labels\":{" + (0..<60_000).map { "\"a\($0)\":\"\"" }.joined(separator: ",") + "}}",
        ].map { Array($0.utf8) }
    }

    private static func objectType(_ name: String, _ properties: [(String, String)]) -> JSONValue {
        ["name": .string(name), "properties": .object(properties.map { JSONMember($0.0, .string($0.1)) })]
    }

    /// `C0`, which leads to the first of some embedded classes, and these by their properties.
    private static func embedded(_ count: Int, _ properties: (Int) -> [(String, String)]) -> JSONValue {
        let classes = (0..<count).map { number -> JSONValue in
            let members = properties(number).map { JSONMember($0.0, .string($0.1)) }
            return ["name": .string("E\(number)"), "embedded": true, "properties": .object(members)]
        }
        return .array([objectType("C0", [("a", "int?"), ("e", "E0?")])] + classes)
    }
}
