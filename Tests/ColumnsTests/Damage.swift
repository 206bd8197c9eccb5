import Columns

/// Ways to damage bytes, for decoders that have to throw or to decode and never to trap.
enum Damage {
    /// The bytes cut at every length, from none to all but the last.
    static func cuts(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.map { Array(bytes[..<$0]) }
    }

    /// The bytes with every one in turn turned over, or one bit of it, or made the largest count.
    static func flips(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.flatMap { index in
            [UInt8(0xff), 0x01, 0x80, 0x10].map { mask in
                var flipped = bytes
                flipped[index] ^= mask
                return flipped
            }
        }
    }

    /// The bytes with a huge count in the place of each one.
    static func hugeCounts(in bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.flatMap { index in
            [5, 8, 9, 10].map { length in
                bytes[..<index] + [UInt8](repeating: 0xff, count: length - 1) + [0x0f] + bytes[(index + 1)...]
            }
        }
    }

    /// Everything above.
    static func all(of bytes: [UInt8]) -> [[UInt8]] {
        cuts(of: bytes) + flips(of: bytes) + hugeCounts(in: bytes)
    }

    /// Whether decoding ends in a value or in a `ColumnError`.
    static func isHandled<Decoded>(_ decode: () throws -> Decoded) -> Bool {
        do {
            _ = try decode()
            return true
        } catch {
            return error is ColumnError
        }
    }
}
