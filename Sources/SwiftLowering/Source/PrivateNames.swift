import SwiftSyntax
import SwiftWire

/// Names that files declare for themselves, of which another file has the same: `private let formatter` in two files.
///
/// All files are looked up as one. So such a name is another one in its file, as long as before, that none of the files has: places stay
/// what they are.
struct PrivateNames {
    /// A name as it stands in the files now, and as it was written.
    private(set) var written: [String: String] = [:]
    private var sources: [SwiftSource]
    private let files: [SourceFile]
    private var taken: Set<String> = []

    /// The files with other names where that is needed, and the names as they were written.
    ///
    /// - Parameter kept: names that are meant from outside of the files, which stay what they are.
    /// - Throws: `SwiftRefusal` where a name is something else in its file as well.
    static func parted(
        _ files: [SourceFile], _ sources: [SwiftSource], keeping kept: Set<String>
    ) throws(SwiftRefusal) -> (sources: [SwiftSource], written: [String: String]) {
        var names = PrivateNames(sources: sources, files: files)
        try names.part(keeping: kept)
        return (names.sources, names.written)
    }

    private init(sources: [SwiftSource], files: [SourceFile]) { (self.sources, self.files) = (sources, files) }

    private mutating func part(keeping kept: Set<String>) throws(SwiftRefusal) {
        let declared = files.map { file in file.trees.flatMap { $0.statements.flatMap { TopName.all(in: $0) } } }
        let owners = declared.enumerated().reduce(into: [String: Set<Int>]()) { owners, file in
            for name in file.element { owners[name.text, default: []].insert(file.offset) }
        }
        for (number, names) in declared.enumerated() {
            var seen = kept
            for name in names
            where name.isPrivate && (owners[name.text]?.count ?? 0) > 1 && seen.insert(name.text).inserted {
                try rename(name, in: number)
            }
        }
    }

    private mutating func rename(_ name: TopName, in number: Int) throws(SwiftRefusal) {
        let file = files[number]
        let tokens = file.trees.flatMap {
            $0.tokens(viewMode: .sourceAccurate).filter { $0.identifierText == name.text }
        }
        let other = name.isKept ? name.node : tokens.first(where: \.isOtherDeclaration).map { Syntax($0) }
        guard other == nil, let new = unused(like: name.text) else {
            throw SwiftRefusal([
                file.diagnostic(
                    "Another file declares ‘\(name.text)’, too: give this one another name.", at: other ?? name.node)
            ])
        }
        written[new] = name.text
        var bytes = Array(sources[number].text.utf8)
        for token in tokens where !token.isOfOtherScope {
            let start = file.offset(of: token) + (token.text.hasPrefix("`") ? 1 : 0)
            bytes.replaceSubrange(start..<start + name.text.utf8.count, with: new.utf8)
        }
        sources[number].text = String(decoding: bytes, as: UTF8.self)
    }

    /// A name of as many bytes that no file has; nil where there are too few.
    private mutating func unused(like name: String) -> String? {
        if taken.isEmpty {
            for tree in files.flatMap(\.trees) {
                for token in tree.tokens(viewMode: .sourceAccurate) { taken.insert(token.identifierText) }
            }
        }
        guard let first = name.first else { return nil }
        // The first letter says whether it is a type.
        let firsts = name.count > 2 ? [first] : Self.letters.filter { $0.isUppercase == first.isUppercase }
        var endings = [""]
        for _ in 0..<min(name.count - 1, 2) {
            endings = endings.flatMap { ending in Self.letters.map { ending + String($0) } }
        }
        for first in firsts {
            for ending in endings {
                let made = String(first) + String(repeating: "_", count: name.count - 1 - ending.count) + ending
                if taken.insert(made).inserted { return made }
            }
        }
        return nil
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

/// A name that is declared at the top of a file.
private struct TopName {
    let text: String
    let node: Syntax
    let isPrivate: Bool
    /// Whether it can't be another one: it is an operator, a class of a realm's objects, or beyond ASCII.
    let isKept: Bool

    static func all(in item: CodeBlockItemSyntax) -> [TopName] {
        guard case .decl(let declaration) = item.item else { return [] }
        return all(in: declaration)
    }

    private static func all(in declaration: DeclSyntax) -> [TopName] {
        if let node = declaration.as(IfConfigDeclSyntax.self) {
            return node.clauses.flatMap { clause in
                if case .statements(let items)? = clause.elements { return items.flatMap { all(in: $0) } }
                return []
            }
        }
        let isPrivate = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.isOfFile ?? false
        if let node = declaration.as(VariableDeclSyntax.self) {
            return node.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }.map {
                TopName($0, isPrivate, isKept: false)
            }
        }
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name else { return [] }
        let base = declaration.as(ClassDeclSyntax.self)?.inheritanceClause?.inheritedTypes.first?.type.spelling ?? ""
        return [TopName(name, isPrivate, isKept: base.hasSuffix("Object") && base != "NSObject")]
    }

    private init(_ name: TokenSyntax, _ isPrivate: Bool, isKept: Bool) {
        text = name.identifierText
        node = Syntax(name)
        self.isPrivate = isPrivate
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        self.isKept = isKept || !isPlain || text == "migrate"
    }
}

extension DeclModifierListSyntax {
    /// Whether what they stand before is seen in its file alone.
    var isOfFile: Bool { has(.private) || has(.fileprivate) }
}

extension TokenSyntax {
    /// Whether it names a member, a label or the like, which no declaration at the top of a file is.
    fileprivate var isOfOtherScope: Bool {
        guard let parent else { return false }
        if let reference = parent.as(DeclReferenceExprSyntax.self) {
            if let member = reference.parent?.as(MemberAccessExprSyntax.self) {
                return member.declName.id == reference.id
            }
            return reference.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false
        }
        if let parameter = parent.as(FunctionParameterSyntax.self) { return parameter.firstName.id == id }
        if let element = parent.as(TupleTypeElementSyntax.self) { return element.firstName?.id == id }
        if let element = parent.as(TuplePatternElementSyntax.self) { return element.label?.id == id }
        if let labelled = parent.as(LabeledExprSyntax.self) { return labelled.label?.id == id }
        return parent.is(MemberTypeSyntax.self) || parent.is(DeclNameArgumentSyntax.self)
            || parent.is(EnumCaseParameterSyntax.self) || parent.is(ImportPathComponentSyntax.self)
            || parent.is(AvailabilityLabeledArgumentSyntax.self)
    }

    /// Whether it declares a member, or a parameter that is its label as well: then another mention may mean either.
    fileprivate var isOtherDeclaration: Bool {
        guard let parent else { return false }
        if let parameter = parent.as(FunctionParameterSyntax.self) { return parameter.secondName == nil }
        if parent.is(EnumCaseElementSyntax.self) { return true }
        let declaration: Syntax?
        if let pattern = parent.as(IdentifierPatternSyntax.self) {
            declaration = pattern.parent?.as(PatternBindingSyntax.self)?.parent?.parent
        } else {
            declaration = parent.asProtocol((any NamedDeclSyntax).self)?.name.id == id ? parent : nil
        }
        return declaration?.parent?.is(MemberBlockItemSyntax.self) ?? false
    }
}
