import Columns

/// Numbers one after the other in scratch space, for whoever asks for those that are near one another together.
struct ScratchNumbers {
    private static let blockNumbers = 8192

    private let store: any SegmentStore
    private var blocks: [SegmentID] = []
    private var open: [Int64] = []
    private var read: (block: Int, bytes: [UInt8])?

    init(_ store: any SegmentStore) {
        self.store = store
    }

    /// Adds a number behind the others.
    mutating func append(_ number: Int64) throws {
        open.append(number)
        guard open.count == Self.blockNumbers else { return }
        blocks.append(try store.write(segment: open.withUnsafeBytes { Array($0) }))
        open.removeAll(keepingCapacity: true)
    }

    /// The number at a place.
    mutating func number(at place: Int) throws -> Int64 {
        let (block, index) = place.quotientAndRemainder(dividingBy: Self.blockNumbers)
        if block == blocks.count { return open[index] }
        if read?.block != block { read = (block, try store.read(segment: blocks[block])) }
        guard let bytes = read?.bytes, bytes.count == Self.blockNumbers * MemoryLayout<Int64>.size else {
            throw ColumnError.damaged(what: "a block of numbers", offset: 0)
        }
        return bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: index * MemoryLayout<Int64>.size, as: Int64.self)
        }
    }
}
