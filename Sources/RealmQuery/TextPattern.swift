/// A pattern of bytes with gaps: `*` stands for any bytes, `?` for one character; made of what `CONTAINS` and `LIKE` ask.
///
/// A search goes through a text once, whatever the pattern; where a part between stars has both a `?` and more than 64
/// bytes, it looks at a word of bits for each 64 of them at each byte.
struct TextPattern: Hashable, Sendable {
    /// The parts between stars.
    private let parts: [Part]

    /// Any text around the bytes.
    init(containing bytes: [UInt8]) {
        parts = [Part(), Part(bytes.map { .byte($0) }), Part()]
    }

    /// `*` and `?` as they are in a text; there is no way to mean the characters themselves.
    init(like pattern: [UInt8]) {
        parts = pattern.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { part in
            Part(part.map { $0 == UInt8(ascii: "?") ? .character : .byte($0) })
        }
    }

    /// Whether a whole text fits.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = parts.first, let start = first.end(in: text, from: 0) else { return false }
        guard parts.count > 1 else { return start == text.count }
        var place = start
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let end = part.firstEnd(in: text, from: place) else { return false }
            place = end
        }
        guard let tail = parts.last?.start(in: text) else { return false }
        return tail >= place
    }

    func matches(_ text: [UInt8]) -> Bool { text.withUnsafeBytes(matches) }
}

extension TextPattern {
    private enum Unit: Hashable, Sendable {
        case byte(UInt8)
        /// A byte that begins a character, and those that go on with it.
        case character
    }

    private struct Part: Hashable, Sendable {
        private let units: [Unit]
        /// For each byte the units that it fits, as bits; of a part of 64 units at most, or one with characters.
        private let masks: [UInt64]
        /// The units that stay where a character goes on.
        private let characters: [UInt64]
        /// For each unit of a long part of bytes how many before it are also the first ones.
        private let borders: [Int32]

        init(_ units: [Unit] = []) {
            self.units = units
            guard units.count <= 64 || units.contains(.character) else {
                (masks, characters) = ([], [])
                borders = Self.borders(of: units)
                return
            }
            let words = (units.count + 63) / 64
            var masks = Array(repeating: UInt64(0), count: 256 * words)
            var characters = Array(repeating: UInt64(0), count: words)
            for (index, unit) in units.enumerated() {
                let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
                switch unit {
                case .byte(let byte): masks[Int(byte) * words + word] |= bit
                case .character:
                    characters[word] |= bit
                    for byte in 0..<256 where byte & 0xc0 != 0x80 { masks[byte * words + word] |= bit }
                }
            }
            (self.masks, self.characters, borders) = (masks, characters, [])
        }

        private static func borders(of units: [Unit]) -> [Int32] {
            var borders = Array(repeating: Int32(0), count: units.count)
            var length = 0
            for index in units.indices.dropFirst() {
                while length > 0, units[index] != units[length] { length = Int(borders[length - 1]) }
                if units[index] == units[length] { length += 1 }
                borders[index] = Int32(length)
            }
            return borders
        }

        var isEmpty: Bool { units.isEmpty }

        /// Where the part ends that begins at a place; nil where it does not fit there.
        func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
            var place = start
            for unit in units {
                guard place < text.count else { return nil }
                let byte = text[place]
                place += 1
                switch unit {
                case .byte(let expected): guard byte == expected else { return nil }
                case .character: while place < text.count, text[place].isContinuation { place += 1 }
                }
            }
            return place
        }

        /// Where the part begins that ends with the text.
        func start(in text: UnsafeRawBufferPointer) -> Int? {
            var place = text.count
            for unit in units.reversed() {
                guard place > 0 else { return nil }
                place -= 1
                switch unit {
                case .byte(let expected): guard text[place] == expected else { return nil }
                case .character: while place > 0, text[place].isContinuation { place -= 1 }
                }
            }
            return place
        }

        /// The end of the first place where the part is, at or behind a start.
        func firstEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
            guard borders.isEmpty else { return bytesEnd(in: text, from: start) }
            let end = characters.count == 1 ? shortEnd(in: text, from: start) : longEnd(in: text, from: start)
            guard var end, units.last == .character else { return end }
            while end < text.count, text[end].isContinuation { end += 1 }
            return end
        }

        /// Goes on behind what fitted so far where a byte does not fit (Knuth, Morris and Pratt 1977).
        private func bytesEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
            var length = 0
            for place in start..<max(text.count, start) {
                while length > 0, units[length] != .byte(text[place]) { length = Int(borders[length - 1]) }
                if units[length] == .byte(text[place]) { length += 1 }
                if length == units.count { return place + 1 }
            }
            return nil
        }

        /// A bit stands for each unit up to which the bytes before a place fit.
        private func shortEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
            let last = UInt64(1) << UInt64(units.count - 1)
            let stays = characters[0]
            var state: UInt64 = 0
            for place in start..<max(text.count, start) {
                let byte = text[place]
                state = (state << 1 | 1) & masks[Int(byte)] | (byte.isContinuation ? state & stays : 0)
                if state & last != 0 { return place + 1 }
            }
            return nil
        }

        private func longEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
            let last = UInt64(1) << UInt64((units.count - 1) % 64)
            var state = Array(repeating: UInt64(0), count: characters.count)
            return state.withUnsafeMutableBufferPointer { state in
                for place in start..<max(text.count, start) {
                    let byte = text[place]
                    let mask = Int(byte) * state.count
                    var carry: UInt64 = 1
                    for word in state.indices {
                        let old = state[word]
                        state[word] = (old << 1 | carry) & masks[mask + word]
                        if byte.isContinuation { state[word] |= old & characters[word] }
                        carry = old >> 63
                    }
                    if state[state.count - 1] & last != 0 { return place + 1 }
                }
                return nil
            }
        }
    }
}

extension UInt8 {
    /// Whether it goes on with a character of UTF-8.
    fileprivate var isContinuation: Bool { self & 0xc0 == 0x80 }
}
