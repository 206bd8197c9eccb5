import RealmJSON

extension RehearsalMatrix {
    /// A page that a person can read, whole in itself: the hops in a table, and each of them below.
    ///
    /// - Parameter app: its name.
    public func page(of app: String) -> String {
        func count(_ outcome: RehearsalMatrix.Outcome) -> String {
            let count = hops.filter { $0.outcome == outcome }.count
            return count == 0 ? "none of them" : "\(count) of them"
        }
        let verdict =
            "<p class=\"\(hops.contains { $0.outcome == .fails || $0.outcome == .loses } ? "bad" : "good")\">"
            + "\(hops.count == 1 ? "1 way was" : "\(hops.count) ways were") tried to version \(toVersion): "
            + "\(count(.fails)) \(Self.verb("fails", "fail", hops, .fails)), "
            + "\(count(.loses)) \(Self.verb("loses", "lose", hops, .loses)) something.</p>\n"
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

extension RehearsalMatrix {
    /// A verb for none, one or some of the hops.
    private static func verb(_ one: String, _ some: String, _ hops: [Hop], _ outcome: Outcome) -> String {
        hops.filter { $0.outcome == outcome }.count < 2 ? one : some
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
