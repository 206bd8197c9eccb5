import RealmModel

/// Which findings of a rehearsal fail whoever asked for it: a CI run, a job, a realm of a fleet.
public struct FailurePolicy: Hashable, Sendable {
    /// The name of the policy that nothing fails by but a migration that can't be done.
    private static let never = "never"
    /// The name of all rules about values and objects that are gone.
    private static let loss = "loss"

    /// Levels, each with the graver ones, and rules, `loss` as the rules that it stands for; or `never`; at least one.
    public let names: [String]
    private let levels: Set<RehearsalFinding.Level>
    private let rules: Set<RehearsalRule>

    /// Errors fail, warnings and notes do not.
    public static let errors = FailurePolicy(["error"], levels: [.error], rules: [])

    private init(_ names: [String], levels: Set<RehearsalFinding.Level>, rules: Set<RehearsalRule>) {
        self.names = names
        self.levels = levels
        self.rules = rules
    }

    /// A name that is neither a level nor a rule, or none, or one that does not go with others.
    public struct UnknownName: Error, Hashable, Sendable {
        /// Says so, with the nearest one and all that there are.
        public let message: String
    }

    /// - Parameter names: `error`, `warning` or `note`, each with what is graver; names of rules, or `loss` for all about values
    ///   and objects that are gone; `never` alone. At least one.
    public init(_ names: [String]) throws(UnknownName) {
        guard !names.isEmpty else {
            throw UnknownName(
                message: "No level and no rule is named: name some of \(Self.known.joined(separator: ", ")).")
        }
        if names.count > 1, names.contains(where: { $0.hasSameBytes(as: Self.never) }) {
            throw UnknownName(message: "“\(Self.never)” stands alone: no level and no rule goes with it.")
        }
        var (levels, rules): (Set<RehearsalFinding.Level>, Set<RehearsalRule>) = ([], [])
        for name in names {
            if let level = RehearsalFinding.Level(rawValue: name) {
                levels.formUnion(level.andGraver)
            } else if let rule = RehearsalRule(rawValue: name) {
                rules.insert(rule)
            } else if name.hasSameBytes(as: Self.loss) {
                rules.formUnion(Self.lossRules)
            } else if !name.hasSameBytes(as: Self.never) {
                throw UnknownName(
                    message: RealmModel.UnknownName.message(
                        name, kind: "level or rule", of: "A rehearsal", known: Self.known))
            }
        }
        // An older program knows the rules, and not their group.
        let written = names.flatMap { $0.hasSameBytes(as: Self.loss) ? Self.lossRules.map(\.rawValue) : [$0] }
        self.init(written, levels: levels, rules: rules)
    }

    private static let lossRules = RehearsalRule.allCases.filter(\.isAboutLoss)

    /// All names that there are.
    public static var known: [String] {
        [never, loss] + RehearsalFinding.Level.allCases.map(\.rawValue) + RehearsalRule.allCases.map(\.rawValue)
    }

    /// Whether a finding fails whoever asked.
    ///
    /// A migration that can't be done, and an assertion that does not hold, always do.
    public func isFailed(by finding: RehearsalFinding) -> Bool {
        finding.isFatal || levels.contains(finding.level) || rules.contains(finding.rule)
    }
}

extension RehearsalFinding.Level {
    fileprivate var andGraver: [RehearsalFinding.Level] {
        switch self {
        case .error: [.error]
        case .warning: [.error, .warning]
        case .note: [.error, .warning, .note]
        }
    }
}

extension RehearsalFinding {
    /// Whether nobody can mean it.
    fileprivate var isFatal: Bool { level == .error && (rule == .migrationFailed || rule == .checkFailed) }
}
