/// A `.realm` file put together node by node, for what no Realm writes: REALM_FORMAT sections 1 to 3.
struct CraftedFile {
    private(set) var bytes: [UInt8] = Array("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0T-DB".utf8) + [24, 24, 0, 0]

    enum Layout: UInt8 {
        case bits = 0
        case cells = 8
        case blob = 16
    }

    /// Appends a node of any header.
    ///
    /// - Parameters:
    ///   - width: 0 for elements that take no bytes, otherwise the exponent of the width plus one.
    ///   - flags: 0x80 inner, 0x40 references, 0x20 context.
    /// - Returns: the reference to it.
    mutating func node(
        _ layout: Layout, width: UInt8 = 0, count: Int, flags: UInt8 = 0, payload: [UInt8] = []
    ) -> Int64 {
        let ref = bytes.count
        bytes += [0x41, 0x41, 0x41, 0x41, flags | layout.rawValue | width]
        bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        bytes += payload
        bytes += [UInt8](repeating: 0, count: -payload.count & 7)
        return Int64(ref)
    }

    /// Appends an array of integers or references of 64 bits each.
    mutating func array(_ elements: [Int64], flags: UInt8 = 0) -> Int64 {
        var payload: [UInt8] = []
        for element in elements { withUnsafeBytes(of: element.littleEndian) { payload += $0 } }
        return node(.bits, width: 7, count: elements.count, flags: flags, payload: payload)
    }

    /// Appends short strings, padded cells of eight bytes.
    mutating func names(_ names: [String]) -> Int64 {
        var payload: [UInt8] = []
        for name in names {
            let padding = 7 - name.utf8.count
            payload += Array(name.utf8)
            payload += [UInt8](repeating: 0, count: padding)
            payload.append(UInt8(padding))
        }
        return node(.cells, width: 4, count: names.count, payload: payload)
    }

    /// Appends a spec and a table of its columns, whose cluster holds a number of objects.
    mutating func table(
        types: Int64, names: Int64, attributes: Int64, keys: Int64, enumerations: Int64 = 0, objects: Int,
        leaves: [Int64]
    ) -> Int64 {
        let spec = array([types, names, attributes, 0, enumerations, keys], flags: 0x40)
        let cluster = array([Int64(objects) << 1 | 1] + leaves, flags: 0x40)
        return array([spec, 0, cluster, 1], flags: 0x40)
    }

    /// Ends the file with its only class, `A`.
    mutating func finish(table: Int64) -> [UInt8] {
        let names = names(["class_A"])
        let tables = array([table], flags: 0x40)
        let top = array([names, tables], flags: 0x40)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: top >> (8 * index)) }
        return bytes
    }
}
