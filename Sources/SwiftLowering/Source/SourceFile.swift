import SwiftParserDiagnostics
import SwiftWire
import SwiftSyntax

/// A file, parsed, with its operators in their order.
final class SourceFile {
    let name: String
    let text: String
    let number: Int
    /// The file's syntax, in one tree or, of a large file, in several that follow one another.
    let trees: [SourceFileSyntax]
    /// The operators that may stand in another order than in the compiler's eyes.
    let unplacedOperators: Set<String>
    private let lines: LineTable
    /// Where the trees begin in the file, in bytes.
    private let offsets: [SyntaxIdentifier: Int]
    /// The fragment that the file is, where it is read as one.
    private let fragment: Fragment?
    /// Names that the files don't have as they were written, and those that were written.
    private(set) var writtenNames: [String: String] = [:]

    /// Parses files.
    ///
    /// - Parameters:
    ///   - takesFragments: whether files that are no more than a migration block are read as one.
    ///   - kept: names that are meant from outside of the files.
    /// - Throws: `SwiftRefusal` with all that the parser says of the first that it does not understand.
    static func all(
        _ sources: [SwiftSource], takesFragments: Bool = false, keeping kept: Set<String> = []
    ) throws(SwiftRefusal) -> [SourceFile] {
        let files = try parsed(sources, takesFragments: takesFragments)
        guard files.count > 1, !takesFragments else { return files }
        let (parted, written) = try PrivateNames.parted(files, sources, keeping: kept)
        guard !written.isEmpty else { return files }
        let others = try parsed(parted, takesFragments: false)
        for file in others { file.writtenNames = written }
        return others
    }

    private static func parsed(_ sources: [SwiftSource], takesFragments: Bool) throws(SwiftRefusal) -> [SourceFile] {
        for source in sources { try refuseBrackets(of: source) }
        let fragments = sources.map { takesFragments ? Fragment($0.text) : nil }
        let parts = zip(sources, fragments).map { source, fragment in
            fragment.map { [$0.text] } ?? SourceParts.of(source.text)
        }
        let (trees, order) = ParallelParsing.program(of: parts.flatMap(\.self))
        var parsed = trees[...]
        var files: [SourceFile] = []
        for (number, source) in sources.enumerated() {
            let own = parsed.prefix(parts[number].count)
            files.append(try SourceFile(source, fragments[number], number: number, own, order))
            parsed = parsed.dropFirst(parts[number].count)
        }
        return files
    }

    /// - Parameter parsed: the trees of its parts.
    private init(
        _ source: SwiftSource, _ fragment: Fragment?, number: Int, _ parsed: ArraySlice<ParallelParsing.Parsed>,
        _ order: OperatorOrder
    ) throws(SwiftRefusal) {
        name = source.name
        text = source.text
        self.number = number
        self.fragment = fragment
        lines = LineTable(source.text)
        try Self.refuse(parsed, of: source, fragment, lines)
        var parsed = Array(parsed)
        if parsed.contains(where: \.tree.hasError) {
            // A part that is not understood may have been cut in the wrong place: the file as a whole tells.
            let whole = parsed.count > 1 ? ParallelParsing.tree(of: source.text, in: order) : parsed[0]
            try Self.refuse([whole], of: source, fragment, lines)
            if whole.tree.hasError { try Self.refuse(whole.tree, of: source, fragment, lines) }
            parsed = [whole.tree.hasError ? whole.folded(in: order) : whole]
        }
        trees = parsed.map(\.tree)
        unplacedOperators = parsed.reduce(into: []) { $0.formUnion($1.unplacedOperators) }
        var offsets: [SyntaxIdentifier: Int] = [:]
        var offset = 0
        for tree in self.trees {
            offsets[tree.id] = offset
            offset += tree.totalLength.utf8Length
        }
        self.offsets = offsets
    }

    private static func refuseBrackets(of source: SwiftSource) throws(SwiftRefusal) {
        guard let offset = SourceDepth.excessOfBrackets(in: source.text) else { return }
        let place = LineTable(source.text).place(of: offset)
        throw SwiftRefusal([
            SwiftDiagnostic(
                file: source.name, line: place.line, column: place.column,
                message: "More brackets open here in a row than can be read: make the inner values before it.")
        ])
    }

    private static func refuse(
        _ tree: SourceFileSyntax, of source: SwiftSource, _ fragment: Fragment?, _ lines: LineTable
    ) throws(SwiftRefusal) {
        let found = ParseDiagnosticsGenerator.diagnostics(for: tree).map { diagnostic in
            let offset = diagnostic.position.utf8Offset
            let place = lines.place(of: fragment?.original(offset) ?? offset)
            return SwiftDiagnostic(
                file: source.name, line: place.line, column: place.column, message: diagnostic.message)
        }
        if !found.isEmpty { throw SwiftRefusal(found) }
    }

    /// Refuses what nests too deep to be looked at any further.
    private static func refuse(
        _ parts: some Sequence<ParallelParsing.Parsed>, of source: SwiftSource, _ fragment: Fragment?,
        _ lines: LineTable
    ) throws(SwiftRefusal) {
        var start = 0
        for part in parts {
            if let excess = part.excess {
                let offset = fragment?.original(start + excess.offset) ?? start + excess.offset
                let space = source.text.utf8.dropFirst(offset).prefix { $0 <= 0x20 }.count
                let place = lines.place(of: offset + space)
                throw SwiftRefusal([
                    SwiftDiagnostic(file: source.name, line: place.line, column: place.column, message: excess.message)
                ])
            }
            start += part.tree.totalLength.utf8Length
        }
    }

    /// Where a node begins, in bytes of what was parsed.
    func offset(of node: some SyntaxProtocol) -> Int {
        (offsets[Syntax(node).root.id] ?? 0) + node.positionAfterSkippingLeadingTrivia.utf8Offset
    }

    /// The place where a node begins.
    func place(of node: some SyntaxProtocol) -> LoweredScript.Place {
        let offset = offset(of: node)
        let place = lines.place(of: fragment?.original(offset) ?? offset)
        return LoweredScript.Place(file: number, line: place.line, column: place.column)
    }

    func diagnostic(_ message: String, at node: some SyntaxProtocol) -> SwiftDiagnostic {
        let place = place(of: node)
        let message = writtenNames.reduce(message) { $0.replacing($1.key, with: $1.value) }
        return SwiftDiagnostic(file: name, line: place.line, column: place.column, message: message)
    }
}
