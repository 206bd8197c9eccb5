/// JSON with the members of its objects in their order, which the messages about properties depend on.
indirect enum OrderedJSON {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([OrderedJSON])
    case object([(name: String, value: OrderedJSON)])

    subscript(_ name: String) -> OrderedJSON? { members.first { $0.name == name }?.value }

    var members: [(name: String, value: OrderedJSON)] {
        if case .object(let members) = self { members } else { [] }
    }

    var elements: [OrderedJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var isTrue: Bool {
        if case .bool(let flag) = self { flag } else { false }
    }

    var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }
}

/// Parses the JSON of the corpus; well-formed input is taken for granted.
struct OrderedJSONParser {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parse() throws -> OrderedJSON {
        switch try peek() {
        case UInt8(ascii: "{"): .object(try parseList(until: "}") { try $0.parseMember() })
        case UInt8(ascii: "["): .array(try parseList(until: "]") { try $0.parse() })
        case UInt8(ascii: "\""): .string(try parseString())
        default: parseWord()
        }
    }

    private mutating func peek() throws -> UInt8 {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        guard position < bytes.count else { throw Malformed() }
        return bytes[position]
    }

    private mutating func parseList<Item>(
        until end: Unicode.Scalar, _ parseItem: (inout Self) throws -> Item
    ) throws -> [Item] {
        position += 1
        var items: [Item] = []
        while try peek() != UInt8(ascii: end) {
            if try peek() == UInt8(ascii: ",") { position += 1 }
            items.append(try parseItem(&self))
        }
        position += 1
        return items
    }

    private mutating func parseMember() throws -> (name: String, value: OrderedJSON) {
        _ = try peek()
        let name = try parseString()
        guard try peek() == UInt8(ascii: ":") else { throw Malformed() }
        position += 1
        return (name, try parse())
    }

    private mutating func parseWord() -> OrderedJSON {
        let start = position
        while position < bytes.count, !" \r\n\t,]}".utf8.contains(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        return switch word {
        case "null": .null
        case "true", "false": .bool(word == "true")
        default: .number(word)
        }
    }

    private mutating func parseString() throws -> String {
        var units: [UInt16] = []
        var plain: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                units += Array(String(decoding: plain, as: UTF8.self).utf16)
                plain = []
                units.append(try parseEscape())
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return String(decoding: units + Array(String(decoding: plain, as: UTF8.self).utf16), as: UTF16.self)
    }

    private mutating func parseEscape() throws -> UInt16 {
        guard position + 5 < bytes.count else { throw Malformed() }
        let letter = bytes[position + 1]
        if letter == UInt8(ascii: "u") {
            let digits = String(decoding: bytes[position + 2..<position + 6], as: UTF8.self)
            position += 6
            return try UInt16(digits, radix: 16) ?? { throw Malformed() }()
        }
        position += 2
        let escapes: [Character: UInt16] = ["n": 10, "t": 9, "r": 13, "b": 8, "f": 12]
        return escapes[Character(Unicode.Scalar(letter))] ?? UInt16(letter)
    }
}
