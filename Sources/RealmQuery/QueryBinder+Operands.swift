import RealmModel

/// Operands, and the constants in them.
extension QueryBinder {
    /// - Parameter hint: the type of the other side, which a constant takes where it can.
    func bind(_ operand: OperandSyntax, hint: QueryType) throws(QueryError) -> BoundOperand {
        switch operand {
        case .literal(let literal): try constant(literal, hint)
        case .list(let list): try constants(list, hint)
        case .property(let property): try bind(property)
        case .aggregate(let aggregate): try bind(aggregate)
        case .subquery(let subquery): try bind(subquery)
        case .arithmetic(let left, let arithmetic, let right, let span):
            try bind(left, arithmetic, right, span, hint)
        }
    }

    private func bind(
        _ left: OperandSyntax, _ arithmetic: Arithmetic, _ right: OperandSyntax, _ span: Span, _ hint: QueryType
    ) throws(QueryError) -> BoundOperand {
        let bound: (left: BoundOperand, right: BoundOperand)
        if left.isConstant, right.isConstant, !left.isList, !right.isList {
            bound = (try bind(left, hint: hint), try bind(right, hint: hint))
            if let left = bound.left.singleConstant, let right = bound.right.singleConstant {
                let value = arithmetic.result(left, right)
                return BoundOperand(kind: .constant([value], isList: false), type: .mixed, text: "")
            }
        } else if right.isConstant {
            let property = try bind(left, hint: .int)
            bound = (property, try bind(right, hint: property.type))
        } else {
            let property = try bind(right, hint: .int)
            bound = (try bind(left, hint: left.isConstant ? property.type : .int), property)
        }
        guard bound.left.type.isNumeric, bound.right.type.isNumeric else {
            throw QueryError(
                "Cannot perform '\(arithmetic.rawValue)' operation on '\(bound.left.text)' and '\(bound.right.text)'",
                at: span.lowerBound)
        }
        let quantifier = bound.left.singleConstant == nil ? bound.left.quantifier : bound.right.quantifier
        return BoundOperand(
            kind: .arithmetic(bound.left, arithmetic, bound.right), type: bound.left.type, quantifier: quantifier,
            text: "(\(bound.left.text) \(arithmetic.rawValue) \(bound.right.text))")
    }

    // MARK: Constants

    private func constant(_ literal: LiteralSyntax, _ hint: QueryType) throws(QueryError) -> BoundOperand {
        let text = text(literal.span)
        switch literal.kind {
        case .argument(let index, let quantifier):
            if case .list(let elements) = arguments[index] {
                var values: [Value] = []
                for element in elements { values.append(try converted(element, nil, hint, literal)) }
                return BoundOperand(
                    kind: .constant(values, isList: true), type: .mixed, quantifier: quantifier, text: text)
            }
            guard quantifier == nil else {
                throw QueryError(
                    "ANY/ALL/NONE are only allowed on arguments which contain a list but '$\(index)' is not a list.",
                    at: literal.span.lowerBound)
            }
            let value = try converted(arguments[index], nil, hint, literal)
            try checkArgument(value, index, hint, literal)
            return try constant(value, hint, literal, text)
        default: return try constant(try value(literal, hint), hint, literal, text)
        }
    }

    private func constant(
        _ value: Value, _ hint: QueryType, _ literal: LiteralSyntax, _ text: String
    ) throws(QueryError) -> BoundOperand {
        var (value, type) = (value, QueryType(value))
        // A null that is compared with strings or data is one of them.
        if value.isNull, hint == .string || hint == .binary { type = hint }
        if hint == .typeOfValue, case .string(let name) = value {
            do throws(QueryError) { value = .int(try ValueKind.named(name).rawValue) } catch {
                throw QueryError(error.description, at: literal.span.lowerBound)
            }
            type = .typeOfValue
        }
        return BoundOperand(kind: .constant([value], isList: false), type: type, text: text)
    }

    private func constants(_ list: ListSyntax, _ hint: QueryType) throws(QueryError) -> BoundOperand {
        var values: [Value] = []
        for element in list.elements {
            let bound = try constant(element, hint)
            guard let value = bound.singleConstant else {
                throw QueryError("Invalid constant inside constant list", at: element.span.lowerBound)
            }
            values.append(value)
        }
        return BoundOperand(
            kind: .constant(values, isList: true), type: hint == .typeOfValue ? .typeOfValue : .mixed,
            quantifier: list.quantifier, text: text(list.span))
    }

    private func checkArgument(
        _ value: Value, _ index: Int, _ hint: QueryType, _ literal: LiteralSyntax
    ) throws(QueryError) {
        let type = QueryType(value)
        guard
            type == .null || type.isComparable(to: hint) || type == .typedLink && hint == .link
                || type == .string && hint == .typeOfValue
        else {
            throw QueryError(
                "Cannot compare argument $\(index) of type '\(type.rawValue)' to a \(hint.rawValue)",
                at: literal.span.lowerBound)
        }
    }

    private func value(_ literal: LiteralSyntax, _ hint: QueryType) throws(QueryError) -> Value {
        switch literal.kind {
        case .value(let value): try converted(value, nil, hint, literal)
        case .number(let number, let text): try converted(.double(number), text, hint, literal)
        case .argument(let index, _): arguments[index]
        }
    }

    /// A constant in the type of the other side, where it says the same there.
    private func converted(
        _ value: Value, _ text: String?, _ hint: QueryType, _ literal: LiteralSyntax
    ) throws(QueryError) -> Value {
        switch value {
        case .int(let number): return hint == .decimal128 ? .decimal128(Decimal128(number)) : value
        case .double(let number):
            if number.isInfinite, !hint.isNumeric || hint == .int { throw infinite(hint, literal) }
            switch hint {
            case .float: return .float(Float(number))
            case .decimal128: return .decimal128(try decimal(number, text, literal))
            case .int: return Int64(exactly: number).map { .int($0) } ?? value
            default: return value
            }
        case .float(let number) where hint == .int:
            if number.isInfinite { throw infinite(hint, literal) }
            if number.isNaN {
                throw QueryError("NaN not supported for \(hint.rawValue)", at: literal.span.lowerBound)
            }
            return Int64(exactly: number).map { .int($0) } ?? value
        case .string(let text):
            switch hint {
            case .int: return NumberText.integer(text).map { .int($0) } ?? value
            case .float: return NumberText.number(text).map { .float(Float($0)) } ?? value
            case .double: return NumberText.number(text).map { .double($0) } ?? value
            case .decimal128: return NumberText.decimal(text).map { .decimal128($0) } ?? value
            default: return value
            }
        default: return value
        }
    }

    /// A decimal reads the text itself, for more digits than a double has.
    private func decimal(_ number: Double, _ text: String?, _ literal: LiteralSyntax) throws(QueryError) -> Decimal128 {
        guard let text else { return Decimal128(number) }
        if let exact = Decimal128(text) { return exact }
        // An exponent out of range, which a double of the same text has no room for either.
        if number.isInfinite || number == 0 { return Decimal128(number) }
        throw QueryError(
            "A decimal has at most \(Decimal128.maximumDigits) digits: '\(text)'", at: literal.span.lowerBound)
    }

    private func infinite(_ hint: QueryType, _ literal: LiteralSyntax) -> QueryError {
        QueryError("Infinity not supported for \(hint.rawValue)", at: literal.span.lowerBound)
    }
}

/// Numbers in strings that are compared with numbers: as much of the string's head as is one.
private enum NumberText {
    static func integer(_ text: String) -> Int64? {
        let scalars = text.unicodeScalars.drop { $0.isSpace }
        let sign = scalars.first == "-" || scalars.first == "+" ? 1 : 0
        let digits = scalars.dropFirst(sign).prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { return nil }
        return Int64((scalars.first == "-" ? "-" : "") + String(Substring.UnicodeScalarView(digits)))
    }

    static func number(_ text: String) -> Double? {
        var end = Substring(text).unicodeScalars.drop { $0.isSpace }
        let all = end
        func take(_ isTaken: (Unicode.Scalar) -> Bool) { end = end.drop(while: isTaken) }
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        func sign() { if let first = end.first, first == "-" || first == "+" { end.removeFirst() } }
        sign()
        take(isDigit)
        if end.first == "." {
            end.removeFirst()
            take(isDigit)
        }
        if let first = end.first, first == "e" || first == "E" {
            end.removeFirst()
            sign()
            take(isDigit)
        }
        let head = String(Substring(all[..<end.startIndex]))
        if let number = Double(head), number.isFinite { return number }
        switch text.lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "infinity", "+infinity", "inf", "+inf": return .infinity
        case "-infinity", "-inf": return -.infinity
        default: return nil
        }
    }

    static func decimal(_ text: String) -> Decimal128? {
        guard let number = Decimal128(text), !number.isNaN else { return nil }
        return number
    }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool { self == " " || ("\t"..."\r").contains(self) }
}
