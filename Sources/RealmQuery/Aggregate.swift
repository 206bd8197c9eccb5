import RealmModel

/// The greatest, the least, the sum or the average of values; nulls count for nothing, and NaNs as `takesNaN` says.
enum Aggregate {
    /// Null where there is no such value; the sum of nothing is 0.
    static func result(_ aggregation: Aggregation, of values: [Value], _ property: Property) -> Value {
        let takesNaN = takesNaN(aggregation, property)
        let values = values.filter { counts($0, takesNaN) }
        switch aggregation {
        case .maximum: return best(values, .descending)
        case .minimum: return best(values, .ascending)
        case .sum: return sum(values, property)
        case .average: return average(values, property)
        }
    }

    /// Whether a binary NaN counts: among mixed values, and for the greatest and the least of a dictionary, whose values
    /// Realm takes as such there.
    private static func takesNaN(_ aggregation: Aggregation, _ property: Property) -> Bool {
        property.type == .mixed || property.collection == .dictionary && [.maximum, .minimum].contains(aggregation)
    }

    private static func counts(_ value: Value, _ takesNaN: Bool) -> Bool {
        switch value {
        case .null: false
        case .float(let number): takesNaN || !number.isNaN
        case .double(let number): takesNaN || !number.isNaN
        case .decimal128(let number): !number.isNaN
        default: true
        }
    }

    /// The first of those that stand in an order to all others.
    private static func best(_ values: [Value], _ order: Ordering) -> Value {
        guard var best = values.first else { return .null }
        for value in values.dropFirst() where ValueOrder.compare(value, best) == order { best = value }
        return best
    }

    private static func sum(_ values: [Value], _ property: Property) -> Value {
        switch property.type {
        case .int:
            return .int(
                values.reduce(0) { sum, value in
                    if case .int(let number) = value { sum &+ number } else { sum }
                })
        case .float, .double: return .double(binarySum(values))
        default: return .decimal128(decimals(values).reduce(.zero, +))
        }
    }

    private static func average(_ values: [Value], _ property: Property) -> Value {
        switch property.type {
        case .int, .float, .double:
            return values.isEmpty ? .null : .double(binarySum(values) / Double(values.count))
        default:
            let numbers = decimals(values)
            return numbers.isEmpty ? .null : .decimal128(numbers.reduce(.zero, +) / Decimal128(Int64(numbers.count)))
        }
    }

    private static func binarySum(_ values: [Value]) -> Double {
        values.reduce(0) { sum, value in
            switch value {
            case .int(let number): sum + Double(number)
            case .float(let number): sum + Double(number)
            case .double(let number): sum + number
            default: sum
            }
        }
    }

    private static func decimals(_ values: [Value]) -> [Decimal128] { values.compactMap(\.decimal) }
}

extension Value {
    /// A number as a decimal; nil of what is none.
    var decimal: Decimal128? {
        switch self {
        case .int(let number): Decimal128(number)
        case .float(let number): Decimal128(number)
        case .double(let number): Decimal128(number)
        case .decimal128(let number): number
        default: nil
        }
    }
}

extension Arithmetic {
    /// The result of two numbers, in the type of the one that has more; null where one is no number.
    func result(_ left: Value, _ right: Value) -> Value {
        switch (left, right) {
        case (.int(let left), .int(let right)): return .int(integers(left, right))
        case (.decimal128, _), (_, .decimal128):
            guard let left = left.decimal, let right = right.decimal else { return .null }
            return .decimal128(decimals(left, right))
        case (.double, _), (_, .double):
            guard let left = left.double, let right = right.double else { return .null }
            return .double(binary(left, right))
        default:
            guard let left = left.float, let right = right.float else { return .null }
            return .float(binary(left, right))
        }
    }

    /// Wraps around; a division by zero gives the least or the greatest integer.
    private func integers(_ left: Int64, _ right: Int64) -> Int64 {
        switch self {
        case .plus: left &+ right
        case .minus: left &- right
        case .times: left &* right
        case .divide: right == 0 ? (left < 0 ? .min : .max) : left.dividedReportingOverflow(by: right).partialValue
        }
    }

    private func binary<Number: BinaryFloatingPoint>(_ left: Number, _ right: Number) -> Number {
        switch self {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divide: left / right
        }
    }

    private func decimals(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
        switch self {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divide: left / right
        }
    }
}

extension Value {
    fileprivate var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    fileprivate var float: Float? {
        switch self {
        case .int(let number): Float(number)
        case .float(let number): number
        default: nil
        }
    }
}
