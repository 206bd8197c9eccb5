/// Changes to the nodes of a `.realm` file: REALM_FORMAT sections 1 and 2.
extension Mutator {
    /// Where nodes seem to start: headers begin with `AAAA`, or with anything else in files that Core wrote lately.
    private func nodes(near offset: Int) -> Int? {
        let start = offset & ~7
        for place in stride(from: start, to: min(start + 4096, bytes.count - 8), by: 8) where isNode(place) {
            return place
        }
        return nil
    }

    private func isNode(_ place: Int) -> Bool {
        place >= 24 && bytes[place..<place + 4].allSatisfy { $0 == 0x41 }
    }

    mutating func changeNode() {
        guard bytes.count > 32 else { return setInteger(at: 0) }
        if generator.below(24) == 0 { return changeFileHeader() }
        guard let node = nodes(near: generator.below(bytes.count)) ?? nodes(near: 24) else {
            return setInteger(at: generator.below(bytes.count))
        }
        switch generator.below(7) {
        case 0: changeFlags(of: node)
        case 1: changeCount(of: node)
        case 2, 3: changeReference(of: node)
        case 4: copyReference(to: node)
        case 5: setInteger(at: min(node + 8 + generator.below(64), bytes.count - 1))
        default: copyNode(to: node)
        }
    }

    private mutating func changeFileHeader() {
        switch generator.below(4) {
        case 0: bytes[20 + generator.below(2)] = UInt8(generator.below(26))
        case 1: bytes[23] ^= 1
        case 2: setReference(at: 8 * generator.below(2))
        default: setInteger(at: generator.below(24))
        }
    }

    /// Whether the node is inner, has references, its kind of width, and its width.
    private mutating func changeFlags(of node: Int) {
        bytes[node + 4] ^= 1 << UInt8(generator.below(8))
    }

    /// The number of elements, three bytes, the most significant first.
    private mutating func changeCount(of node: Int) {
        if generator.below(2) == 0 {
            bytes[node + 7] &+= generator.below(2) == 0 ? 1 : 0xff
        } else {
            setInteger(at: node + 5 + generator.below(3))
        }
    }

    /// Makes one of a node's cells refer to another node, or to a place where none is.
    private mutating func changeReference(of node: Int) {
        let width = max((1 << Int(bytes[node + 4] & 7)) >> 1, 8) / 8
        let count = Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
        let offset = node + 8 + generator.below(max(count, 1)) * width
        guard offset + width <= bytes.count else { return }
        var target = generator.below(bytes.count)
        if generator.below(4) != 0 { target = nodes(near: target) ?? target }
        if generator.below(8) == 0 { target |= 1 }
        for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: target >> (8 * index)) }
    }

    private mutating func setReference(at offset: Int) {
        let target = nodes(near: generator.below(bytes.count)) ?? 24
        for index in 0..<8 where offset + index < bytes.count {
            bytes[offset + index] = UInt8(truncatingIfNeeded: target >> (8 * index))
        }
    }

    /// Lets two cells of nodes hold the same, so that a node is referred to twice.
    private mutating func copyReference(to node: Int) {
        let source = nodes(near: generator.below(bytes.count)) ?? node
        let from = source + 8 + generator.below(16)
        let onto = node + 8 + generator.below(16)
        let length = 1 << generator.below(4)
        guard max(from, onto) + length <= bytes.count else { return }
        let cells = Array(bytes[from..<from + length])
        bytes.replaceSubrange(onto..<onto + length, with: cells)
    }

    private mutating func copyNode(to node: Int) {
        guard let source = nodes(near: generator.below(bytes.count)) else { return }
        let length = min(8 << generator.below(7), bytes.count - max(source, node))
        let copied = Array(bytes[source..<source + length])
        bytes.replaceSubrange(node..<node + length, with: copied)
    }
}
