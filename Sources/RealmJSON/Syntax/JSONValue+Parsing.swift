import RealmModel

extension JSONValue {
    /// Parses bytes that are exactly one JSON value in UTF-8, a byte order mark before it allowed.
    ///
    /// - Throws: `malformedJSON` with line, column and offset; a member that stands twice in an object and values that
    ///   nest deeper than 500 levels are refused, too.
    public static func parse(_ bytes: [UInt8]) throws(InputError) -> JSONValue {
        let padded = bytes + repeatElement(0, count: JSONParser.padding)
        return try padded.withUnsafeBufferPointer { padded throws(InputError) in
            let run = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(padded)[..<bytes.count])
            do throws(JSONSyntaxError) {
                return try parse(run, by: JSONParser())
            } catch {
                throw .malformedJSON(error.reason, at: TextPlace(of: error.offset, in: run))
            }
        }
    }

    /// Parses a run that is readable for the parser's padding behind its end.
    static func parse(_ bytes: UnsafeRawBufferPointer, by parser: JSONParser) throws(JSONSyntaxError) -> JSONValue {
        let mark = ByteOrderMark.length(in: bytes)
        do throws(JSONSyntaxError) {
            let run = UnsafeRawBufferPointer(rebasing: bytes[mark...])
            return try parser.withTape(of: run) { tape throws(JSONSyntaxError) in
                do throws(RepeatedMember) {
                    return try JSONValue(tape, at: JSONTape.root)
                } catch {
                    throw JSONSyntaxError(
                        reason: "a member that stands twice in its object",
                        offset: JSONScanner.offset(ofWord: error.word, in: run))
                }
            } malformed: {
                $0
            }
        } catch {
            throw JSONSyntaxError(reason: error.reason, offset: mark + error.offset)
        }
    }

    /// The value that starts at a word of a tape.
    init(_ tape: JSONTape, at index: Int) throws(RepeatedMember) {
        switch tape.tag(index) {
        case JSONTape.Tag.true: self = .bool(true)
        case JSONTape.Tag.false: self = .bool(false)
        case JSONTape.Tag.int: self = .int(tape.int(index))
        case JSONTape.Tag.unsigned: self = JSONValue(tape.unsigned(index))
        case JSONTape.Tag.double, JSONTape.Tag.bigInteger: self = .double(tape.double(index))
        case JSONTape.Tag.string: self = .string(tape.string(index))
        case JSONTape.Tag.array: self = .array(try Self.elements(tape, of: index))
        case JSONTape.Tag.object: self = .object(try Self.members(tape, of: index))
        default: self = .null
        }
    }

    private static func elements(_ tape: JSONTape, of index: Int) throws(RepeatedMember) -> [JSONValue] {
        var elements: [JSONValue] = []
        var word = index + 1
        while word < tape.end(ofContainer: index) - 1 {
            elements.append(try JSONValue(tape, at: word))
            word = tape.next(after: word)
        }
        return elements
    }

    private static func members(_ tape: JSONTape, of index: Int) throws(RepeatedMember) -> [JSONMember] {
        var members: [JSONMember] = []
        var names: Set<[UInt8]> = []
        var word = index + 1
        while word < tape.end(ofContainer: index) - 1 {
            guard names.insert(Array(tape.bytes(word))).inserted else { throw RepeatedMember(word: word) }
            members.append(JSONMember(tape.string(word), try JSONValue(tape, at: word + 1)))
            word = tape.next(after: word + 1)
        }
        return members
    }
}

/// A member whose name stands before it in the same object already.
struct RepeatedMember: Error {
    /// Its name's index in the tape.
    let word: Int
}

extension JSONScanner {
    /// Where a word of a value's tape stands: bytes from the start of the run; 0 where the run ends before.
    static func offset(ofWord word: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var scanner = JSONScanner(bytes, upTo: word)
        try? scanner.scan()
        return scanner.offsets.indices.contains(word) ? scanner.offsets[word] : 0
    }
}

/// The three bytes that some programs put before UTF-8.
enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

    /// 3 where bytes start with the mark, else 0.
    static func length(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.starts(with: Self.bytes) ? Self.bytes.count : 0
    }
}
