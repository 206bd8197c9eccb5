import SwiftOperators
import SwiftSyntax

/// How strongly the operators bind that the standard library and the app declare.
struct OperatorOrder {
    static let standard = OperatorOrder(table: .standardOperators)

    private let table: OperatorTable
    /// The operators that are declared twice, and not alike, as those of two modules are.
    private let doubtful: Set<String>

    /// A tree with its operators in their order.
    struct Folded {
        var tree: SourceFileSyntax
        /// The operators beside others of which no declaration tells how they bind: they may stand in another order.
        var unplaced: Set<String> = []
    }

    private init(table: OperatorTable) { (self.table, doubtful) = (table, []) }

    /// Takes what the trees of a program declare besides.
    init(_ trees: [SourceFileSyntax]) {
        let declared = DeclaredOperators(viewMode: .sourceAccurate)
        for tree in trees { declared.walk(tree) }
        (table, doubtful) = (declared.table, declared.doubtful)
    }

    /// Whether a text may declare an operator: one that is written otherwise counts as unplaced.
    static func mayBeDeclared(in text: String) -> Bool { text.contains("infix operator") }

    func folded(_ tree: SourceFileSyntax) -> Folded {
        var unplaced = doubtful
        let folded = table.foldAll(tree) { error in
            switch error {
            case .missingOperator(let name, _): unplaced.insert(name)
            case .missingGroup(_, let symbol): unplaced.insert(symbol.trimmedDescription)
            case .incomparableOperators(let left, _, let right, _):
                unplaced.formUnion(
                    [left, right].map(\.trimmedDescription).filter {
                        OperatorTable.standardOperators.infixOperator(named: $0) == nil
                    })
            default: break
            }
        }
        return Folded(tree: folded.as(SourceFileSyntax.self) ?? tree, unplaced: unplaced)
    }
}

/// The infix operators and precedence groups that files declare, beside those of the standard library.
private final class DeclaredOperators: SyntaxVisitor {
    /// The operators and groups that are declared twice, and not alike.
    private var twice: Set<String> = []
    private var texts: [String: String] = [:]
    private var operators: [String: Operator] = [:]
    private var groups: [String: PrecedenceGroup] = [:]
    /// The groups that each is stronger than.
    private var weaker: [String: Set<String>] = [:]

    override init(viewMode: SyntaxTreeViewMode) {
        super.init(viewMode: viewMode)
        // From the strongest to the weakest: see the standard library's declarations.
        let chain: [(String, Associativity)] = [
            ("BitwiseShift", .none), ("Multiplication", .left), ("Addition", .left), ("RangeFormation", .none),
            ("Casting", .none), ("NilCoalescing", .right), ("Comparison", .none), ("LogicalConjunction", .left),
            ("LogicalDisjunction", .left), ("Ternary", .right), ("Assignment", .right),
        ]
        for (index, (name, associativity)) in chain.enumerated() {
            addStandard(name, associativity, above: chain.dropFirst(index + 1).first?.0)
        }
        addStandard("Default", .none, above: "Ternary")
        addStandard("FunctionArrow", .right, above: "Assignment")
    }

    private func addStandard(_ name: String, _ associativity: Associativity, above next: String? = nil) {
        let group = name + "Precedence"
        groups[group] = PrecedenceGroup(name: group, associativity: associativity, assignment: name == "Assignment")
        if let next { weaker[group] = [next + "Precedence"] }
    }

    override func visit(_ node: BinaryOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.operator.text
        operators[name] = operators[name] ?? OperatorTable.standardOperators.infixOperator(named: name)
        return .skipChildren
    }

    override func visit(_ node: OperatorDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.fixitySpecifier.tokenKind == .keyword(.infix) else { return .skipChildren }
        let group = node.operatorPrecedenceAndTypes?.precedenceGroup.text
        note(node.name.text, node)
        operators[node.name.text] = Operator(kind: .infix, name: node.name.text, precedenceGroup: group)
        return .skipChildren
    }

    private func note(_ name: String, _ declaration: some SyntaxProtocol) {
        let text = declaration.trimmedDescription
        if texts.updateValue(text, forKey: name) ?? text != text { twice.insert(name) }
    }

    var doubtful: Set<String> {
        Set(operators.values.filter { !twice.isDisjoint(with: [$0.name, $0.precedenceGroup ?? ""]) }.map(\.name))
    }

    override func visit(_ node: PrecedenceGroupDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.name.text
        note(name, node)
        var group = PrecedenceGroup(name: name)
        for attribute in node.groupAttributes {
            switch attribute {
            case .precedenceGroupAssociativity(let associativity):
                group.associativity = Associativity(rawValue: associativity.value.text) ?? .none
            case .precedenceGroupAssignment(let assignment): group.assignment = assignment.value.text == "true"
            case .precedenceGroupRelation(let relation):
                let isHigher = relation.higherThanOrLowerThanLabel.tokenKind == .keyword(.higherThan)
                for other in relation.precedenceGroups.map(\.name.text) {
                    weaker[isHigher ? name : other, default: []].insert(isHigher ? other : name)
                }
            default: break
            }
        }
        groups[name] = group
        return .skipChildren
    }

    /// The operators, of which each group names all that are below it: the parser's table takes a group that is called lower than another
    /// for a higher one, and follows no path that goes by both.
    var table: OperatorTable {
        let all = groups.values.map { group in
            var group = group
            group.relations = weakerGroups(than: group.name).map { .higherThan($0) }
            return group
        }
        return OperatorTable(precedenceGroups: all, operators: Array(operators.values)) { _ in }
    }

    private func weakerGroups(than name: String) -> Set<String> {
        var found: Set<String> = []
        var left = [name]
        while let group = left.popLast() {
            for other in weaker[group] ?? [] where groups[other] != nil && found.insert(other).inserted {
                left.append(other)
            }
        }
        return found
    }
}
