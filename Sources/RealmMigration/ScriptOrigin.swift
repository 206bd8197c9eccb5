import RealmModel

/// Where a script's time and chance come from: from its source alone, so that the same source and script make the same values
/// however often and wherever they run.
public struct ScriptOrigin: Hashable, Sendable {
    /// Tells the source of the migration from every other.
    public var source: UUID
    /// The time that a script is told first, in milliseconds since 1970; a thousand questions later it is one more.
    public var milliseconds: Int64

    /// Describes an origin.
    public init(source: UUID, milliseconds: Int64) {
        self.source = source
        self.milliseconds = milliseconds
    }

    /// Describes the origin of a source that was made at a time, or as near to it as a `Date` can be.
    public init(source: UUID, time: Timestamp) {
        let seconds = min(max(time.seconds, -Self.dateSeconds), Self.dateSeconds)
        self.init(source: source, milliseconds: seconds * 1000 + Int64(time.nanoseconds) / 1_000_000)
    }

    /// A hundred million days (ECMA-262, 21.4.1.1), but for the last.
    private static let dateSeconds: Int64 = 99_999_999 * 86_400

    /// The state to begin a sequence of chance with: four numbers of 32 bits, which no other source has with this script.
    ///
    /// - Parameter version: the schema version that the script leads to; steps with the same text differ by it.
    public func seed(for script: ScriptSource, version: UInt64) -> [UInt32] {
        var hash: UInt64 = Self.offset ^ version
        for byte in script.source.utf8 { hash = (hash ^ UInt64(byte)) &* Self.prime }
        // Two sources differ in what is mixed by one and the same permutation, so that their seeds differ.
        return (0..<2).flatMap { half in
            let part = source.bytes[(half * 8)..<(half * 8 + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            hash = Self.mixed(hash &+ Self.increment)
            let number = Self.mixed(part ^ hash)
            return [UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32)]
        }
    }

    // FNV-1a (draft-eastlake-fnv) of 64 bits, and SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    // Generators, 2014).
    private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01B3
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
