/// A sum over the links of one column to one class, and one over their backlinks, which are the same where each link has its backlink.
///
/// Two files of 10,000,000 links need no memory and no lookup to be compared. Links that differ have the same sum once in 2⁶⁴ times,
/// and nobody who makes a file knows the seed.
final class LinkSum {
    private let seed: UInt64
    private var links: UInt64 = 0
    private var backlinks: UInt64 = 0

    init(seed: UInt64) { self.seed = seed }

    /// Whether what was added on both sides is the same.
    var isBalanced: Bool { links == backlinks }

    /// Adds a link as the object has it that it comes from.
    func add(link origin: Int64, to target: Int64) { links &+= number(origin, target) }

    /// Adds a link as the object has it that it leads to.
    func add(backlink origin: Int64, to target: Int64) { backlinks &+= number(origin, target) }

    /// A number of a pair of keys that looks like chance: the finisher of SplitMix64, once for each key.
    private func number(_ origin: Int64, _ target: Int64) -> UInt64 {
        Self.mixed(Self.mixed(UInt64(bitPattern: origin) &+ seed) &+ UInt64(bitPattern: target))
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9e37_79b9_7f4a_7c15
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}
