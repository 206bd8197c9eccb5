import RealmJSON

extension RehearsalReport {
    /// The report as a person reads it on a terminal: lines, the last with its end.
    ///
    /// - Parameter name: of the realm or the file.
    public func text(named name: String) -> String {
        let versions = [fromVersion, toVersion].map { $0.map(String.init) ?? "none" }
        var lines = ["\(name): schema version \(versions[0]) → \(versions[1])"]
        lines += schema.compactMap { $0["message"]?.string }.map { "  schema: \($0)" }
        for difference in classes {
            func count(_ member: String) -> Int { Int(difference[member]?.int ?? 0) }
            let counts = [("changed", count("changed")), ("created", count("added")), ("deleted", count("removed"))]
                .filter { $0.1 > 0 }
            let words = counts.enumerated().map { place, found in
                // The first number says what is counted.
                place > 0 ? "\(found.1) \(found.0)" : "\(found.1) \(found.1 == 1 ? "object" : "objects") \(found.0)"
            }
            if !words.isEmpty {
                lines.append("  \(difference["class"]?.string ?? ""): \(words.joined(separator: ", "))")
            }
            lines += (difference["properties"]?.elements ?? []).map { property in
                let toNull = property["toNull"]?.int ?? 0
                let lost = toNull > 0 ? ", \(toNull) of them to null" : ""
                return "    \(property["property"]?.string ?? ""): \(property["changed"]?.int ?? 0) changed\(lost)"
            }
        }
        lines += findings.map { "  \(Self.label($0)): \($0.message)\(Self.place(of: $0))" }
        lines += checks.filter(\.passed).map { "  check: \($0.name) holds" }
        if let sample { lines.append("  \(sample)") }
        if let last = isClean ? cleanVerdict : wordsBesideFindings { lines.append("  \(last)") }
        // A line of a message must not look like one of the report.
        return lines.map { $0.replacing("\n", with: " ") + "\n" }.joined()
    }

    /// Where a script or a check failed, and with which object in hand.
    private static func place(of finding: RehearsalFinding) -> String {
        guard let file = finding.file else { return "" }
        let line = [file, finding.line.map(String.init)].compactMap(\.self).joined(separator: ":")
        let object = finding.keys.first.map { "object \($0)" + (finding.className.map { " of \($0)" } ?? "") }
        return " (\([line, object].compactMap(\.self).joined(separator: ", ")))"
    }

    private static func label(_ finding: RehearsalFinding) -> String {
        switch (finding.rule, finding.level) {
        case (.migrationFailed, _): "FAILS"
        case (.checkFailed, _): "CHECK FAILS"
        case (.valueToNull, _), (.linkToNull, _), (.valueToZero, _), (.valueToEmpty, _), (.oneValueForAll, _),
            (.inexactNumber, _), (.roundedNumber, _), (.truncatedValue, _):
            "LOST (\(finding.rule.rawValue))"
        case (_, .error): "FAILS (\(finding.rule.rawValue))"
        case (_, .warning): "warning (\(finding.rule.rawValue))"
        case (_, .note): "note (\(finding.rule.rawValue))"
        }
    }
}
