import Columns

/// Segments that a reader has announced: with the first that is asked for come those after it.
///
/// A question to the database takes longer than a segment; a reader that says what it goes through asks once for some MiB.
struct ReadAhead {
    /// Bytes that are fetched together, but for a single segment that is larger.
    static let byteLimit = 2 << 20
    /// Announcements that wait at most; of more the first are forgotten, and read one by one.
    static let announcedLimit = 1 << 16

    private var announced: [(id: SegmentID, byteCount: Int)] = []
    /// The place of the first announcement that was not fetched yet.
    private var next = 0
    /// How often each segment stands there, from that place on.
    private var counts: [SegmentID: Int] = [:]
    private var fetched: [SegmentID: [UInt8]] = [:]

    /// Notes that a segment is to be read after those that were announced before it.
    mutating func announce(_ id: SegmentID, byteCount: Int) {
        if announced.count - next >= Self.announcedLimit { pass(to: next + 1) }
        if next > Self.announcedLimit {
            announced.removeFirst(next)
            next = 0
        }
        announced.append((id, byteCount))
        counts[id, default: 0] += 1
    }

    private mutating func pass(to place: Int) {
        for (id, _) in announced[next..<place] {
            let left = counts[id, default: 1] - 1
            counts[id] = left > 0 ? left : nil
        }
        next = place
    }

    /// A segment that was fetched; it is given once.
    mutating func take(_ id: SegmentID) -> [UInt8]? { fetched.removeValue(forKey: id) }

    /// Fetches the segment that is asked for, with those that were announced behind it.
    ///
    /// Announcements before it have been passed over.
    mutating func fetch(_ id: SegmentID, _ get: ([SegmentID]) throws -> [SegmentID: [UInt8]]) rethrows -> [UInt8]? {
        // A search ends where the next one begins, unless it is for what is not there.
        guard counts[id] != nil, let place = announced[next...].firstIndex(where: { $0.id == id }) else {
            return try get([id])[id]
        }
        var end = place + 1
        var bytes = announced[place].byteCount
        while end < announced.count, bytes + announced[end].byteCount <= Self.byteLimit {
            bytes += announced[end].byteCount
            end += 1
        }
        fetched = try get(announced[place..<end].map(\.id))
        pass(to: end)
        return take(id)
    }
}
