/// The texts of one property of some objects, with the bytes before and behind it in each of them.
struct RowTexts {
    /// The bytes before the value: the comma, where it is not the first, and the name; the quote of a text.
    private let label: [UInt8]
    private let end: [UInt8]
    private let bytes: [UInt8]
    /// Where the text of each object begins and ends in `bytes`.
    private let starts: [Int]
    private let ends: [Int]

    /// Writes each value by a function.
    ///
    /// - Parameter rows: the objects, in the order in which they are written.
    init(_ rows: [Int], label: [UInt8], _ append: (Int, inout [UInt8]) throws -> Void) rethrows {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        ends.reserveCapacity(rows.count)
        for row in rows {
            try append(row, &bytes)
            ends.append(bytes.count)
        }
        self.init(label: label, bytes, ends: ends)
    }

    /// Writes integers.
    init(of numbers: [Int64], _ rows: [Int], label: [UInt8]) {
        let (bytes, ends) = DecimalDigits.texts(of: numbers, rows: rows)
        self.init(label: label, bytes, ends: ends)
    }

    /// Takes texts as they are, none of which has anything to be escaped, between quotes.
    ///
    /// - Parameter offsets: row `i` is `offsets[i]..<offsets[i + 1]` of the bytes.
    init(quoting bytes: [UInt8], _ offsets: [Int32], _ rows: [Int], label: [UInt8]) {
        self.label = label + [UInt8(ascii: "\"")]
        end = [UInt8(ascii: "\"")]
        self.bytes = bytes
        starts = rows.map { Int(offsets[$0]) }
        ends = rows.map { Int(offsets[$0 + 1]) }
    }

    private init(label: [UInt8], _ bytes: [UInt8], ends: [Int]) {
        self.label = label
        end = []
        self.bytes = bytes
        starts = [0] + ends.dropLast()
        self.ends = ends
    }

    /// Adds to each object's length what this takes in it.
    func addLengths(to lengths: inout [Int]) {
        let fixed = label.count + end.count
        for index in lengths.indices { lengths[index] += fixed + ends[index] - starts[index] }
    }

    /// Writes the text of each object at its place in a buffer, and moves the place behind it.
    func write(into buffer: UnsafeMutableRawBufferPointer, at places: inout [Int]) {
        Self.write(label, into: buffer, at: &places)
        bytes.withUnsafeBytes { bytes in
            for index in places.indices {
                let text = UnsafeRawBufferPointer(rebasing: bytes[starts[index]..<ends[index]])
                UnsafeMutableRawBufferPointer(rebasing: buffer[places[index]...]).copyMemory(from: text)
                places[index] += text.count
            }
        }
        Self.write(end, into: buffer, at: &places)
    }

    /// Writes the same bytes for each object.
    static func write(_ bytes: [UInt8], into buffer: UnsafeMutableRawBufferPointer, at places: inout [Int]) {
        guard !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { bytes in
            for index in places.indices {
                UnsafeMutableRawBufferPointer(rebasing: buffer[places[index]...]).copyMemory(from: bytes)
                places[index] += bytes.count
            }
        }
    }
}
