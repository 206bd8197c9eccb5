import RealmModel

/// Which bytes of nodes may not be what was written, though the format allows them.
///
/// Zeros are what a disk leaves of bytes that never reached it, and they are numbers, too. A run of at least `runBytes` of
/// them is doubtful where it begins or ends inside the values of a node. One that is all of a node's values, and nothing
/// else, is believed: a disk loses sectors, and nodes seldom begin and end with these. Beyond the end of a node zeros say
/// nothing, unless a reference leads to them.
///
/// A page in which a reference leads to something else than a node, and not to zeros, is not the page that belongs
/// there: all of it is doubtful.
struct DoubtfulBytes {
    /// The fewest zeros that are doubtful: a sector.
    static let runBytes = 512
    /// How far beyond a node a run is followed.
    private static let reach = 4096
    /// Where the layout and the number of elements are in a header.
    private static let flagsPlace = 4

    private let bytes: UnsafeRawBufferPointer
    /// Nodes that a run of zeros touches, and places without a node that references lead to.
    private var touched = SparseBits()
    private var dead = SparseBits()
    private var tornPages: Set<Int> = []
    /// Whether nothing is doubtful.
    private(set) var isEmpty = true

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Takes down a node that a reference leads to.
    mutating func note(_ node: Node) {
        guard !runs(touching: node).isEmpty else { return }
        touched[node.offset] = true
        isEmpty = false
    }

    /// Takes down a place that a reference leads to, and where no header of a node is.
    mutating func noteDead(_ offset: Int) {
        dead[offset] = true
        guard bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 else { return }
        tornPages.insert(offset / NodeSurvey.pageBytes)
        isEmpty = false
    }

    /// The bytes of a node that are doubtful, ascending.
    func ranges(of node: Node) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        let whole = node.offset..<Self.end(of: node)
        let pages = whole.lowerBound / NodeSurvey.pageBytes...(whole.upperBound - 1) / NodeSurvey.pageBytes
        return !tornPages.isEmpty && pages.contains { tornPages.contains($0) } ? [whole] : zeros(of: node)
    }

    /// The bytes of a node that are zeros, and doubtful.
    ///
    /// - Parameter believesSectors: whether zeros that are all of the node's values are believed even where these are
    ///   whole sectors.
    func zeros(of node: Node, believesSectors: Bool = false) -> [Range<Int>] {
        guard !isEmpty, touched[node.offset] else { return [] }
        let (start, end) = (node.offset + Node.headerBytes, Self.end(of: node))
        let padded = (end + 7) & ~7
        return runs(touching: node).compactMap { run in
            let inside = run.clamped(to: node.offset..<end)
            if run.upperBound > padded, inside.count < Self.runBytes, !hasDead(in: padded..<run.upperBound) {
                return nil
            }
            let isInHeader = run.lowerBound <= node.offset + Self.flagsPlace || node.payload.isEmpty
            if isInHeader { return node.offset..<end }
            // A number of elements may end with zeros.
            let isAllValues = run.lowerBound <= start && (end...padded).contains(run.upperBound)
            let isAllSectors = start.isMultiple(of: Self.runBytes) && padded.isMultiple(of: Self.runBytes)
            return isAllValues && (believesSectors || !isAllSectors) ? nil : inside
        }
    }

    /// Whether a run of zeros begins inside a node, and goes on beyond its end.
    func endsInZeros(_ node: Node) -> Bool {
        guard touched[node.offset] else { return false }
        let padded = (Self.end(of: node) + 7) & ~7
        return runs(touching: node).contains { $0.lowerBound < padded && $0.upperBound > padded }
    }

    private static func end(of node: Node) -> Int { node.offset + Node.headerBytes + node.payload.count }

    private func hasDead(in range: Range<Int>) -> Bool {
        var found = false
        dead.forEach(in: range) { _ in
            found = true
            return false
        }
        return found
    }

    // MARK: Runs

    /// The runs of at least `runBytes` zeros that reach into a node, or that end its header.
    private func runs(touching node: Node) -> [Range<Int>] {
        let (start, end) = (node.offset + Node.headerBytes, Self.end(of: node))
        let last = max(end, start) - 1
        var runs: [Range<Int>] = []
        var place = min(start, last)
        while true {
            if bytes[place] == 0 {
                let run = run(around: place, from: node.offset, to: min(end + Self.reach, bytes.count))
                if run.count >= Self.runBytes { runs.append(run) }
                place = max(place, run.upperBound - 1)
            }
            guard place < last else { return runs }
            // No run of the length is between two places that lie this far apart.
            place = min(place + Self.runBytes / 2, last)
        }
    }

    private func run(around place: Int, from start: Int, to end: Int) -> Range<Int> {
        var (first, after) = (place, place + 1)
        while first > start, bytes[first - 1] == 0 {
            first -= isZeroWord(first - 8, from: start, to: end) ? 8 : 1
        }
        while after < end, bytes[after] == 0 {
            after += isZeroWord(after, from: start, to: end) ? 8 : 1
        }
        return first..<after
    }

    private func isZeroWord(_ offset: Int, from start: Int, to end: Int) -> Bool {
        offset >= start && offset + 8 <= end && bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0
    }
}
