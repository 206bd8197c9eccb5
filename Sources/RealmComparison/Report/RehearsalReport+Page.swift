import RealmJSON

extension RehearsalReport {
    /// A page that a person can read, whole in itself.
    ///
    /// - Parameter name: of the realm.
    public func page(named name: String) -> String {
        MarkupText.page("Rehearsal of \(name)", verdictLine + sections(level: 2))
    }

    /// Whether the migration can be done, as a paragraph.
    var verdictLine: String {
        let style = !isClean ? "bad" : findings.contains { $0.level == .warning } ? "warning" : "good"
        let sample = sample.map { "<p>\(MarkupText.escaped($0))</p>\n" } ?? ""
        return "<p class=\"\(style)\">\(MarkupText.escaped(verdict))</p>\n" + sample
    }

    /// The content of the report, in sections.
    ///
    /// - Parameter level: of their headings.
    func sections(level: Int) -> String {
        func section(_ title: String, _ content: String) -> String {
            content.isEmpty ? "" : "<h\(level)>\(title)</h\(level)>\n\(content)"
        }
        return section("Findings", findingTable) + section("Examples", exampleTable) + section("Assertions", checkTable)
            + section("Objects", objectTable)
            + section("Schema", schemaList)
    }

    private var verdict: String {
        let versions = [fromVersion, toVersion].map { $0.map(String.init) ?? "none" }
        let way = "Schema version \(versions[0]) → \(versions[1])"
        if let error { return "\(way): the migration fails. \(error["detail"]?.string ?? "")" }
        if isClean { return "\(way): \(cleanVerdict)." }
        let others = wordsBesideFindings.map { " Besides, \($0)." } ?? ""
        return "\(way): the migration can be done, but see the findings.\(others)"
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "" : "<ul>\n" + items.map { "<li>\(MarkupText.escaped($0))</li>\n" }.joined() + "</ul>\n"
    }

    private var findingTable: String {
        MarkupText.table(
            ["Level", "Rule", "Finding"],
            findings.map { finding in
                [
                    "<span class=\"\(finding.level.rawValue)\">\(finding.level.rawValue)</span>",
                    finding.rule.rawValue, MarkupText.escaped(finding.message),
                ]
            })
    }

    /// The values of examples, where they are to be shown.
    private var exampleTable: String {
        MarkupText.table(
            ["Property", "Object key", "Before", "Now"],
            losses.flatMap { loss -> [[String]] in
                let place = [loss.className, loss.property].compactMap(\.self).joined(separator: ".")
                return loss.examples.filter { $0.before != nil }.map { example in
                    [
                        MarkupText.escaped(place), "\(example.key)", Self.value(example.before),
                        Self.value(example.after),
                    ]
                }
            })
    }

    private static func value(_ json: JSONValue?) -> String {
        json.map { MarkupText.escaped(String(decoding: $0.encoded(), as: UTF8.self)) } ?? ""
    }

    private var checkTable: String {
        MarkupText.table(
            ["Name", "Holds", ""],
            checks.map { check in
                [
                    MarkupText.escaped(check.name), check.passed ? "yes" : "<span class=\"error\">no</span>",
                    MarkupText.escaped(check.message ?? ""),
                ]
            })
    }

    private var objectTable: String {
        MarkupText.table(
            ["Class", "Changed", "Created", "Deleted", "Properties"],
            classes.map { difference in
                func count(_ name: String) -> String { "\(difference[name]?.int ?? 0)" }
                let properties = (difference["properties"]?.elements ?? []).map { property in
                    let toNull = property["toNull"]?.int ?? 0
                    return MarkupText.escaped(property["property"]?.string ?? "") + ": \(property["changed"]?.int ?? 0)"
                        + (toNull > 0 ? " (\(toNull) to null)" : "")
                }
                return [
                    MarkupText.escaped(difference["class"]?.string ?? ""), count("changed"), count("added"),
                    count("removed"), properties.joined(separator: "<br>"),
                ]
            })
    }

    private var schemaList: String { Self.list(schema.compactMap { $0["message"]?.string }) }
}
