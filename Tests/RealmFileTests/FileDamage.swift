import Foundation
import TestRandomness

/// A way in which a file comes to harm, made again by its seed.
enum FileDamage: CaseIterable {
    case cut
    case zeroedPages
    case flippedBytes
    case tornTopRef

    /// The bytes of a file after it came to harm.
    func applied(to bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var changed = bytes
        switch self {
        case .cut: changed.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        case .zeroedPages:
            // Pages of less than 4,096 bytes, so that something of small files is left.
            let size = min(4096, bytes.count / 8 & ~7)
            for _ in 0..<Int.random(in: 1...3, using: &generator) where size > 0 {
                let page = Int.random(in: 0..<bytes.count / size, using: &generator)
                for offset in page * size..<(page + 1) * size { changed[offset] = 0 }
            }
        case .flippedBytes:
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let offset = Int.random(in: 0..<bytes.count, using: &generator)
                changed[offset] ^= UInt8.random(in: 1...255, using: &generator)
            }
        case .tornTopRef:
            let slot = Int(bytes[23] & 1) * 8
            for offset in slot..<slot + Int.random(in: 1...8, using: &generator) {
                changed[offset] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return changed
    }

    /// The bytes that are another or missing.
    static func ranges(from original: [UInt8], to changed: [UInt8]) -> IndexSet {
        var ranges = IndexSet(changed.count..<max(original.count, changed.count))
        for offset in 0..<min(original.count, changed.count) where original[offset] != changed[offset] {
            ranges.insert(offset)
        }
        return ranges
    }
}
