import RealmFile
import TestRandomness

/// Damage that a disk does to a file: runs and pages of zeros, cut ends, and pages that are others.
enum DiskDamage {
    private static let pageBytes = 4096
    private static let sectorBytes = 512
    private static let headerBytes = 24

    /// The bytes of a file after one or two damages beyond its header.
    ///
    /// - Parameter other: where pages come from that do not belong to the file.
    static func applied(to bytes: [UInt8], other: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var changed = bytes
        for _ in 0...generator.below(2) where changed.count > 2 * sectorBytes {
            switch generator.below(4) {
            case 0:
                let length = sectorBytes + generator.below(min(changed.count - sectorBytes, 2 * pageBytes))
                zero(headerBytes + generator.below(changed.count), length, in: &changed)
            case 1: zero(generator.below(changed.count) / pageBytes * pageBytes, pageBytes, in: &changed)
            case 2: changed.removeLast(generator.below(changed.count / 2))
            default:
                let page = generator.below(changed.count) / pageBytes * pageBytes
                let source = other.isEmpty ? 0 : generator.below(other.count) / pageBytes * pageBytes
                for place in 0..<pageBytes where page + place < changed.count && page + place >= headerBytes {
                    changed[page + place] = source + place < other.count ? other[source + place] : 0
                }
            }
        }
        return changed
    }

    private static func zero(_ start: Int, _ length: Int, in bytes: inout [UInt8]) {
        let (first, end) = (max(start, headerBytes), min(start + length, bytes.count))
        if first < end { bytes.replaceSubrange(first..<end, with: [UInt8](repeating: 0, count: end - first)) }
    }

    /// Whether a rescue has to notice all that was changed, as docs/file-formats.md says.
    static func isNoticeable(from intact: [UInt8], to changed: [UInt8]) -> Bool {
        let nodes = intact.withUnsafeBytes { RealmFileRescue(bytes: $0).currentNodes() }
        let dead = deadNodes(nodes, intact, changed)
        return nodes.allSatisfy { node in
            let differs = node.contains { $0 < changed.count && intact[$0] != changed[$0] }
            // A node without its mark, or its end, is none.
            guard differs, node.upperBound <= changed.count, !isDead(node.lowerBound, in: changed, of: intact) else {
                return true
            }
            return isInForeignPage(node, dead, changed) || isInZeros(node, dead, intact, changed)
        }
    }

    /// Whether no node can be at an offset.
    ///
    /// Those of formats before 10 bear no mark: anything may be one but zeros.
    private static func isDead(_ offset: Int, in bytes: [UInt8], of intact: [UInt8]) -> Bool {
        guard offset + 8 <= bytes.count else { return true }
        return intact[20 + Int(intact[23] & 1)] < 10
            ? bytes[offset..<offset + 8].allSatisfy { $0 == 0 }
            : bytes[offset..<offset + 4] != [0x41, 0x41, 0x41, 0x41]
    }

    /// The places of nodes that are none any more and to which nodes lead that are as they were, from the top array on.
    private static func deadNodes(_ nodes: [Range<Int>], _ intact: [UInt8], _ changed: [UInt8]) -> Set<Int> {
        let ends = Dictionary(uniqueKeysWithValues: nodes.map { ($0.lowerBound, $0.upperBound) })
        var dead: Set<Int> = []
        var pending = [reference(at: 8 * Int(intact[23] & 1), width: 8, in: intact)]
        if pending == [-1] { pending = [reference(at: intact.count - 16, width: 8, in: intact)] }
        while let offset = pending.popLast() {
            guard let end = ends[offset] else { continue }
            guard !isDead(offset, in: changed, of: intact) else {
                dead.insert(offset)
                continue
            }
            let width = (1 << Int(intact[offset + 4] & 7)) >> 4
            let isSame = end <= changed.count && intact[offset..<end] == changed[offset..<end]
            guard isSame, intact[offset + 4] & 0x58 == 0x40, width > 0 else { continue }
            for place in stride(from: offset + 8, to: end, by: width) {
                let element = reference(at: place, width: width, in: intact)
                if element > 0, element & 1 == 0 { pending.append(element) }
            }
        }
        return dead
    }

    private static func reference(at place: Int, width: Int, in bytes: [UInt8]) -> Int {
        Int(truncatingIfNeeded: (0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) })
    }

    /// Whether in one of the pages that a node reaches into, something else is where a node has to be.
    private static func isInForeignPage(_ node: Range<Int>, _ dead: Set<Int>, _ changed: [UInt8]) -> Bool {
        let pages = node.lowerBound / pageBytes...(node.upperBound - 1) / pageBytes
        return dead.contains { offset in
            pages.contains(offset / pageBytes) && offset + 8 <= changed.count
                && changed[offset..<offset + 8].contains { $0 != 0 }
        }
    }

    /// Whether all that is another in a node is part of runs of zeros that are long enough inside it, or that reach
    /// another node's header, and none of which is all of its values.
    private static func isInZeros(
        _ node: Range<Int>, _ dead: Set<Int>, _ intact: [UInt8], _ changed: [UInt8]
    ) -> Bool {
        var place = node.lowerBound
        while place < node.upperBound {
            guard intact[place] != changed[place] else { place += 1; continue }
            guard changed[place] == 0 else { return false }
            var (first, after) = (place, place + 1)
            while first > node.lowerBound, changed[first - 1] == 0 { first -= 1 }
            while after < changed.count, changed[after] == 0 { after += 1 }
            let reachesDead = dead.contains { $0 >= node.upperBound && $0 < min(after, node.upperBound + pageBytes) }
            let values = node.lowerBound + 8
            let isAll = first <= values && after >= node.upperBound && after <= (node.upperBound + 7) & ~7
            let inside = min(after, node.upperBound) - first
            guard after - first >= sectorBytes, !isAll, inside >= sectorBytes || reachesDead else { return false }
            place = after
        }
        return true
    }
}
