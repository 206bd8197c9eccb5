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

    /// Brackets that open one behind the other.
    ///
    /// The parser looks ahead from each of them whether it begins a type, and so twice as often from every next one.
    private static let bracketLimit = 12

    /// Brackets of generic types that are open at once: the parser calls itself for each, and has no limit of its own.
    private static let angleLimit = 200

    /// Where a text opens more brackets in a row than the parser comes to an end with; nil where it does not.
    static func excessOfBrackets(in text: String) -> Int? {
        var count = 0
        var (angles, last) = (0, UInt8(ascii: " "))
        for (offset, byte) in text.utf8.enumerated() {
            defer { last = byte }
            switch byte {
            case UInt8(ascii: "<") where !isSpace(last):
                angles += 1
                if angles > angleLimit { return offset }
            case UInt8(ascii: ">") where last != UInt8(ascii: "-"): angles = max(0, angles - 1)
            // No type goes on behind these: signs of less before them were comparisons.
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "="), UInt8(ascii: ";"): angles = 0
            default: break
            }
            switch byte {
            case UInt8(ascii: "["):
                count += 1
                if count > bracketLimit { return offset }
            case UInt8(ascii: "("), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                UInt8(ascii: "/"), UInt8(ascii: "*"):
                break
            default: count = 0
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

    /// The place where a tree exceeds what is read, and why; nil where it does not.
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
