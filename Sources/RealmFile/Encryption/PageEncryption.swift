/// How a file is encrypted that is written.
public struct PageEncryption: Hashable, Sendable {
    /// The counters to choose from: those that Realm's own programs never reach in the life of a file are left out.
    public static let counters: Range<UInt32> = 1..<1 << 23

    /// The key; whoever has it reads the file, and nobody else.
    public let key: EncryptionKey
    /// The number that every page is encrypted with, beside its position.
    let counter: UInt32

    /// Encrypts with a key.
    ///
    /// - Parameter counter: a number of `counters`, chosen at random for each file, so that pages that two files of one
    ///   key have in common can't be seen to be the same. Realm's own programs begin at 1, and count on from any.
    public init(key: EncryptionKey, counter: UInt32) {
        self.key = key
        self.counter = min(max(counter, Self.counters.lowerBound), Self.counters.upperBound - 1)
    }
}
