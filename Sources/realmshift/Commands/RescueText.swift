import RealmFile

/// The finds and losses of a rescue, as lines for people.
enum RescueText {
    /// A line about where the realm was read from, then one for each class, and below it what it lost.
    ///
    /// - Parameter unsentChangesets: what a client of Realm's sync had not sent; nil where nothing is known of that.
    static func text(of report: RescueReport, unsentChangesets: Int?) -> String {
        var lines = [source(report)]
        if let newer = report.newerCommit { lines.append(left(newer)) }
        if report.damagedPages > 0 {
            lines.append(
                Quantity.count(report.damagedPages, "page", "pages")
                    + " of the encrypted file can't be what was written")
        }
        if report.isOwnStateLost {
            lines.append(
                "the file's own state can't be read whole: its transaction, its history, or changesets that never reached the "
                    + "server")
        }
        if report.isSchemaVersionLost { lines.append("the schema version can't be read") }
        if report.isSchemaVersionSuspect { lines.append("the schema version is suspect") }
        lines += report.lostClasses.map { "\($0): nothing can be read" }
        if report.lostTables > 0 {
            lines.append(
                Quantity.count(report.lostTables, "table", "tables") + " of which not even the name can be read")
        }
        lines += report.classes.flatMap(self.lines)
        if report.damagedNodes > 0 {
            lines.append(Quantity.count(report.damagedNodes, "node", "nodes") + " can't be read or believed")
        }
        if report.hasSuspects {
            lines.append(
                "suspect is what stands in a long run of zeros, or in a page that is not the one that belongs there, a text "
                    + "that is no valid UTF-8, and a class two of whose properties claim one place")
        }
        if let unsentChangesets, unsentChangesets > 0 {
            lines.append(
                Quantity.count(unsentChangesets, "changeset", "changesets")
                    + " of the once-synced file never reached the server")
        }
        lines.append(verdict(report))
        return lines.map { "  \($0)\n" }.joined()
    }

    /// The end of it in one sentence: whether all is there, and the extent of what is not.
    private static func verdict(_ report: RescueReport) -> String {
        if report.isWhole { return "nothing is lost" }
        let properties = report.classes.flatMap(\.properties)
        let values = properties.reduce(0) { $0 + $1.lostValues + $1.lostElements + $1.brokenLinks }
        let isUnknown =
            report.source == .tables || report.classes.contains { $0.expected == nil } || !report.lostClasses.isEmpty
            || report.lostTables > 0
        let parts = [
            report.newerCommit.map { _ in "what the newer commit changed" },
            report.lostCount > 0 ? Quantity.count(report.lostCount, "object", "objects") : nil,
            part(values, "value or link", "values and links", "of objects that came back"),
            isUnknown ? "objects of which nobody knows how many there were" : nil,
            report.isSchemaVersionLost ? "the schema version" : nil,
        ].compactMap(\.self)
        let suspect = report.hasSuspects ? "; what is called suspect came back and may be wrong" : ""
        let end = parts.isEmpty ? "no object is known to be lost" : "lost: " + parts.joined(separator: "; ")
        let doubt = report.isNewerThanCurrent ? "; all of it is another state if the header is right" : ""
        return end + suspect + doubt
    }

    private static func source(_ report: RescueReport) -> String {
        let transaction =
            report.snapshotVersion > 0 ? "transaction \(report.snapshotVersion)" : "an unknown transaction"
        let place = "\(transaction), top array at byte \(Quantity.grouped(Int(report.topRef)))"
        return switch report.source {
        case .current: "read from the current commit (\(place))"
        case .other where report.isNewerThanCurrent:
            "read from a newer commit than the one that the header calls current (\(place)): it is complete"
        case .other: "the newest commit can't be read: an older one is shown, which the header has beside it (\(place))"
        case .footer: "read from the commit that the end of the file names (\(place))"
        case .scan: "read from a commit that was found in the file (\(place))"
        case .tables: "the list of tables is lost; tables were found one by one"
        case .none: "the file says that there is nothing in it"
        }
    }

    private static func left(_ newer: RescueReport.NewerCommit) -> String {
        let place = "top array at byte \(Quantity.grouped(Int(newer.topRef)))"
        guard let version = newer.snapshotVersion else {
            return "a newer commit was left (\(place)): its top array can't be read"
        }
        let expected = newer.expected.map { Quantity.count($0, "object", "objects") } ?? "an unknown number of objects"
        return "a newer commit was left (transaction \(version), \(place)): of \(expected) about "
            + "\(Quantity.grouped(newer.readable)) can be read"
    }

    private static func lines(of stored: RescueReport.Class) -> [String] {
        let expected = stored.expected.map { " of \(Quantity.grouped($0))" } ?? " of an unknown number of"
        var lines = ["\(stored.name): \(Quantity.grouped(stored.read))\(expected) objects"]
        if stored.expected == 0, stored.read == 0 { lines = ["\(stored.name): no objects"] }
        if stored.isDescriptionSuspect { lines.append("    all of it is suspect: so is what describes it") }
        if stored.suspectObjects > 0 {
            let objects = Quantity.count(stored.suspectObjects, "object is", "objects are")
            lines.append("    \(objects) suspect as a whole\(keys(stored.suspectKeys))")
        }
        lines += stored.lost.map { lost in
            let what =
                lost.count > 0 ? Quantity.count(lost.count, "object", "objects") + " left out" : "objects left out"
            return "    \(what): \(reason(lost))\(keys(lost.keys))"
        }
        lines += stored.properties.flatMap { property in
            let parts = [
                part(property.lostValues, "value", "values", "can't be read"),
                part(property.lostElements, "element", "elements", "can't be read or is there twice"),
                part(property.brokenLinks, "link", "links", "to what is not there"),
            ].compactMap(\.self)
            let suspect = part(property.suspectValues, "value is", "values are", "suspect")
            return [
                parts.isEmpty ? nil : "\(parts.joined(separator: ", "))\(keys(property.keys))",
                suspect.map { "\($0)\(keys(property.suspectKeys))" },
            ].compactMap { $0.map { "    \(property.name): \($0)" } }
        }
        lines += stored.lostProperties.map { "    \($0): its description can't be used" }
        return lines
    }

    private static func part(_ count: Int, _ singular: String, _ plural: String, _ what: String) -> String? {
        count > 0 ? "\(Quantity.count(count, singular, plural)) \(what)" : nil
    }

    private static func reason(_ lost: RescueReport.LostObjects) -> String {
        switch lost.reason {
        case .unreadable: "the nodes that hold them can't be read"
        case .keyOutOfOrder: "their keys are out of order"
        case .requiredValue: "their value of \(lost.property ?? "a property"), which is required, can't be read"
        case .primaryKey: "their primary key can't be read"
        case .duplicatePrimaryKey: "another object has their primary key"
        case .owner: "they are embedded, and not in exactly one object"
        }
    }

    private static func keys(_ keys: KeyRanges) -> String {
        guard !keys.isEmpty, keys.ranges != [KeyRanges.KeyRange(0, .max)] else { return "" }
        let ranges = keys.ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)–\($0.last)" }
        let isOne = keys.ranges.count == 1 && keys.ranges[0].first == keys.ranges[0].last
        return " (\(isOne ? "key" : "keys") \(ranges.joined(separator: ", ")))"
    }
}
