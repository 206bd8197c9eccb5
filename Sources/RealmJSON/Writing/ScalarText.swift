import RealmModel

/// Realm's scalar values in the forms of Realm JSON.
enum ScalarText {
    /// Appends a truth value.
    static func append(_ flag: Bool, to out: inout [UInt8]) {
        if flag { JSONText.append("true", to: &out) } else { JSONText.append("false", to: &out) }
    }

    /// Appends a double, or a float widened to one.
    static func append(_ number: Double, to out: inout [UInt8]) {
        if number.isFinite { return JSONText.append(double: number, to: &out) }
        JSONText.append("{\"$numberDouble\":", to: &out)
        appendNonFinite(number, to: &out)
        out.append(UInt8(ascii: "}"))
    }

    /// Appends the number in a mixed value's `{"$float": n}`.
    static func append(mixedFloat number: Float, to out: inout [UInt8]) {
        if number.isFinite {
            JSONText.append(double: Double(number), to: &out)
        } else {
            appendNonFinite(Double(number), to: &out)
        }
    }

    /// Appends a value that is neither a link nor a collection.
    static func append(_ value: Value, to out: inout [UInt8]) {
        switch value {
        case .int(let number): JSONText.append(int: number, to: &out)
        case .bool(let flag): append(flag, to: &out)
        case .float(let number): append(Double(number), to: &out)
        case .double(let number): append(number, to: &out)
        case .string(let text): JSONText.append(string: text, to: &out)
        case .data(let bytes):
            JSONText.append("{\"$binary\":{\"base64\":\"", to: &out)
            out.append(contentsOf: Base64.encode(bytes).utf8)
            JSONText.append("\",\"subType\":\"00\"}}", to: &out)
        case .date(let date): append("{\"$date\":\"", date.description, to: &out)
        case .decimal128(let number): append("{\"$numberDecimal\":\"", number.description, to: &out)
        case .objectId(let id): append("{\"$oid\":\"", id.description, to: &out)
        case .uuid(let id): append("{\"$uuid\":\"", id.description, to: &out)
        case .null, .link, .typedLink, .list, .dictionary: JSONText.append("null", to: &out)
        }
    }

    private static func append(_ opening: StaticString, _ text: String, to out: inout [UInt8]) {
        JSONText.append(opening, to: &out)
        out.append(contentsOf: text.utf8)
        JSONText.append("\"}", to: &out)
    }

    private static func appendNonFinite(_ number: Double, to out: inout [UInt8]) {
        if number.isNaN {
            JSONText.append("\"NaN\"", to: &out)
        } else if number > 0 {
            JSONText.append("\"Infinity\"", to: &out)
        } else {
            JSONText.append("\"-Infinity\"", to: &out)
        }
    }
}
