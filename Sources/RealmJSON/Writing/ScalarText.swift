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
        case .int(let number): DecimalDigits.append(number, to: &out)
        case .bool(let flag): append(flag, to: &out)
        case .float(let number): append(Double(number), to: &out)
        case .double(let number): append(number, to: &out)
        case .string(let text): JSONText.append(string: text, to: &out)
        case .data(let bytes):
            JSONText.append("{\"$binary\":{\"base64\":\"", to: &out)
            Base64.append(bytes, to: &out)
            JSONText.append("\",\"subType\":\"00\"}}", to: &out)
        case .date(let date):
            wrap("{\"$date\":\"", to: &out) { date.appendText(to: &$0) }
        case .decimal128(let number): wrap("{\"$numberDecimal\":\"", to: &out) { $0 += number.description.utf8 }
        case .objectId(let id): wrap("{\"$oid\":\"", to: &out) { $0 += id.description.utf8 }
        case .uuid(let id): wrap("{\"$uuid\":\"", to: &out) { id.appendText(to: &$0) }
        case .null, .link, .typedLink, .list, .dictionary: JSONText.append("null", to: &out)
        }
    }

    private static func wrap(_ opening: StaticString, to out: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
        JSONText.append(opening, to: &out)
        body(&out)
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
