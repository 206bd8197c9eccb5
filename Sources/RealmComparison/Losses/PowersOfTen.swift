/// Powers of ten, from -32 to 31, by which a number may be multiplied where its digits stand.
struct PowersOfTen {
    static let all = PowersOfTen(bits: .max)
    static let none = PowersOfTen(bits: 0)
    private static let zero = 32

    /// One for each power, the lowest first.
    private var bits: UInt64

    private init(bits: UInt64) { self.bits = bits }

    /// One power; none where it is beyond the range.
    init(_ power: Int) {
        let place = power + Self.zero
        bits = (0..<64).contains(place) ? 1 << UInt64(place) : 0
    }

    /// Those of the last digit of a number that is not zero, in a text.
    ///
    /// - Parameters:
    ///   - zeros: how many zeros are behind the digit.
    ///   - marks: for each number of digits that are behind a mark that may be the point, the bit of that number.
    init(zeros: Int, behind marks: UInt64) {
        self.init(zeros)
        var rest = marks
        while rest != 0 {
            formUnion(PowersOfTen(zeros - rest.trailingZeroBitCount))
            rest &= rest - 1
        }
    }

    var isEmpty: Bool { bits == 0 }

    func contains(_ power: Int) -> Bool { bits & PowersOfTen(power).bits != 0 }

    mutating func formUnion(_ others: PowersOfTen) { bits |= others.bits }

    mutating func formIntersection(_ others: PowersOfTen) { bits &= others.bits }

    /// Each of them with as much taken from it.
    func lowered(by power: Int) -> PowersOfTen {
        guard power.magnitude < 64 else { return .none }
        return PowersOfTen(bits: power < 0 ? bits << UInt64(-power) : bits >> UInt64(power))
    }
}
