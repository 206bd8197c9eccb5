import SwiftWire

/// Writes statements as JavaScript, line by line, with the place in the source that each line comes from.
struct ScriptPrinter {
    private(set) var lines: [String] = []
    private(set) var places: [SourcePlace?] = []
    private var line = ""
    private var place: SourcePlace?

    /// The script that some statements are.
    static func script(_ statements: [Statement], files: [String], schemaVersion: UInt64?) -> LoweredScript {
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

    /// A part of what is written.
    private enum Piece: ExpressibleByStringInterpolation {
        case text(String)
        /// An expression that binds as strong as its neighbours ask for at least.
        case value(JavaScript, Strength = .assignment)
        case list([JavaScript])
        case statement(Statement)
        case braces([Statement])

        init(stringLiteral text: String) { self = .text(text) }
    }

    private mutating func write(_ pieces: Piece...) {
        for piece in pieces {
            switch piece {
            case .text(let text): line += text
            case .value(let value, let least): write(value, least)
            case .list(let values):
                for (index, value) in values.enumerated() {
                    if index > 0 { line += ", " }
                    write(value, .assignment)
                }
            case .statement(let statement): write(statement)
            case .braces(let statements):
                line += "{"
                breakLine()
                write(statements)
                line += "}"
            }
        }
    }

    // MARK: Statements

    private mutating func write(_ statements: [Statement]) {
        for statement in statements {
            write(statement)
            breakLine()
        }
    }

    private mutating func write(_ statement: Statement) {
        switch statement {
        case .expression(.constant): break
        case .expression(let value):
            if value.beginsWithBrace { write("(", .value(value), ");") } else { write(.value(value, .sequence), ";") }
        case .variables(let names): write("let \(names.joined(separator: ", "));")
        case .variable(let name, let value): write("let \(name) = ", .value(value), ";")
        case .constant(let name, let value): write("const \(name) = ", .value(value), ";")
        case .function(let name, let parameters, let body):
            write("function \(name)(", .list(parameters), ") ", .braces(body))
        case .give(nil): write("return;")
        // The value may begin on a line of its own.
        case .give(let value?): write("return (", .value(value, .sequence), ");")
        case .fail(let value): write("throw (", .value(value, .sequence), ");")
        case .conditional(let test, let body, let other):
            write("if (", .value(test, .sequence), ") ", .braces(body))
            if !other.isEmpty { write(" else ", .braces(other)) }
        case .block(let body): write(.braces(body))
        case .labelled(let label, let inner): write("\(label): ", .statement(inner))
        case .leave(let label): write("break \(label);")
        case .next(let label): write("continue \(label);")
        case .loop(let first, let test, let next, let body):
            write("for (", first.map { .statement($0) } ?? ";", test.map { .value($0) } ?? "", ";")
            write(next.map { .value($0) } ?? "", ") ", .braces(body))
        case .repeated(let body, let test): write("do ", .braces(body), " while (", .value(test, .sequence), ");")
        case .each(let name, let sequence, let body):
            write("for (const \(name) of ", .value(sequence), ") ", .braces(body))
        case .attempt(let body, let caught, let other):
            write("try ", .braces(body), " catch (\(caught)) ", .braces(other))
        // A fatal error ends the program where it is.
        case .finally(let body, let last):
            write(
                "{ let $ends = true; try ", .braces(body),
                " catch ($error) { $ends = $.isUnwinding($error); throw $error; }")
            write(" finally { if ($ends) ", .braces(last), " } }")
        case .marked(let place, let inner):
            breakLine(at: place)
            write(inner)
        }
    }

    // MARK: Expressions

    private mutating func write(_ value: JavaScript, _ least: Strength) {
        if case .marked(let place, let inner) = value {
            breakLine(at: place)
            return write(inner, least)
        }
        if value.strength < least { write("(") }
        write(plain: value)
        if value.strength < least { write(")") }
    }

    private mutating func write(plain value: JavaScript) {
        switch value {
        case .name(let text), .constant(let text): line += text
        case .text(let text): line += Self.quoted(text)
        case .member(let base, let name): write(.value(base, .part), ".\(name)")
        case .element(let base, let index): write(.value(base, .part), "[", .value(index), "]")
        case .call(let function, let arguments): write(.value(function, .part), "(", .list(arguments), ")")
        case .array(let values): write("[", .list(values), "]")
        case .object(let fields):
            for (index, field) in fields.enumerated() {
                write(index == 0 ? "{ " : ", ", "\(field.name): ", .value(field.value))
            }
            write(fields.isEmpty ? "{}" : " }")
        case .cell(let read, let set):
            write("{ get v() { return (", .value(read, .sequence), "); }, set v(value) { ")
            write(.statement(.expression(set)), " } }")
        case .arrow(let parameters, let result):
            let (open, close): (Piece, Piece) = result.beginsWithBrace ? ("(", ")") : ("", "")
            write("(", .list(parameters), ") => ", open, .value(result), close)
        case .closure(let parameters, let body): write("(", .list(parameters), ") => ", .braces(body))
        case .assignment(let target, let value): write(.value(target, .part), " = ", .value(value))
        case .sequence(let values): write(.list(values))
        case .conditional(let test, let first, let second):
            write(.value(test, .orElse), " ? ", .value(first), " : ", .value(second))
        case .unary(let symbol, let value): write("\(symbol)", .value(value, .constant))
        case .infix(let symbol, let values):
            for (index, value) in values.enumerated() {
                if index > 0 { line += " \(symbol.rawValue) " }
                // `??` stands beside no other one without parentheses.
                write(value, symbol == .orElse ? .bitOr : index == 0 ? symbol.strength : symbol.strength.next)
            }
        case .spread(let value): write("...", .value(value))
        case .template(let template, let values):
            var rest = values[...]
            for part in template.parts {
                line += part.text
                if part.place != nil, let value = rest.popFirst() { write(value, part.isOpen ? .assignment : .part) }
            }
        case .marked: write(value, .sequence)
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
        case .infix(let symbol, _): symbol.strength
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
