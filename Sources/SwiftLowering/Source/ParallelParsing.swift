import SwiftOperators
import SwiftParser
import SwiftSyntax
import Threads

/// Swift's parser, by two threads: it takes the most of what a file takes.
enum ParallelParsing {
    /// The tree of a text, with its operators in their order where it has no error and nothing in excess.
    struct Parsed {
        var tree: SourceFileSyntax
        var excess: (offset: Int, message: String)?
    }

    private struct State {
        var next = 0
        var trees: [Parsed?]
        var left: Int
    }

    /// The trees of texts, in their order.
    static func trees(of texts: [String]) -> [Parsed] {
        guard texts.count > 1 else { return texts.map(tree) }
        let state = Monitor(State(trees: Array(repeating: nil, count: texts.count), left: texts.count))
        let work: @Sendable () -> Void = {
            while let index = state.withLock({ state in
                defer { state.next += 1 }
                return texts.indices.contains(state.next) ? state.next : nil
            }) {
                let tree = tree(of: texts[index])
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
    static func tree(of text: String) -> Parsed {
        let parsed = Parser.parse(source: text)
        if let excess = SourceDepth.excess(in: parsed) { return Parsed(tree: parsed, excess: excess) }
        return Parsed(tree: parsed.hasError ? parsed : folded(parsed))
    }

    /// A tree with its operators in their order.
    static func folded(_ tree: SourceFileSyntax) -> SourceFileSyntax {
        // Operators that the file declares itself are not known; they are refused where they are met.
        OperatorTable.standardOperators.foldAll(tree) { _ in }.as(SourceFileSyntax.self) ?? tree
    }
}
