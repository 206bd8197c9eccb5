import SwiftOperators
import SwiftParser
import SwiftParserDiagnostics
import SwiftScripts
import SwiftSyntax

/// A file, parsed, with its operators in their order.
final class SourceFile {
    let name: String
    let number: Int
    let tree: SourceFileSyntax
    private let lines: LineTable

    /// - Throws: `SwiftRefusal` with all that the parser says.
    init(_ source: SwiftSource, number: Int) throws(SwiftRefusal) {
        name = source.name
        self.number = number
        let parsed = Parser.parse(source: source.text)
        lines = LineTable(source.text)
        if parsed.hasError {
            let lines = lines
            let found = ParseDiagnosticsGenerator.diagnostics(for: parsed).map { diagnostic in
                let place = lines.place(of: diagnostic.position.utf8Offset)
                return SwiftDiagnostic(
                    file: source.name, line: place.line, column: place.column, message: diagnostic.message)
            }
            if !found.isEmpty { throw SwiftRefusal(found) }
        }
        // Operators that the file declares itself are not known; they are refused where they are met.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        tree = folded.as(SourceFileSyntax.self) ?? parsed
    }

    /// The place where a node begins.
    func place(of node: some SyntaxProtocol) -> LoweredScript.Place {
        let place = lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
        return LoweredScript.Place(file: number, line: place.line, column: place.column)
    }

    func diagnostic(_ message: String, at node: some SyntaxProtocol) -> SwiftDiagnostic {
        let place = place(of: node)
        return SwiftDiagnostic(file: name, line: place.line, column: place.column, message: message)
    }
}
