import RealmJSON

/// What a client can make as bad as a mebibyte allows.
enum WorstInput: String, CaseIterable, Sendable {
    case crowd
    case wideClass
    case longNames
    case embeddedChain
    case nestedEmbedded
    case embeddedRing
    case manyClasses

    /// The classes, of `C0` and others.
    var schema: JSONValue {
        switch self {
        case .manyClasses:
            .array((0..<4096).map { Self.objectType("C\($0)", [("a", "int?"), ("next", "C\(($0 + 1) % 4096)?")]) })
        case .wideClass: [Self.objectType("C0", (0..<40_000).map { ("p\($0)", "int?") })]
        case .longNames:
            [Self.objectType("C0", (0..<10_000).map { (String(repeating: "p", count: 50) + "\($0)", "string?") })]
        case .embeddedChain: Self.embedded(1000) { $0 < 999 ? [("a", "E\($0 + 1)?")] : [("x", "int?")] }
        case .nestedEmbedded:
            Self.embedded(60) { $0 < 59 ? [("a", "E\($0 + 1)?"), ("b", "E\($0 + 1)?")] : [("x", "int?")] }
        case .embeddedRing: Self.embedded(3000) { [("a", "E\(($0 + 1) % 3000)?")] }
        case .crowd: [Self.objectType("C0", [("a", "int?"), ("text", "string?"), ("friends", "C0[]")])]
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
        switch self {
        case .manyClasses: .object((0..<4096).map { JSONMember("C\($0)", [["_key": 0, "a": 1, "next": 0]]) })
        case .crowd:
            [
                "C0": .array(
                    (0..<300).map { number in
                        [
                            "_key": .int(number), "a": .int(number),
                            "text": .string(String(repeating: "ab", count: 100)),
                            "friends": .array((0..<300).map { .int($0) }),
                        ]
                    })
            ]
        default: ["C0": [["_key": 0]]]
        }
    }

    /// What is asked of `C0`.
    var queries: [String] {
        let first = ["wideClass": "p0", "longNames": String(repeating: "p", count: 50) + "0"][rawValue] ?? "a"
        guard self == .crowd else { return ["\(first) != null", "@links.@count > 1"] }
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
