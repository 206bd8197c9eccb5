import CSimdjson
import RealmModel

/// The part of a source that is in memory: read in chunks, moved on, and grown for a value larger than a chunk.
final class ByteWindow {
    /// The most bytes of one value, or of one line.
    static let valueLimit = 128 << 20

    private let source: any ByteSource
    private let chunk: Int
    @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
    /// Bytes of the source before the buffer.
    @exclusivity(unchecked) private var base = 0
    @exclusivity(unchecked) private var filled = 0
    @exclusivity(unchecked) private var position = 0
    @exclusivity(unchecked) private var isExhausted = false

    /// Starts at the source's first byte.
    ///
    /// - Parameter chunk: bytes to read at once.
    init(_ source: any ByteSource, chunk: Int = 1 << 20) {
        self.source = source
        self.chunk = chunk
        buffer = .allocate(byteCount: chunk + JSONParser.padding, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    /// Bytes from the source's start to the next byte.
    var offset: Int { base + position }

    /// Goes on at another place.
    func seek(to offset: Int) {
        base = offset
        filled = 0
        position = 0
        isExhausted = false
    }

    /// The next byte; nil at the end.
    func peek() throws -> UInt8? {
        if position == filled, try !fill(keeping: position) { return nil }
        return buffer[position]
    }

    /// Moves behind the byte that `peek` gave.
    func advance() { position += 1 }

    /// Moves behind white space and gives the byte after it; nil at the end.
    func peekBehindSpace() throws -> UInt8? {
        while let byte = try peek() {
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Moves behind a byte order mark.
    func skipByteOrderMark() throws {
        while filled - position < 3, try fill(keeping: position) {}
        position += ByteOrderMark.length(in: UnsafeRawBufferPointer(rebasing: buffer[position..<filled]))
    }

    /// Moves behind the value that starts here and gives its bytes until the next call, whole but unchecked.
    ///
    /// Where the end of the source comes first, that is the end of the value.
    func takeValue() throws -> UnsafeRawBufferPointer {
        var boundary = ValueBoundary()
        let start = offset
        var index = position
        while true {
            if let end = boundary.end(in: UnsafeRawBufferPointer(buffer), from: index, to: filled) {
                return take(from: start, to: end)
            }
            index = filled
            guard try fill(keeping: start - base, moving: &index) else { return take(from: start, to: filled) }
        }
    }

    /// Moves behind the value that starts here without keeping it.
    func skipValue() throws {
        var boundary = ValueBoundary()
        while true {
            if let end = boundary.end(in: UnsafeRawBufferPointer(buffer), from: position, to: filled) {
                position = end
                return
            }
            position = filled
            guard try fill(keeping: position) else { return }
        }
    }

    /// Moves behind the next line and gives its bytes, without its end, until the next call; nil at the end.
    func takeLine() throws -> UnsafeRawBufferPointer? {
        let start = offset
        var index = position
        while true {
            if let end = lineEnd(from: index) {
                defer { position = end + 1 }
                return take(from: start, to: end)
            }
            index = filled
            guard try fill(keeping: start - base, moving: &index) else {
                return start == base + filled ? nil : take(from: start, to: filled)
            }
        }
    }

    private func lineEnd(from index: Int) -> Int? {
        guard let start = buffer.baseAddress, let end = csimdjson_find_line_end(start + index, filled - index) else {
            return nil
        }
        return end - UnsafeRawPointer(start)
    }

    private func take(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
        position = end
        return UnsafeRawBufferPointer(rebasing: buffer[start - base..<end])
    }

    private func fill(keeping first: Int, moving index: inout Int) throws -> Bool {
        let before = base
        defer { index -= base - before }
        return try fill(keeping: first)
    }

    /// Reads more bytes behind those from `first` on, which stay; false at the end of the source.
    private func fill(keeping first: Int) throws -> Bool {
        guard !isExhausted else { return false }
        let kept = filled - first
        guard kept < Self.valueLimit else {
            let place = try source.place(of: base + first)
            throw InputError(
                .tooLarge, place.item("A value is larger than \(Self.valueLimit >> 20) MiB, at \(place)."))
        }
        if kept > chunk / 2 { grow(to: kept * 2 + chunk, keeping: first) } else { move(keeping: first) }
        position = max(position - first, 0)
        base += first
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<buffer.count - JSONParser.padding])
        let count = try source.read(at: base + kept, into: room)
        filled = kept + count
        isExhausted = count == 0
        return count > 0
    }

    private func move(keeping first: Int) {
        guard first > 0, let start = buffer.baseAddress else { return }
        start.copyMemory(from: start + first, byteCount: filled - first)
    }

    private func grow(to capacity: Int, keeping first: Int) {
        let room = max(capacity, buffer.count - JSONParser.padding)
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: room + JSONParser.padding, alignment: 64)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[first..<filled]))
        buffer.deallocate()
        buffer = grown
    }
}
