import SwiftSyntax

/// A text that a function of the library reads: a format, for example.
///
/// The tables write it in place of `String`. A text that the runtime does not read as Foundation does is refused where it
/// stands as a literal, before anything runs.
enum CheckedText: String {
    case format = "Format"
    /// A format of a log, which may say who sees a value.
    case logFormat = "LogFormat"
    case datePattern = "DatePattern"
    case locale = "LocaleName"
    case timeZone = "ZoneName"
    /// A unit of a calendar whose spans are known.
    case spanUnit = "SpanUnit"
    /// The differences that a folding takes no notice of.
    case foldOptions = "FoldOptions"
    /// A locale in which numbers are written as they are without one.
    case plainLocale = "PlainLocale"

    /// The text that a parameter of a type takes; nil for parameters of other types.
    init?(_ type: SwiftType) {
        guard case .named(let name) = type else { return nil }
        self.init(rawValue: name)
    }

    /// The type of the argument.
    var type: SwiftType {
        switch self {
        case .format, .logFormat, .datePattern, .locale, .timeZone: .string
        case .spanUnit: .named("CalendarComponent")
        case .foldOptions: .named("CompareOptions")
        case .plainLocale: .optional(.named("Locale"))
        }
    }

    /// The text that is assigned to a property.
    init?(propertyOf place: ExprSyntax) {
        guard place.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "dateFormat" else { return nil }
        self = .datePattern
    }

    /// Refuses a format that has more places than the call has values.
    static func checkPlaces(of parameters: [Library.Parameter]?, _ arguments: [Argument]) throws {
        guard let index = parameters?.firstIndex(where: { $0.type == .named(CheckedText.format.rawValue) }),
            arguments.indices.contains(index), let text = LiteralValue.string(arguments[index].node)
        else { return }
        var values = arguments.count - index - 1
        if values == 1, arguments[index + 1].label == "arguments" {
            guard let list = arguments[index + 1].node.as(ArrayExprSyntax.self) else { return }
            values = list.elements.count
        }
        var next = 0
        var most = 0
        for place in text.matches(of: #/%(%|[-+ #0-9.*$]*)/#) where place.output.1 != "%" {
            let positions = place.output.1.matches(of: #/([0-9]+)\$/#).compactMap { Int($0.output.1) }
            next += place.output.1.filter { $0 == "*" }.count + 1 - positions.count
            most = max(most, next, positions.max() ?? 0)
        }
        guard most <= values else {
            throw Refusal("The format has more places than values.", at: arguments[index].node)
        }
    }

    /// Refuses the week of the year of a date.
    static func checkWeeks(_ entry: Library.Entry, _ arguments: [Argument]) throws {
        guard ["component", "dateComponents"].contains(entry.name), entry.parameters?.count == 2,
            let first = arguments.first?.node, first.description.contains("week"),
            first.description.contains("weekOf")
        else { return }
        throw Refusal("Weeks of the year are not understood here.", at: first)
    }

    /// Refuses a regular expression among the arguments of a call where it is not understood.
    ///
    /// - Parameter known: the literal values of a name.
    static func checkExpression(
        of entry: Library.Entry, _ arguments: [Argument], _ known: (ExprSyntax) -> [String]
    ) throws {
        let isOption = { (argument: Argument) in
            argument.label == "options" && argument.node.description.contains("regularExpression")
        }
        guard let first = arguments.first,
            arguments.contains(where: isOption)
                || entry.receiver == .named("NSRegularExpression") && first.label == "pattern"
        else { return }
        let texts = LiteralValue.string(first.node).map { [$0] } ?? known(first.node)
        if texts.isEmpty {
            throw Refusal(
                "A regular expression is understood here where it is a literal, or a constant with the value of one.",
                at: first.node)
        }
        for text in texts { try checkExpression(text, first, arguments) }
    }

    private static func checkExpression(_ written: String, _ first: Argument, _ arguments: [Argument]) throws {
        let takesNoCase = written.hasPrefix("(?i)")
        let text = takesNoCase ? String(written.dropFirst(4)) : written
        guard !takesNoCase || text.allSatisfy(\.isASCII) else {
            throw Refusal(
                "Letters beyond ASCII in a regular expression that takes no notice of case are not understood here.",
                at: first.node)
        }
        for option in arguments where option.label == "options" {
            let names = option.node.description
            guard !names.contains("backwards"), !names.contains("anchored"), !names.contains("iteral") else {
                throw Refusal("These options of a regular expression are not understood here.", at: option.node)
            }
            guard !names.contains("caseInsensitive") || text.allSatisfy(\.isASCII) else {
                throw Refusal(
                    "Letters beyond ASCII in a regular expression that takes no notice of case are not understood here.",
                    at: first.node)
            }
        }
        guard text.wholeMatch(of: expression) != nil, !text.contains("&&"), !text.contains("--") else {
            throw Refusal(
                "The regular expression ‘\(text)’ is not understood here: take literals, classes as [a-z] and \\d, groups, | * + ? {2,3} ^ $.",
                at: first.node)
        }
    }

    /// The expressions that ICU and JavaScript have in common (`expressions.js`).
    private static var expression: Regex<Substring> {
        #/(?:\\[dwsDWSbtnrf]|\\[1-9](?![0-9])|\\u[0-9A-Fa-f]{4}|\\[!-\/:-@\[-`{-~]|\[\^?(?:\\[dwstnrf]|\\u[0-9A-Fa-f]{4}|\\[!-\/:-@\[-`{-~]|[^\[\]\\])+\]|\((?:\?[:=!]|(?!\?))|\)|\||(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??(?!\+)|[^\\\[\](){}*+?|])*/#
    }

    /// Refuses a literal that is not understood.
    func check(_ node: ExprSyntax) throws {
        switch self {
        case .spanUnit:
            let name = node.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
            guard ["year", "month", "day", "hour", "minute", "second"].contains(name) else {
                throw Refusal(
                    "The span of this unit is not understood here: take ‘.day’, ‘.month’ or ‘.year’.", at: node)
            }
            return
        case .foldOptions:
            let names = node.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [node]
            let isKnown = names.allSatisfy { name in
                ["caseInsensitive", "diacriticInsensitive"].contains(
                    name.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? "")
            }
            guard isKnown else {
                throw Refusal(
                    "A folding is understood with ‘.caseInsensitive’ and ‘.diacriticInsensitive’ here.", at: node)
            }
            return
        case .plainLocale:
            if node.is(NilLiteralExprSyntax.self) { return }
            let identifier = node.as(FunctionCallExprSyntax.self)?.arguments.first?.expression
            guard identifier.flatMap(LiteralValue.string) == "en_US_POSIX" else {
                throw Refusal("A format with a locale is understood with ‘en_US_POSIX’ here.", at: node)
            }
            return
        default: break
        }
        guard let text = LiteralValue.string(node), let reason = fault(of: text) else { return }
        throw Refusal(reason, at: node)
    }

    private func fault(of text: String) -> String? {
        switch self {
        case .format: formatFault(text)
        case .logFormat: formatFault(text.replacing(#/%\{(?:public|private|sensitive)\}/#, with: "%"))
        case .datePattern: datePatternFault(text)
        case .locale:
            ["en", "en_US", "en_US_POSIX", "en_GB", "en-US", "en-GB"].contains(text)
                ? nil : "The locale ‘\(text)’ is not known here: take ‘en_US_POSIX’."
        case .timeZone:
            isKnownZone(text)
                ? nil : "The time zone ‘\(text)’ is not known here: take UTC, or ‘TimeZone(secondsFromGMT:)’."
        case .spanUnit, .plainLocale, .foldOptions: nil
        }
    }

    /// The places of a format, as `format.js` reads them.
    private func formatFault(_ text: String) -> String? {
        var rest = text[...]
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...]
            let place = rest.prefix { "0123456789$*.-+ #".contains($0) }
            let size = rest[place.endIndex...].prefix { "hlqztj".contains($0) }
            let kind = rest[size.endIndex...].first
            let isKnown =
                switch kind {
                case "%": place.isEmpty && size.isEmpty
                case "@": !place.contains("#")
                case "c": size.isEmpty
                case "d", "i", "u", "x", "X", "o": ["", "h", "hh", "l", "ll", "q", "z", "t", "j"].contains(size)
                case "f", "F", "e", "E", "g", "G", "a", "A": ["", "h", "hh", "l"].contains(size)
                default: false
                }
            guard isKnown else {
                let shown = "%\(place)\(size)\(kind.map(String.init) ?? "")"
                return "‘\(shown)’ in a format is not understood: put the text together by interpolation."
            }
            rest = rest[size.endIndex...].dropFirst()
        }
        return nil
    }

    /// The letters of a date's format, as `dates.js` reads them.
    private func datePatternFault(_ text: String) -> String? {
        var isQuoted = false
        var fields: [(letter: Character, count: Int)] = []
        var last: Character?
        for character in text {
            if character == "'" { isQuoted.toggle() }
            let isLetter = !isQuoted && character.isASCII && character.isLetter
            if isLetter, character == last { fields[fields.count - 1].count += 1 }
            if isLetter, character != last { fields.append((character, 1)) }
            last = isLetter ? character : nil
        }
        for (letter, count) in fields {
            let isKnown =
                switch letter {
                case "y", "u", "d", "D", "H", "k", "K", "h", "m", "s", "S", "A": true
                case "M", "L", "a", "G", "Q", "q", "Z", "X", "x": count <= 5
                case "E": count <= 6
                case "e", "c": 3...6 ~= count
                case "z": count <= 3
                case "O": count == 1 || count == 4
                default: false
                }
            guard isKnown else {
                return "‘\(String(repeating: letter, count: count))’ in the format of a date is not understood."
            }
        }
        return nil
    }

    private func isKnownZone(_ text: String) -> Bool {
        if ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(text) { return true }
        let offset = text.dropFirst(3)
        return (text.hasPrefix("GMT") || text.hasPrefix("UTC")) && (offset.first == "+" || offset.first == "-")
            && offset.dropFirst().allSatisfy { $0.isASCII && ($0.isNumber || $0 == ":") }
    }
}
