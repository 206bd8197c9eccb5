/// Numbers as people read them.
enum Quantity {
    /// A whole number with commas between thousands: `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in String(digits[max(0, end - 3)..<end]) }
        return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// A number of things: `1 object`, `2 objects`, `2 classes`.
    static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural)"
    }

    /// A duration: `0.04 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
    ///
    /// - Parameter isWhole: leaves out parts of a second.
    static func duration(_ seconds: Double, isWhole: Bool = false) -> String {
        if seconds < 9.995, !isWhole {
            let hundredths = Int((seconds * 100).rounded())
            return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst()) s"
        }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        default: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }
}
