import RealmModel
import SwiftSyntax

/// Values that stand in the source as literals.
enum LiteralValue {
    /// A whole number, with a sign or without.
    static func int(_ value: ExprSyntax) -> Int64? {
        guard let digits = integerText(value) else { return nil }
        return Int64(digits.0, radix: digits.1)
    }

    static func unsigned(_ value: ExprSyntax) -> UInt64? {
        guard let digits = integerText(value) else { return nil }
        return UInt64(digits.0, radix: digits.1)
    }

    /// The digits with their sign, and their base.
    static func integerText(_ value: ExprSyntax) -> (String, Int)? {
        if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-",
            let (digits, base) = integerText(prefix.expression), !digits.hasPrefix("-")
        {
            return ("-" + digits, base)
        }
        guard let literal = value.as(IntegerLiteralExprSyntax.self) else { return nil }
        let text = literal.literal.text.filter { $0 != "_" }
        for (prefix, base) in [("0x", 16), ("0b", 2), ("0o", 8)] where text.hasPrefix(prefix) {
            return (String(text.dropFirst(2)), base)
        }
        return (text, 10)
    }

    static func double(_ value: ExprSyntax) -> Double? {
        if let prefix = value.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
            return double(prefix.expression).map { -$0 }
        }
        if let literal = value.as(FloatLiteralExprSyntax.self) {
            return Double(literal.literal.text.filter { $0 != "_" })
        }
        return int(value).map(Double.init)
    }

    /// A number as Realm makes a decimal of the literal: of a floating one by way of a double.
    static func decimal(_ value: ExprSyntax) -> Decimal128? {
        int(value).flatMap { Decimal128(String($0)) } ?? double(value).map { Decimal128($0) }
    }

    /// A time by its whole seconds since 1970.
    static func date(_ value: ExprSyntax) -> Timestamp? {
        guard let call = value.as(FunctionCallExprSyntax.self), let argument = call.arguments.first,
            ["Date", "Date.init", ".init"].contains(call.calledExpression.spelling), call.arguments.count == 1,
            argument.label?.text == "timeIntervalSince1970",
            let seconds = double(argument.expression).flatMap({ Int64(exactly: $0) })
        else { return nil }
        return Timestamp(seconds: seconds, nanoseconds: 0)
    }

    /// A text without anything put into it.
    static func string(_ value: ExprSyntax) -> String? {
        guard let literal = value.as(StringLiteralExprSyntax.self) else { return nil }
        var text = ""
        for segment in literal.segments {
            guard case .stringSegment(let part) = segment,
                let plain = unescaped(part.content.text, pounds: literal.openingPounds?.text.count ?? 0)
            else { return nil }
            text += plain
        }
        return text
    }

    /// The text that a part of a literal means; nil where an escape is none of Swift's.
    static func unescaped(_ source: String, pounds: Int) -> String? {
        let mark = "\\" + String(repeating: "#", count: pounds)
        guard source.contains(mark) else { return source }
        var text = String.UnicodeScalarView()
        var rest = source.unicodeScalars[...]
        let markLength = mark.unicodeScalars.count
        while let scalar = rest.first {
            guard rest.starts(with: mark.unicodeScalars) else {
                text.append(scalar)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(markLength)
            guard let escape = rest.popFirst() else { return nil }
            switch escape {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "0": text.append("\0")
            case "\"", "'", "\\": text.append(escape)
            case "u":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                guard rest.first == "{", let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
                    let value = Unicode.Scalar(number)
                else { return nil }
                text.append(value)
                rest = rest.dropFirst(digits.count + 2)
            default: return nil
            }
        }
        return String(text)
    }
}

/// The raw values of an enumeration's cases.
struct EnumerationValues {
    /// In the order of the source.
    private(set) var names: [String] = []
    /// By the names of the cases; empty where the enumeration has no raw values.
    private(set) var values: [String: Value] = [:]
    /// Those beyond the whole numbers that a value holds.
    private(set) var large: [String: UInt64] = [:]

    init(_ nominal: Nominal) {
        names = nominal.members.cases.map { $0.name.identifierText }
        let raw = nominal.inheritedNames.first ?? ""
        if raw == "String" || raw == "Character" {
            for element in nominal.members.cases {
                let name = element.name.identifierText
                values[name] = .string(element.rawValue.flatMap { LiteralValue.string($0.value) } ?? name)
            }
        } else if SwiftType.integerNames.contains(raw) {
            addIntegers(nominal)
        } else if ["Double", "Float", "CGFloat", "TimeInterval", "Float32", "Float64"].contains(raw) {
            var next = 0.0
            for element in nominal.members.cases {
                next = element.rawValue.flatMap { LiteralValue.double($0.value) } ?? next
                let isShort = raw == "Float" || raw == "Float32"
                values[element.name.identifierText] = .double(isShort ? Double(Float(next)) : next)
                next += 1
            }
        }
    }

    private mutating func addIntegers(_ nominal: Nominal) {
        var (next, isNegative): (UInt64, Bool) = (0, false)
        for element in nominal.members.cases {
            let name = element.name.identifierText
            if next == 0 { isNegative = false }
            if let value = element.rawValue?.value {
                if let number = LiteralValue.int(value) {
                    (next, isNegative) = (UInt64(bitPattern: number), number < 0)
                } else if let number = LiteralValue.unsigned(value) {
                    (next, isNegative) = (number, false)
                }
            }
            if isNegative || next <= UInt64(Int64.max) {
                values[name] = .int(Int64(bitPattern: next))
            } else {
                large[name] = next
            }
            next &+= 1
        }
    }
}
