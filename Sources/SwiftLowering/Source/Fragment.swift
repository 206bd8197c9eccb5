import SwiftParser
import SwiftSyntax

/// A file that is no more than a migration block: a closure, or the statements of one.
///
/// It is read with a head before it that makes it a block; the places that are told are those of the file.
struct Fragment {
    private static let name = "let migrationBlock: MigrationBlock = "

    /// The file with the head, and with what ends it.
    let text: String
    private let start: Int
    private let head: Int
    private let end: Int

    /// The fragment that a file is; nil of one that declares types, or that names no migration.
    init?(_ text: String) {
        guard SourceDepth.excessOfBrackets(in: text) == nil else { return nil }
        let tree = Parser.parse(source: text)
        let items = Array(tree.statements).filter { !$0.item.is(ImportDeclSyntax.self) }
        guard SourceDepth.excess(in: tree) == nil, let first = items.first, !items.contains(where: Self.isType) else {
            return nil
        }
        start = first.positionAfterSkippingLeadingTrivia.utf8Offset
        end = text.utf8.count
        let bytes = Array(text.utf8)
        var (head, tail) = (Self.name, "")
        if bytes[start] != UInt8(ascii: "{") {
            guard items.contains(where: { !$0.item.is(DeclSyntax.self) }),
                tree.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "migration" })
            else { return nil }
            head += "{ (migration: Migration, oldSchemaVersion: UInt64) -> Void in "
            tail = "\n}"
        }
        self.head = head.utf8.count
        self.text =
            String(decoding: bytes[..<start], as: UTF8.self) + head
            + String(decoding: bytes[start...], as: UTF8.self) + tail
    }

    private static func isType(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .decl(let declaration) = item.item else { return false }
        return declaration.asProtocol(DeclGroupSyntax.self) != nil
    }

    /// The place in the file of a place in the text.
    func original(_ offset: Int) -> Int { offset <= start ? offset : min(max(offset - head, start), end) }
}
