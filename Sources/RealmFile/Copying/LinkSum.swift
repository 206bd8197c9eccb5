/// A sum over the links of one column to one class, and one over their backlinks, which are the same where each link has its backlink.
///
/// Two files of 10,000,000 links need no memory and no lookup to be compared. Each link counts with the product of a random number of
/// its object and one of its target: links that differ have the same sum by a chance of about 1 in 2⁵⁸, and nobody who makes a file
/// knows the seed.
final class LinkSum {
    private let seed: UInt64
    @exclusivity(unchecked) private var links: UInt64 = 0
    @exclusivity(unchecked) private var backlinks: UInt64 = 0

    init(seed: UInt64) { self.seed = seed }

    /// Whether what was added on both sides is the same.
    var isBalanced: Bool { links == backlinks }

    /// Adds the links of one object as it has them.
    func add(links targets: some Sequence<Int64>, of origin: Int64) {
        var sum: UInt64 = 0
        for target in targets { sum &+= number(target: target) }
        links &+= sum &* number(origin: origin)
    }

    /// Adds the links to one object as it has them.
    func add(backlinks origins: some Sequence<Int64>, of target: Int64) {
        var sum: UInt64 = 0
        for origin in origins { sum &+= number(origin: origin) }
        backlinks &+= sum &* number(target: target)
    }

    private func number(origin: Int64) -> UInt64 { Self.mixed(UInt64(bitPattern: origin) &+ seed) }

    private func number(target: Int64) -> UInt64 { Self.mixed(UInt64(bitPattern: target) ^ ~seed) }

    /// The finisher of SplitMix64, which makes numbers that look like chance of any others.
    @inline(__always)
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9e37_79b9_7f4a_7c15
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}
