/// One message between a host process and its parent: a kind, and bytes whose form the kind decides.
///
/// On the socket a frame is the number of its payload's bytes (32 bits, little-endian), its kind (8 bits), its payload.
struct Frame {
    /// The kind of a frame.
    enum Kind: UInt8 {
        // From the parent.
        case prepare = 1
        case task
        case bytes

        // From the host.
        case ready = 64
        case readSegment
        case writeSegment
        case readColumn
        case writeColumn
        case report
        case done
        case refused
        case failed
        case writeScratch
    }

    /// Bytes in front of the payload.
    static let headerBytes = 5
    /// The most bytes of a payload; a segment of a row group with values of Realm's greatest size is below it.
    static let payloadLimit = 1 << 30

    var kind: Kind
    var payload: [UInt8]

    init(_ kind: Kind, _ payload: [UInt8] = []) {
        self.kind = kind
        self.payload = payload
    }

    /// The bytes in front of the payload.
    var header: [UInt8] {
        let count = UInt32(payload.count)
        return [
            UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8),
            UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 24), kind.rawValue,
        ]
    }

    /// The frame's bytes in the pieces that are sent: one where copying a payload is cheaper than another call, and a second
    /// waking of the reader.
    var pieces: [[UInt8]] {
        payload.count <= 16 << 10 ? [header + payload] : [header, payload]
    }

    /// The kind and the size of the payload; nil where no frame begins with these bytes.
    static func parse(header: [UInt8]) -> (kind: Kind, payloadBytes: Int)? {
        guard header.count == headerBytes, let kind = Kind(rawValue: header[4]) else { return nil }
        let count = header.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return count <= payloadLimit ? (kind, count) : nil
    }
}
