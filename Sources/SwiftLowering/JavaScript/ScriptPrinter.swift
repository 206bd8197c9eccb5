import SwiftScripts

/// Writes statements as JavaScript, line by line, with the place in the source that each line comes from.
struct ScriptPrinter {
    private(set) var lines: [String] = []
    private(set) var places: [SourcePlace?] = []
    private var line = ""
    private var place: SourcePlace?

    /// The script that some statements are.
    static func script(
        _ statements: [Statement], files: [String], schemaVersion: UInt64?
    ) -> LoweredScript {
        var printer = ScriptPrinter()
        printer.write(statements)
        printer.breakLine()
        return LoweredScript(
            javaScript: printer.lines.joined(separator: "\n"), places: printer.places, files: files,
            schemaVersion: schemaVersion)
    }

    /// Ends a line; the next one comes from a place.
    private mutating func breakLine(at place: SourcePlace? = nil) {
        if !line.isEmpty {
            lines.append(line)
            places.append(self.place)
        }
        (line, self.place) = ("", place)
    }

    private mutating func write(_ text: String) { line += text }

    // MARK: Statements

    private mutating func write(_ statements: [Statement]) {
        for statement in statements {
            write(statement)
            breakLine()
        }
    }

    private mutating func block(_ statements: [Statement]) {
        write("{")
        breakLine()
        write(statements)
        write("}")
    }

    private mutating func write(_ statement: Statement) {
        switch statement {
        case .expression(.constant): break
        case .expression(let value): write(value, ";", isWhole: value.beginsWithBrace)
        case .variables(let names): write("let \(names.joined(separator: ", "));")
        case .variable(let name, let value):
            write("let \(name) = ")
            write(value, ";")
        case .constant(let name, let value):
            write("const \(name) = ")
            write(value, ";")
        case .function(let name, let parameters, let body):
            write("function \(name)(")
            write(list: parameters)
            write(") ")
            block(body)
        case .give(let value?):
            write("return ")
            write(value, ";", isWhole: !value.isConstant)
        case .give(nil): write("return;")
        case .fail(let value):
            write("throw ")
            write(value, ";", isWhole: !value.isConstant)
        case .conditional(let test, let body, let other):
            write("if ")
            write(test, " ", isWhole: true)
            block(body)
            guard !other.isEmpty else { break }
            write(" else ")
            block(other)
        case .block(let body): block(body)
        case .labelled(let label, let inner):
            write("\(label): ")
            write(inner)
        case .leave(let label): write("break \(label);")
        case .next(let label): write("continue \(label);")
        case .attempt(let body, let caught, let other):
            write("try ")
            block(body)
            write(" catch (\(caught)) ")
            block(other)
        case .finally(let body, let last):
            write("try ")
            block(body)
            write(" finally ")
            block(last)
        case .loop, .repeated, .each: loop(statement)
        case .marked(let place, let inner):
            breakLine(at: place)
            write(inner)
        }
    }

    private mutating func loop(_ statement: Statement) {
        switch statement {
        case .loop(let first, let test, let next, let body):
            write("for (")
            if let first { write(first) } else { write(";") }
            if let test { write(test) }
            write(";")
            if let next { write(next) }
            write(") ")
            block(body)
        case .repeated(let body, let test):
            write("do ")
            block(body)
            write(" while ")
            write(test, ";", isWhole: true)
        case .each(let name, let sequence, let body):
            write("for (const \(name) of ")
            write(sequence, ") ")
            block(body)
        default: break
        }
    }

    // MARK: Expressions

    /// Writes an expression and what follows it.
    ///
    /// - Parameter isWhole: whether it stands in parentheses.
    private mutating func write(_ value: JavaScript, _ end: String, isWhole: Bool = false) {
        if isWhole { write("(") }
        write(value, isWhole ? .sequence : .assignment)
        write(isWhole ? ")" + end : end)
    }

    private mutating func write(list values: [JavaScript]) {
        for (index, value) in values.enumerated() {
            if index > 0 { write(", ") }
            write(value)
        }
    }

    /// Writes an expression where others stand that bind as strong as some strength at least.
    private mutating func write(_ value: JavaScript, _ least: Strength = .assignment) {
        if case .marked(let place, let inner) = value {
            breakLine(at: place)
            return write(inner, least)
        }
        let isWeak = value.strength < least
        if isWeak { write("(") }
        write(plain: value)
        if isWeak { write(")") }
    }

    private mutating func write(plain value: JavaScript) {
        switch value {
        case .name(let text), .constant(let text): write(text)
        case .text(let text): write(Self.quoted(text))
        case .member(let base, let name):
            write(base, .part)
            write("." + name)
        case .element(let base, let index):
            write(base, .part)
            write("[")
            write(index, "]")
        case .call(let function, let arguments):
            write(function, .part)
            write("(")
            write(list: arguments)
            write(")")
        case .array(let values):
            write("[")
            write(list: values)
            write("]")
        case .object, .cell: write(object: value)
        case .arrow, .closure: write(function: value)
        case .assignment(let target, let value):
            write(target, .part)
            write(" = ")
            write(value)
        case .sequence(let values): write(list: values)
        case .conditional(let test, let first, let second):
            write(test, .orElse)
            write(" ? ")
            write(first, " : ")
            write(second)
        case .unary(let symbol, let value):
            write(symbol)
            write(value, .constant)
        case .binary(let symbol, let left, let right):
            // `??` stands beside no other one without parentheses.
            write(left, symbol == .orElse ? .bitOr : symbol.strength)
            write(" \(symbol.rawValue) ")
            write(right, symbol == .orElse ? .bitOr : symbol.strength.next)
        case .spread(let value):
            write("...")
            write(value)
        case .template(let template, let values): write(template, values)
        case .marked: write(value)
        }
    }

    private mutating func write(object value: JavaScript) {
        if case .cell(let read, let set) = value {
            write("{ get v() { return ")
            write(read, "; }, set v(value) { ", isWhole: true)
            return write(set, "; } }", isWhole: true)
        }
        guard case .object(let fields) = value else { return }
        for (index, field) in fields.enumerated() {
            write(index == 0 ? "{ \(field.name): " : ", \(field.name): ")
            write(field.value)
        }
        write(fields.isEmpty ? "{}" : " }")
    }

    private mutating func write(function value: JavaScript) {
        switch value {
        case .arrow(let parameters, let result):
            write("(")
            write(list: parameters)
            write(") => ")
            write(result, "", isWhole: result.beginsWithBrace)
        case .closure(let parameters, let body):
            write("(")
            write(list: parameters)
            write(") => ")
            block(body)
        default: break
        }
    }

    private mutating func write(_ template: Template, _ values: [JavaScript]) {
        var rest = values[...]
        for part in template.parts {
            write(part.text)
            if part.place != nil, let value = rest.popFirst() { write(value, part.isOpen ? .assignment : .part) }
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x20...0x7E: quoted += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return quoted + "\""
    }
}

/// How strong an expression's parts are bound together, the weakest first.
private enum Strength: Int, Comparable {
    case sequence, assignment, conditional, orElse, or, and, bitOr, equality, order, sum, product, unary, constant, part

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }

    /// The next stronger one.
    var next: Strength { Strength(rawValue: rawValue + 1) ?? .part }
}

extension JavaScript.Operator {
    fileprivate var strength: Strength {
        switch self {
        case .orElse: .orElse
        case .or: .or
        case .and: .and
        case .bitOr: .bitOr
        case .isLike, .isUnlike, .equal, .unequal: .equality
        case .less, .greater, .atMost, .atLeast: .order
        case .plus, .minus: .sum
        case .times, .divided: .product
        }
    }
}

extension JavaScript {
    fileprivate var strength: Strength {
        switch self {
        case .sequence(let values): values.count == 1 ? .assignment : .sequence
        case .assignment, .arrow, .closure, .object, .cell, .spread: .assignment
        case .conditional: .conditional
        case .binary(let symbol, _, _): symbol.strength
        case .unary: .unary
        case .constant: .constant
        case .template(let template, _): template.isClosed ? .part : .assignment
        case .marked(_, let value): value.strength
        case .name, .text, .member, .element, .call, .array: .part
        }
    }

    /// Whether the first character is one that would begin a block.
    fileprivate var beginsWithBrace: Bool {
        switch self {
        case .object, .cell: true
        case .sequence(let values): values.first?.beginsWithBrace ?? false
        case .marked(_, let value): value.beginsWithBrace
        default: false
        }
    }
}
