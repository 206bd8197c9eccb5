/// Floating-point numbers as decimal text, those that JSON has not included.
enum DecimalText {
    /// Appends a number in the shortest form that reads back as the same: `0.1`, `NaN`, `-Infinity`.
    static func append(_ number: Double, to out: inout [UInt8]) {
        if number.isFinite {
            out.append(contentsOf: number.description.utf8)
        } else if number.isNaN {
            out.append(contentsOf: "NaN".utf8)
        } else {
            out.append(contentsOf: (number > 0 ? "Infinity" : "-Infinity").utf8)
        }
    }
}
