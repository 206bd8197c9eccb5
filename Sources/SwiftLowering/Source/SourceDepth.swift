import SwiftSyntax

/// How deep a text nests: what reads it calls itself from level to level, on a stack that ends.
enum SourceDepth {
    /// Bytes of the stack of every thread that reads.
    static let stackBytes = 64 << 20
    /// Levels of the tree.
    ///
    /// The parser takes 256 of braces and parentheses, of a few nodes each.
    private static let levelLimit = 2_500
    /// Operators of one expression, which is as many levels when they are in their order.
    private static let operatorLimit = 1_000

    /// What of a tree goes past what is read, and why; nil where nothing does.
    ///
    /// - Parameter tree: before its operators are put in their order.
    static func excess(in tree: SourceFileSyntax) -> (offset: Int, message: String)? {
        var open = [(node: Syntax(tree), level: 0)]
        while let (node, level) = open.popLast() {
            if level > levelLimit {
                return (node.position.utf8Offset, "This nests deeper than can be read: divide it.")
            }
            if node.kind == .exprList, node.children(viewMode: .sourceAccurate).count > 2 * operatorLimit + 1 {
                return (
                    node.position.utf8Offset, "An expression joins more than \(operatorLimit) operators: divide it."
                )
            }
            for child in node.children(viewMode: .sourceAccurate) where !child.is(TokenSyntax.self) {
                open.append((child, level + 1))
            }
        }
        return nil
    }
}
