import SwiftSyntax

/// Why a piece of source is not lowered; the message says what can be done.
struct Refusal: Error {
    let message: String
    /// The piece; nil for one that was refused before, and is told already.
    let node: Syntax?

    init(_ message: String, at node: some SyntaxProtocol) {
        self.message = message
        self.node = Syntax(node)
    }

    private init() { (message, node) = ("", nil) }

    /// A refusal that follows from an earlier one.
    static let known = Refusal()
}
