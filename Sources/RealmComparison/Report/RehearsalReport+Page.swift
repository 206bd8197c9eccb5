import RealmJSON

extension RehearsalReport {
    /// A page that a person can read, whole in itself.
    ///
    /// - Parameter name: of the realm.
    public func page(named name: String) -> String {
        let title = "Rehearsal of \(name)"
        let body =
            "<h1>\(MarkupText.escaped(title))</h1>\n<p class=\"\(isClean ? "good" : "bad")\">\(MarkupText.escaped(verdict))</p>\n"
            + Self.section("Findings", findingTable) + Self.section("Assertions", checkTable)
            + Self.section("Objects", objectTable) + Self.section("Schema", schemaList)
            + Self.section("Warnings", Self.list(warnings))
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(MarkupText.escaped(title))</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%; }
            th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
            td.number { font-variant-numeric: tabular-nums; }
            .error, .bad { color: #a40000; } .warning { color: #8a5a00; } .good { color: #1e6b1e; }
            </style>
            </head>
            <body>
            \(body)</body>
            </html>

            """
    }

    private var verdict: String {
        let versions = [fromVersion, toVersion].map { $0.map(String.init) ?? "none" }
        let way = "Schema version \(versions[0]) → \(versions[1])"
        if let error { return "\(way): the migration fails. \(error["detail"]?.string ?? "")" }
        return isClean ? "\(way): nothing is lost." : "\(way): the migration can be done, but see the findings."
    }

    private static func section(_ title: String, _ content: String) -> String {
        content.isEmpty ? "" : "<h2>\(title)</h2>\n\(content)"
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "" : "<ul>\n" + items.map { "<li>\(MarkupText.escaped($0))</li>\n" }.joined() + "</ul>\n"
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>\n"
        }
        return "<table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table>\n"
    }

    private var findingTable: String {
        Self.table(
            ["Level", "Rule", "Finding"],
            findings.map { finding in
                [
                    "<span class=\"\(finding.level.rawValue)\">\(finding.level.rawValue)</span>",
                    finding.rule.rawValue, MarkupText.escaped(finding.message),
                ]
            })
    }

    private var checkTable: String {
        Self.table(
            ["Name", "Holds", ""],
            checks.map { check in
                [
                    MarkupText.escaped(check.name), check.passed ? "yes" : "<span class=\"error\">no</span>",
                    MarkupText.escaped(check.message ?? ""),
                ]
            })
    }

    private var objectTable: String {
        Self.table(
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
