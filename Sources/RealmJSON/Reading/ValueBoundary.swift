/// Finds where a JSON value ends, run by run, by counting brackets outside strings; what is between is not checked.
struct ValueBoundary {
    private enum State { case start, scalar, string, container }

    private var state = State.start
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// The index behind the value's last byte; nil where it goes on behind the run.
    mutating func end(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        if state == .start {
            guard index < end else { return nil }
            begin(with: bytes[index])
            index += 1
        }
        switch state {
        case .container: return containerEnd(in: bytes, from: index, to: end)
        case .string: return stringEnd(in: bytes, from: index, to: end)
        default: return bytes[index..<end].firstIndex { Self.isDelimiter($0) }
        }
    }

    private mutating func begin(with byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            state = .container
            depth = 1
        case UInt8(ascii: "\""):
            state = .string
            isInString = true
        default: state = .scalar
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0x20, 0x0a, 0x0d, 0x09: true
        default: false
        }
    }

    private mutating func stringEnd(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let byte = bytes[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                return index
            }
        }
        return nil
    }

    private mutating func containerEnd(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            if isInString {
                guard let next = stringEnd(in: bytes, from: index, to: end) else { return nil }
                index = next
                continue
            }
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte | 0x20 == UInt8(ascii: "{") {
                // `[` and `{` differ in this bit alone, as do their counterparts.
                depth += 1
            } else if byte | 0x20 == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }
}
