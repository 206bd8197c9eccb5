import SwiftParser
import SwiftSyntax
import Threads

/// Swift's parser, by two threads: it takes the most of what a file takes.
enum ParallelParsing {
    /// The tree of a text, with its operators in their order where it has no error and nothing in excess.
    struct Parsed {
        var tree: SourceFileSyntax
        var excess: (offset: Int, message: String)?
        /// The operators that may stand in another order, as no declaration tells how they bind.
        var unplacedOperators: Set<String> = []

        var isUnderstood: Bool { excess == nil && !tree.hasError }

        /// The tree with its operators in their order, whether it has errors or not.
        func folded(in order: OperatorOrder) -> Parsed {
            let folded = order.folded(tree)
            return Parsed(tree: folded.tree, excess: excess, unplacedOperators: folded.unplaced)
        }
    }

    private struct State {
        var next = 0
        var trees: [Parsed?]
        var left: Int
    }

    /// The trees of the texts of a program, in their order, and how its operators bind.
    static func program(of texts: [String]) -> (trees: [Parsed], order: OperatorOrder) {
        guard texts.contains(where: OperatorOrder.mayBeDeclared) else {
            return (trees(of: texts, in: .standard), .standard)
        }
        let trees = trees(of: texts, in: nil)
        let order = OperatorOrder(trees.filter(\.isUnderstood).map(\.tree))
        return (trees.map { $0.isUnderstood ? $0.folded(in: order) : $0 }, order)
    }

    private static func trees(of texts: [String], in order: OperatorOrder?) -> [Parsed] {
        guard texts.count > 1 else { return texts.map { tree(of: $0, in: order) } }
        let state = Monitor(State(trees: Array(repeating: nil, count: texts.count), left: texts.count))
        let work: @Sendable () -> Void = {
            while let index = state.withLock({ state in
                defer { state.next += 1 }
                return texts.indices.contains(state.next) ? state.next : nil
            }) {
                let tree = tree(of: texts[index], in: order)
                state.change { state in
                    state.trees[index] = tree
                    state.left -= 1
                }
            }
        }
        PlainThread.start(stackBytes: SourceDepth.stackBytes, work)
        work()
        return state.wait { $0.left == 0 ? $0.trees.compactMap(\.self) : nil }
    }

    /// The tree of a text.
    ///
    /// - Parameter order: of its operators; nil leaves them as they stand.
    static func tree(of text: String, in order: OperatorOrder? = .standard) -> Parsed {
        let tree = Parser.parse(source: text)
        let parsed = Parsed(tree: tree, excess: SourceDepth.excess(in: tree))
        guard let order, parsed.isUnderstood else { return parsed }
        return parsed.folded(in: order)
    }
}
