import RealmJSON

extension RehearsalMatrix {
    /// A page that a person can read, whole in itself: the hops in a table, and each of them below.
    ///
    /// - Parameter app: its name.
    public func page(of app: String) -> String {
        let failing = hops.filter { $0.outcome == .fails }.count
        let losing = hops.filter { $0.outcome == .loses }.count
        let verdict =
            "<p class=\"\(failing + losing == 0 ? "good" : "bad")\">\(hops.count) versions lead to version "
            + "\(toVersion); from \(failing) the migration fails, from \(losing) something is lost.</p>\n"
        let left = leftOut == 0 ? "" : "<p class=\"warning\">\(leftOut) lower versions were not tried.</p>\n"
        let rows = hops.enumerated().map { number, hop -> [String] in
            let errors = hop.report.findings.filter { $0.level == .error }.count
            return [
                "<a href=\"#hop-\(number)\">\(MarkupText.escaped(hop.name))</a>", "\(hop.realmCount)",
                "<span class=\"\(hop.outcome.style)\">\(hop.outcome.words)</span>", "\(errors)",
            ]
        }
        let each = hops.enumerated().map { number, hop in
            "<h2 id=\"hop-\(number)\">\(MarkupText.escaped(hop.name))</h2>\n" + hop.report.verdictLine
                + hop.report.sections(level: 3)
        }
        return MarkupText.page(
            "Rehearsal of \(app)",
            verdict + left + MarkupText.table(["From", "Realms", "Outcome", "Errors"], rows) + each.joined())
    }
}

extension RehearsalMatrix.Outcome {
    fileprivate var words: String {
        switch self {
        case .fails: "fails"
        case .loses: "loses"
        case .carriesOver: "carries over"
        case .clean: "clean"
        }
    }

    fileprivate var style: String {
        switch self {
        case .fails, .loses: "error"
        case .carriesOver: "warning"
        case .clean: "good"
        }
    }
}
