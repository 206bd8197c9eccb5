/// A run of bits in Arrow's order: bit `i` is bit `i % 8`, counted from the least significant, of byte `i / 8`.
public struct Bitmap: Hashable, Sendable {
    /// The number of bits.
    public private(set) var count: Int
    /// The bits, `⌈count / 8⌉` bytes, those past the last bit zero.
    public private(set) var bytes: [UInt8]

    /// A bitmap of one value throughout.
    public init(repeating bit: Bool = false, count: Int) {
        self.count = count
        bytes = [UInt8](repeating: bit ? 0xff : 0, count: (count + 7) / 8)
        clearTail()
    }

    /// Wraps bytes in Arrow's order; nil where their number is not what `count` bits need.
    public init?(bytes: [UInt8], count: Int) {
        guard count >= 0, bytes.count == count / 8 + (count % 8).signum() else { return nil }
        self.count = count
        self.bytes = bytes
        clearTail()
    }

    /// One bit.
    public subscript(index: Int) -> Bool {
        get { bytes[index >> 3] & (1 << UInt8(index & 7)) != 0 }
        set {
            if newValue {
                bytes[index >> 3] |= 1 << UInt8(index & 7)
            } else {
                bytes[index >> 3] &= ~(1 << UInt8(index & 7))
            }
        }
    }

    /// Adds a bit at the end.
    public mutating func append(_ bit: Bool) {
        if count & 7 == 0 { bytes.append(0) }
        count += 1
        if bit { self[count - 1] = true }
    }

    /// How many bits are set.
    public var setCount: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }

    private mutating func clearTail() {
        let used = count & 7
        guard used != 0, let last = bytes.indices.last else { return }
        bytes[last] &= (1 << UInt8(used)) - 1
    }
}
