import Columns

/// Segments that a reader has announced: with the first that is asked for come those after it.
///
/// A question to the database takes longer than a segment; a reader that says what it goes through asks once for some MiB.
struct ReadAhead {
    /// Bytes that are fetched together, but for a single segment that is larger.
    static let byteLimit = 2 << 20
    /// Announcements that wait at most; of more the first are forgotten, and read one by one.
    static let announcedLimit = 1 << 14

    private var announced: [(id: SegmentID, byteCount: Int)] = []
    /// The place of the first announcement that was not fetched yet.
    private var next = 0
    private var fetched: [SegmentID: [UInt8]] = [:]

    /// Notes that a segment is to be read after those that were announced before it.
    mutating func announce(_ id: SegmentID, byteCount: Int) {
        if announced.count - next >= Self.announcedLimit { next += 1 }
        if next > Self.announcedLimit {
            announced.removeFirst(next)
            next = 0
        }
        announced.append((id, byteCount))
    }

    /// A segment that was fetched; it is given once.
    mutating func take(_ id: SegmentID) -> [UInt8]? { fetched.removeValue(forKey: id) }

    /// What to fetch where a segment is asked for: itself, and what was announced behind it.
    ///
    /// What was announced before it has been passed over.
    mutating func fetch(_ id: SegmentID, _ get: ([SegmentID]) throws -> [SegmentID: [UInt8]]) rethrows -> [UInt8]? {
        guard let place = announced[next...].firstIndex(where: { $0.id == id }) else { return try get([id])[id] }
        var end = place + 1
        var bytes = announced[place].byteCount
        while end < announced.count, bytes + announced[end].byteCount <= Self.byteLimit {
            bytes += announced[end].byteCount
            end += 1
        }
        fetched = try get(announced[place..<end].map(\.id))
        next = end
        return take(id)
    }
}
