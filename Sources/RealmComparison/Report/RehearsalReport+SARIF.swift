import RealmJSON

extension RehearsalReport {
    /// The reports of some realms as a SARIF 2.1.0 log (OASIS): one run, a result for each finding.
    ///
    /// - Parameters:
    ///   - reports: with the name of the realm or the file of each.
    ///   - script: the script's file, where there is one: findings that have a line are there, the others at the realm.
    public static func sarif(
        _ reports: [(name: String, report: RehearsalReport)], script: String? = nil, version: String
    ) -> JSONValue {
        let rules = RehearsalRule.allCases.map { rule -> JSONValue in
            ["id": .string(rule.rawValue), "shortDescription": ["text": .string(rule.summary)]]
        }
        let samples = reports.compactMap { name, report in report.sample.map { JSONMember(name, .string($0)) } }
        let results = reports.flatMap { name, report in
            report.findings.map { $0.result(in: name, script: script) }
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": ["name": "realmshift", "version": .string(version), "rules": .array(rules)]
                    ], "columnKind": "utf16CodeUnits", "results": .array(results),
                    "properties": ["samples": .object(samples)],
                ]
            ],
        ]
    }
}

extension RehearsalFinding {
    fileprivate func result(in realm: String, script: String?) -> JSONValue {
        var location: [JSONMember] = []
        // A finding with a file of its own is placed in it, also where no line is known.
        if let file = file ?? (line == nil || rule == .checkFailed ? nil : script) {
            let region = line.map { JSONMember("region", ["startLine": .int(Int64($0))]) }
            location.append(JSONMember("physicalLocation", Self.place(file, [region].compactMap(\.self))))
        } else {
            location.append(JSONMember("physicalLocation", Self.place(realm)))
        }
        if let className {
            let name = [className, property].compactMap(\.self).joined(separator: ".")
            location.append(
                JSONMember(
                    "logicalLocations",
                    [["fullyQualifiedName": .string(name), "kind": .string(property == nil ? "type" : "member")]]))
        }
        let index = RehearsalRule.allCases.firstIndex(of: rule) ?? 0
        return [
            "ruleId": .string(rule.rawValue), "ruleIndex": .int(Int64(index)), "level": .string(level.rawValue),
            "message": ["text": .string(message)], "locations": [.object(location)],
            "properties": [
                "realm": .string(realm), "count": .int(Int64(count)), "keys": .array(keys.map { .int($0) }),
            ],
        ]
    }

    private static func place(_ file: String, _ members: [JSONMember] = []) -> JSONValue {
        .object([JSONMember("artifactLocation", ["uri": .string(uri(file))])] + members)
    }

    /// A relative reference (RFC 3986) that names a file.
    private static func uri(_ file: String) -> String {
        file.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
