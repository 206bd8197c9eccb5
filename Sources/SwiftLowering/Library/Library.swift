import SwiftSyntax

/// What of the standard library, Foundation and Realm is understood, from the tables beside this file.
struct Library: Sendable {
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

    /// What becomes of the value that a method is called of.
    enum Change: Sendable {
        case none
        /// It is changed where it is.
        case inPlace
        /// What the template makes takes its place.
        case assigned
    }

    /// One function or property.
    struct Entry: Sendable {
        var receiver: SwiftType?
        var name: String
        /// Nil of a property.
        var parameters: [Parameter]?
        var result: SwiftType
        var template: String
        var change = Change.none
        var isSettable = false

        /// Whether what is wanted of the result tells what the arguments are.
        var infersFromResult: Bool { false }
        var isPlainResult: Bool { !result.hasVariables }

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

    static let shared = Library()

    private var propertiesByName: [String: [Entry]] = [:]
    private var methodsByName: [String: [Entry]] = [:]
    private var staticsByName: [String: [Entry]] = [:]
    private var functionsByName: [String: [Entry]] = [:]
    private var initializersByType: [String: [Entry]] = [:]

    private init() {
        for table in [Self.numbers, Self.texts, Self.collections, Self.foundation, Self.realm] {
            for line in table.split(separator: "\n") { add(String(line)) }
        }
    }

    func properties(_ name: String) -> [Entry] { propertiesByName[name] ?? [] }
    func methods(_ name: String) -> [Entry] { methodsByName[name] ?? [] }
    func statics(_ name: String) -> [Entry] { staticsByName[name] ?? [] }
    func functions(_ name: String) -> [Entry] { functionsByName[name] ?? [] }
    func hasFunction(_ name: String) -> Bool { functionsByName[name] != nil }

    /// Whether a method of the name changes what it is called of.
    func changes(_ name: String) -> Bool { methods(name).contains { $0.change != .none } }

    func initializers(_ type: SwiftType) -> [Entry] { initializersByType[Self.key(type)] ?? [] }

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
    /// replaced, S a static member, N an initializer, F a function. In a template `@` is the value, `#1` an argument, `%T` what
    /// stands for a variable at run time, `%R` the value's type.
    private mutating func add(_ line: String) {
        guard let equals = line.firstRange(of: " = "), let kind = line.first else { return }
        let template = String(line[equals.upperBound...])
        var head = line[line.index(line.startIndex, offsetBy: 2)..<equals.lowerBound]
        var parameters: [Parameter]?
        var result = SwiftType.void
        if kind == "P" || kind == "W" || (kind == "S" && !head.hasSuffix(")") && !Self.hasArguments(head)) {
            guard let colon = head.range(of: ": ", options: .last) else { return }
            result = TypeSpelling.type(head[colon.upperBound...])
            head = head[..<colon.lowerBound]
        } else {
            guard let open = Self.openParenthesis(head), let close = Self.closing(head, open) else { return }
            let rest = head[head.index(after: close)...]
            if rest.hasPrefix(": ") { result = TypeSpelling.type(rest.dropFirst(2)) }
            parameters = Self.parameters(head[head.index(after: open)..<close])
            head = head[..<open]
        }
        var entry = Entry(
            receiver: nil, name: String(head), parameters: parameters, result: result, template: template,
            change: kind == "I" ? .inPlace : kind == "A" ? .assigned : .none, isSettable: kind == "W")
        if kind == "N" {
            let type = TypeSpelling.type(head)
            entry.receiver = type
            initializersByType[Self.key(type == .variable("I") ? .integer : type), default: []].append(entry)
            return
        }
        if kind == "F" {
            functionsByName[entry.name, default: []].append(entry)
            return
        }
        guard let dot = head.lastIndex(of: ".") else { return }
        entry.receiver = TypeSpelling.type(head[..<dot])
        entry.name = String(head[head.index(after: dot)...])
        switch kind {
        case "P", "W": propertiesByName[entry.name, default: []].append(entry)
        case "S": staticsByName[entry.name, default: []].append(entry)
        default: methodsByName[entry.name, default: []].append(entry)
        }
    }

    private static func hasArguments(_ head: Substring) -> Bool { openParenthesis(head) != nil && head.contains("): ") }

    /// The parenthesis behind the name: not one of the receiver's type.
    private static func openParenthesis(_ head: Substring) -> Substring.Index? { head.firstIndex(of: "(") }

    private static func closing(_ head: Substring, _ open: Substring.Index) -> Substring.Index? {
        var depth = 0
        var index = open
        while index < head.endIndex {
            if head[index] == "(" { depth += 1 }
            if head[index] == ")" {
                depth -= 1
                if depth == 0 { return index }
            }
            index = head.index(after: index)
        }
        return nil
    }

    private static func parameters(_ text: Substring) -> [Parameter] {
        var parts: [String] = []
        var depth = 0
        for character in text {
            if "([<".contains(character) { depth += 1 }
            if ")]".contains(character) || character == ">" && !(parts.last?.hasSuffix("-") ?? false) { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else if parts.isEmpty {
                parts = [String(character)]
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.compactMap { part in
            guard let colon = part.firstIndex(of: ":") else { return nil }
            var label = part[..<colon].filter { $0 != " " }
            let isOptional = label.hasSuffix("?")
            if isOptional { label.removeLast() }
            var type = String(part[part.index(after: colon)...])
            let isVariadic = type.hasSuffix("...")
            if isVariadic { type.removeLast(3) }
            return Parameter(
                label: label == "_" ? nil : label, type: TypeSpelling.type(type), isVariadic: isVariadic,
                isOptional: isOptional)
        }
    }
}

extension Substring {
    fileprivate enum Occurrence { case last }

    fileprivate func range(of text: String, options: Occurrence) -> Range<Index>? {
        var end = endIndex
        while end > startIndex {
            if let start = index(end, offsetBy: -text.count, limitedBy: startIndex), self[start..<end] == text {
                return start..<end
            }
            end = index(before: end)
        }
        return nil
    }
}

extension String {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
