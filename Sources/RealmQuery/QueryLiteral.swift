import RealmModel

/// Reads the literals of queries as Realm reads them.
enum QueryLiteral {
    /// The value of a token; nil where it is not of this program's.
    static func read(_ literal: QueryToken.Literal, _ token: QueryToken) throws(QueryError) -> LiteralSyntax.Kind {
        let text = token.text
        switch literal {
        case .true: return .value(.bool(true))
        case .false: return .value(.bool(false))
        case .null: return .value(.null)
        case .infinity: return .number(text.hasPrefix("-") ? -.infinity : .infinity, text: text)
        case .notANumber: return .number(.nan, text: text)
        case .natural, .integer: return .value(.int(integer(text)))
        case .float where text.hasSuffix("f"): return .value(.float(Float(text.dropLast()) ?? .nan))
        case .float: return .number(Double(text) ?? .nan, text: text)
        case .string: return .value(.string(inside(text)))
        case .base64: return .value(.string(String(decoding: try base64(token), as: UTF8.self)))
        case .date: return .value(.date(try date(token)))
        case .uuid: if let id = UUID(String(text.dropFirst(5).dropLast())) { return .value(.uuid(id)) }
        case .objectId: if let id = ObjectId(String(text.dropFirst(4).dropLast())) { return .value(.objectId(id)) }
        case .link: return .value(.link(ObjectKey(integer(text.dropFirst()))))
        case .typedLink: break
        }
        throw QueryError("\(token.described) is no value here", at: token.offset)
    }

    /// The text between quotes; Realm does not take its escapes apart.
    static func inside(_ text: String) -> String { String(text.dropFirst().dropLast()) }

    /// The bytes of `B64"…"`.
    static func base64(_ token: QueryToken) throws(QueryError) -> [UInt8] {
        guard let bytes = Base64.decode(String(token.text.dropFirst(4).dropLast())) else {
            throw QueryError("Invalid base64 value", at: token.offset)
        }
        return bytes
    }

    /// An integer as C reads it: octal behind a zero, hexadecimal behind `0x`; out of range it is the nearest.
    static func integer(_ text: some StringProtocol) -> Int64 {
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let (radix, body): (Int, Substring)
        switch digits.lowercased() {
        case let lower where lower.hasPrefix("0x"): (radix, body) = (16, Substring(digits.dropFirst(2)))
        case let lower where lower.hasPrefix("0"):
            (radix, body) = (8, Substring(digits.prefix { ("0"..."7").contains($0) }))
        default: (radix, body) = (10, Substring(digits))
        }
        return Int64((isNegative ? "-" : "") + body, radix: radix) ?? (isNegative ? .min : .max)
    }

    // MARK: Dates

    private static func date(_ token: QueryToken) throws(QueryError) -> Timestamp {
        if token.text.hasPrefix("T") {
            let parts = token.text.dropFirst().split(separator: ":")
            return try timestamp(integer(parts[0]), integer(parts[1]), token)
        }
        let fields = token.text.split { !("0"..."9").contains($0) }.map { Int64($0) ?? .max }
        guard fields.allSatisfy({ $0 <= 999_999_999_999 }) else {
            throw QueryError("Invalid timestamp format", at: token.offset)
        }
        guard fields[0] >= 1900 else {
            throw QueryError("Conversion of dates before 1900 is not supported.", at: token.offset)
        }
        let seconds =
            days(year: fields[0], month: fields[1], day: fields[2]) * 86_400 + fields[3] * 3600 + fields[4] * 60
            + fields[5]
        let nanoseconds = fields.count > 6 ? fields[6] : 0
        return try timestamp(seconds, seconds < 0 ? -nanoseconds : nanoseconds, token)
    }

    /// Seconds and nanoseconds, which have the same sign.
    private static func timestamp(
        _ seconds: Int64, _ nanoseconds: Int64, _ token: QueryToken
    ) throws(QueryError) -> Timestamp {
        guard seconds >= 0 && nanoseconds >= 0 || seconds <= 0 && nanoseconds <= 0,
            nanoseconds.magnitude < 1_000_000_000
        else { throw QueryError("Invalid timestamp format", at: token.offset) }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// Days from 1970-01-01 to a day, as C's calendar counts: a month 13 is the next January, a day 0 the day before.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let months = year * 12 + month - 1
        // Years begin in March here, so that the leap day is the last of its year.
        let (marchYear, marchMonth) = (months - 2).quotientAndRemainder(dividingBy: 12)
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - 719_468
    }
}
