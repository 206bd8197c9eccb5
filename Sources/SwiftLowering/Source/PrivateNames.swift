import SwiftSyntax
import SwiftWire

/// Names that files declare for themselves, at their top and as members of types: all files are looked up as one.
///
/// A name at the top of a file that another file may take for its own is another one in its file, as long as before, that none of the
/// files has: places stay what they are. Where a mention may mean one of two, be it of a member, the files are refused.
struct PrivateNames {
    /// A name as it stands in the files now, and as it was written.
    private(set) var written: [String: String] = [:]
    private var sources: [SwiftSource]
    private let files: [FileNames]
    private let relations: TypeRelations
    private var taken: Set<String> = []

    /// The files with other names where that is needed, and the names as they were written.
    ///
    /// - Parameter kept: names that are meant from outside of the files, which stay what they are.
    /// - Throws: `SwiftRefusal` where a name may mean something else as well.
    static func parted(
        _ files: [SourceFile], _ sources: [SwiftSource], keeping kept: Set<String>
    ) throws(SwiftRefusal) -> (sources: [SwiftSource], written: [String: String]) {
        var names = PrivateNames(sources: sources, files: files.map { FileNames($0) })
        for file in names.files { try names.refuseMembers(of: file) }
        try names.part(keeping: kept)
        return (names.sources, names.written)
    }

    private init(sources: [SwiftSource], files: [FileNames]) {
        (self.sources, self.files) = (sources, files)
        relations = TypeRelations(files)
    }

    private func refusal(
        _ message: String, of file: FileNames, at node: some SyntaxProtocol, needing needed: String = "another name"
    ) -> SwiftRefusal {
        SwiftRefusal([file.file.diagnostic("\(message): give this one \(needed).", at: node)])
    }

    // MARK: Names at the top

    private mutating func part(keeping kept: Set<String>) throws(SwiftRefusal) {
        for (number, file) in files.enumerated() {
            var seen = kept
            for name in file.tops where name.isPrivate && isSeen(name, of: file) && seen.insert(name.text).inserted {
                try rename(name, in: number)
            }
        }
    }

    /// Whether another file has the name, too, or means something else by it.
    private func isSeen(_ name: TopName, of own: FileNames) -> Bool {
        files.contains { file in
            guard file !== own else { return false }
            if file.tops.contains(where: { $0.text == name.text }) { return true }
            guard !name.isOperator else { return file.mentioned.contains(name.text) || name.text == "~=" }
            return file.unqualified.contains(name.text) && !file.declared.contains(name.text)
        }
    }

    private mutating func rename(_ name: TopName, in number: Int) throws(SwiftRefusal) {
        let own = files[number]
        let tokens = own.file.trees.flatMap {
            $0.tokens(viewMode: .sourceAccurate).filter { $0.identifierText == name.text }
        }
        let other = name.isKept ? name.node : tokens.first(where: \.isOtherDeclaration).map { Syntax($0) }
        let mayBeOther = mayBeOverload(name, of: own) || mayBeMember(name, of: own)
        guard other == nil, !mayBeOther, let new = unused(like: name.text) else {
            let isDeclared = files.contains { $0 !== own && $0.declared.contains(name.text) }
            throw refusal(
                "\(isDeclared ? "Another file declares" : "There is another") ‘\(name.text)’, too", of: own,
                at: other ?? name.node)
        }
        written[new] = name.text
        var bytes = Array(sources[number].text.utf8)
        for token in tokens where !token.isOfOtherScope {
            let start = own.file.offset(of: token) + (token.text.hasPrefix("`") ? 1 : 0)
            bytes.replaceSubrange(start..<start + name.text.utf8.count, with: new.utf8)
        }
        sources[number].text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a function of all files has the name, of which a call may mean either.
    private func mayBeOverload(_ name: TopName, of own: FileNames) -> Bool {
        name.isFunction
            && files.contains { file in
                file !== own && file.tops.contains { $0.text == name.text && !$0.isPrivate && $0.isFunction }
            }
    }

    /// Whether a mention in a type may mean a member, which comes before what is at the top of a file.
    private func mayBeMember(_ name: TopName, of own: FileNames) -> Bool {
        own.unqualifiedInTypes.contains { type, names in
            names.contains(name.text) && relations.hasMember(name.text, type)
        }
    }

    /// A name of as many bytes that no file has; nil where there are too few.
    private mutating func unused(like name: String) -> String? {
        if taken.isEmpty { for file in files { taken.formUnion(file.mentioned) } }
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

    // MARK: Members

    private func refuseMembers(of own: FileNames) throws(SwiftRefusal) {
        for member in own.members where member.isPrivate {
            let type = member.type
            for file in files where file !== own {
                if file.members.contains(where: { $0.key == member.key && relations.areRelated($0.type, type) }) {
                    throw refusal(
                        "Another file gives ‘\(type)’ \(member.told), too", of: own, at: member.node,
                        needing: member.isNamed ? "another name" : "other labels")
                }
                if means(member, in: file) {
                    throw refusal(
                        "Another file may mean another ‘\(member.name)’", of: own, at: member.node,
                        needing: member.isNamed ? "another name" : "other labels")
                }
            }
        }
    }

    /// Whether a file mentions what the private member of another file would be, and is none to it.
    private func means(_ member: FileNames.Member, in file: FileNames) -> Bool {
        if let parameters = member.parameters {
            return file.calls.contains { call in
                let isUntold = call.type.isEmpty || call.type == "Self"
                let mayBeOf = isUntold ? !relations.isDeclared(member.type) : call.type == member.type
                return mayBeOf && call.labels.fit(parameters)
            }
        }
        guard file.mentioned.contains(member.name) else { return false }
        if !relations.isDeclared(member.type), relations.libraryHasMember(member.name) { return true }
        let isAtTop = files.contains { names in names.tops.contains { $0.text == member.name } }
        guard isAtTop || relations.libraryHasName(member.name) else { return false }
        return file.unqualifiedInTypes.contains { type, names in
            names.contains(member.name) && relations.areRelated(type, member.type)
        }
    }
}

extension FileNames.Member {
    fileprivate var isNamed: Bool { name != "init" && name != "subscript" }

    fileprivate var told: String {
        isNamed ? "a ‘\(name)’" : name == "init" ? "such an initializer" : "such a subscript"
    }
}

extension [String] {
    /// Whether these are the labels of a call of what has some parameters.
    fileprivate func fit(_ parameters: [FileNames.Parameter]) -> Bool {
        var rest = self[...]
        for parameter in parameters {
            if rest.first == parameter.label {
                rest.removeFirst()
            } else if !parameter.hasDefault {
                return false
            }
        }
        return rest.isEmpty
    }
}
