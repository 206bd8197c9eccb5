import RealmModel

/// The places of a file at which a node may end: another node begins there, or free space, or the file is at its end.
///
/// Realm gives a node as many bytes as it takes. One that ends elsewhere has a damaged header: it says of its values that they are
/// fewer or more, or narrower or wider.
struct NodeEnds {
    private static let sizeSlot = 2
    private static let freeSlots = (places: 3, lengths: 4)

    private let bytes: UnsafeRawBufferPointer
    /// Where free space begins.
    private var free: Set<Int64> = []
    private let fileEnd: Int64

    /// Nil where the top array does not tell, or what it tells of free space contradicts itself.
    init?(of top: Node, in image: Image) {
        guard image.formatVersion >= FormatVersion.clusters.lowerBound, top.count > Self.sizeSlot,
            let size = try? top.tagged(at: Self.sizeSlot), size <= image.bytes.count
        else { return nil }
        (bytes, fileEnd) = (image.bytes, size)
        guard top.count > Self.freeSlots.lengths else { return }
        guard let places = try? image.integers(Self.freeSlots.places, of: top, "the list of free space"),
            let lengths = try? image.integers(Self.freeSlots.lengths, of: top, "the list of free space"),
            places.count == lengths.count
        else { return nil }
        var ends: [Int64] = []
        for index in 0..<places.count {
            guard let place = try? places.integer(at: index), let length = try? lengths.integer(at: index),
                place >= ends.last ?? 0, length > 0, length <= fileEnd - place
            else { return nil }
            free.insert(place)
            ends.append(place + length)
        }
        guard ends.allSatisfy({ contains($0) }) else { return nil }
    }

    /// Whether a node may end at a place.
    func contains(_ place: Int64) -> Bool {
        if place >= fileEnd || free.contains(place) { return true }
        guard place & 7 == 0, place <= bytes.count - Node.headerBytes else { return false }
        return bytes.loadUnaligned(fromByteOffset: Int(place), as: UInt32.self) == NodeSurvey.mark
    }
}
