import SwiftSyntax

/// The part of the standard library, Foundation and Realm that is understood, from the files of the folder `Tables`; of one
/// thread.
final class Library {
    /// A parameter of a function.
    struct Parameter: Sendable {
        var label: String?
        var type: SwiftType
        var isVariadic = false
        var isOptional = false

        /// Whether it may be a closure.
        var isFunction: Bool {
            switch type {
            case .function, .variable: true
            default: false
            }
        }
    }

    /// How a method changes the value that it is called on.
    enum Change: Sendable {
        case none
        /// It is changed where it is.
        case inPlace
        /// The result of the template takes its place.
        case assigned
        /// The template is given its place.
        case placed
    }

    /// One function or property.
    struct Entry: Sendable {
        var receiver: SwiftType?
        var name: String
        /// Nil of a property.
        var parameters: [Parameter]?
        var result: SwiftType
        var template: Template
        var change = Change.none
        var isSettable = false

        /// Whether the library gives a view of the elements, which shows itself otherwise than an array of them.
        var isView: Bool {
            guard case .array = result else { return false }
            return ["reversed", "enumerated", "zip", "stride", "utf8", "utf16", "unicodeScalars", "joined"]
                .contains(name)
        }

        /// Whether it makes a text of the values that it takes.
        var showsValues: Bool {
            (parameters ?? []).contains {
                $0.isVariadic && $0.type == .any || ["describing", "reflecting"].contains($0.label)
            }
        }

        /// Whether it takes or gives indices of texts.
        var usesIndices: Bool {
            ((parameters ?? []).map(\.type) + [result]).contains { type in
                switch type.unwrapped {
                case .named("StringIndex"), .range(.named("StringIndex")), .closedRange(.named("StringIndex")),
                    .array(.named("StringIndex")):
                    true
                default: false
                }
            }
        }

        func fits(_ arguments: [Argument]) -> Bool {
            guard let parameters else { return false }
            var index = 0
            for parameter in parameters {
                if parameter.isVariadic {
                    while index < arguments.count, arguments[index].label == nil { index += 1 }
                } else if index < arguments.count,
                    arguments[index].isTrailing
                        ? parameter.isFunction : arguments[index].label == parameter.label
                {
                    index += 1
                } else if !parameter.isOptional {
                    return false
                }
            }
            return index == arguments.count
        }
    }

    private static let index = LibraryIndex([numbers, texts, collections, foundation, realm])
    /// The types that have initializers, by what is looked for, as the tables write them.
    private static let initializedTypes = Dictionary(grouping: index.initializedTypes) {
        let type = TypeSpelling.type(Substring($0))
        return key(type == .variable("I") ? .integer : type)
    }

    /// The lines that were looked for, read.
    private var read: [LibraryIndex.Group: [String: [Entry]]] = [:]

    func properties(_ name: String) -> [Entry] { entries(.properties, name) }
    func methods(_ name: String) -> [Entry] { entries(.methods, name) }
    func statics(_ name: String) -> [Entry] { entries(.statics, name) }
    func functions(_ name: String) -> [Entry] { entries(.functions, name) }
    func hasFunction(_ name: String) -> Bool { !functions(name).isEmpty }

    func initializers(_ type: SwiftType) -> [Entry] {
        (Self.initializedTypes[Self.key(type)] ?? []).flatMap { entries(.initializers, $0) }
    }

    private func entries(_ group: LibraryIndex.Group, _ name: String) -> [Entry] {
        if let known = read[group]?[name] { return known }
        let found = Self.index.lines(group, name).compactMap(Self.entry)
        read[group, default: [:]][name] = found
        return found
    }

    /// Whether a method of the name changes what it is called of.
    func changes(_ name: String) -> Bool { methods(name).contains { $0.change != .none } }

    private static func key(_ type: SwiftType) -> String {
        switch type {
        case .int: "Int"
        case .double: "Double"
        case .float: "Float"
        case .bool: "Bool"
        case .string: "String"
        case .character: "Character"
        case .array: "Array"
        case .set: "Set"
        case .dictionary: "Dictionary"
        case .named(let name): name
        default: ""
        }
    }

    /// `KIND [RECEIVER.]NAME[(PARAMETERS)]: RESULT = TEMPLATE`.
    ///
    /// Kinds: P a property, W one that can be set, M a method, I one that changes its value in place, A one whose value is
    /// replaced, C one that is given its value's place, S a static member, N an initializer, F a function. In a template `@` is
    /// the value, `#1` an argument, `%T` what stands for a variable at run time, `%R` the value's type.
    private static func entry(_ line: Substring) -> Entry? {
        guard let equals = line.firstPlace(of: " = "), let kind = line.first else { return nil }
        let template = Template(String(line[equals.upperBound...]))
        var head = line[line.utf8.index(line.startIndex, offsetBy: 2)..<equals.lowerBound]
        var parameters: [Parameter]?
        var result = SwiftType.void
        if kind == "P" || kind == "W" || kind == "S" && !head.utf8.hasSuffix(")") && !hasArguments(head) {
            guard let colon = head.lastPlace(of: ": ") else { return nil }
            result = TypeSpelling.type(head[colon.upperBound...])
            head = head[..<colon.lowerBound]
        } else {
            guard let open = openParenthesis(head), let close = closing(head, open) else { return nil }
            let rest = head[head.utf8.index(after: close)...]
            if rest.utf8.hasPrefix(": ") { result = TypeSpelling.type(rest.dropFirst(2)) }
            parameters = Self.parameters(head[head.utf8.index(after: open)..<close])
            head = head[..<open]
        }
        var entry = Entry(
            receiver: nil, name: String(head), parameters: parameters, result: result, template: template,
            change: Self.change(kind), isSettable: kind == "W")
        switch kind {
        case "F": break
        case "N": entry.receiver = TypeSpelling.type(head)
        default:
            guard let dot = head.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            entry.receiver = TypeSpelling.type(head[..<dot])
            entry.name = String(head[head.utf8.index(after: dot)...])
        }
        return entry
    }

    private static func change(_ kind: Character) -> Change {
        switch kind {
        case "I": .inPlace
        case "A": .assigned
        case "C": .placed
        default: .none
        }
    }

    private static func hasArguments(_ head: Substring) -> Bool {
        openParenthesis(head) != nil && head.firstPlace(of: "): ") != nil
    }

    /// The parenthesis behind the name: not one of the receiver's type.
    private static func openParenthesis(_ head: Substring) -> Substring.Index? {
        head.utf8.firstIndex(of: UInt8(ascii: "("))
    }

    private static func closing(_ head: Substring, _ open: Substring.Index) -> Substring.Index? {
        var depth = 0
        for index in head.utf8[open...].indices {
            if head.utf8[index] == UInt8(ascii: "(") { depth += 1 }
            if head.utf8[index] == UInt8(ascii: ")") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    private static func parameters(_ text: Substring) -> [Parameter] {
        let bytes = text.utf8
        var parts: [Substring] = []
        var depth = 0
        var start = bytes.startIndex
        var before: UInt8 = 0
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where before != UInt8(ascii: "-"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(text[start..<index])
                start = bytes.index(after: index)
            default: break
            }
            before = bytes[index]
        }
        parts.append(text[start...])
        return parts.compactMap { part in
            guard let colon = part.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            var label = part[..<colon].drop { $0 == " " }
            let isOptional = label.utf8.hasSuffix("?")
            if isOptional { label.removeLast() }
            var type = part[part.utf8.index(after: colon)...]
            let isVariadic = type.utf8.hasSuffix("...")
            if isVariadic { type.removeLast(3) }
            return Parameter(
                label: label == "_" ? nil : String(label), type: TypeSpelling.type(type), isVariadic: isVariadic,
                isOptional: isOptional)
        }
    }
}

// The tables are ASCII: their bytes are looked at, which takes a tenth of the time that characters would.
extension Substring {
    fileprivate func firstPlace(of text: StaticString) -> Range<Index>? {
        utf8.indices.lazy.compactMap { range(of: text, at: $0) }.first
    }

    fileprivate func lastPlace(of text: StaticString) -> Range<Index>? {
        utf8.indices.reversed().lazy.compactMap { range(of: text, at: $0) }.first
    }

    private func range(of text: StaticString, at start: Index) -> Range<Index>? {
        text.withUTF8Buffer { wanted in
            guard utf8[start...].starts(with: wanted) else { return nil }
            return start..<utf8.index(start, offsetBy: wanted.count)
        }
    }
}

extension Substring.UTF8View {
    func hasPrefix(_ text: StaticString) -> Bool { text.withUTF8Buffer { starts(with: $0) } }

    fileprivate func hasSuffix(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { suffix($0.count).elementsEqual($0) }
    }
}
