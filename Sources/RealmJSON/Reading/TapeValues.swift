import Columns
import RealmModel

/// Realm's scalar values in a tape, in the forms of Realm JSON.
struct TapeValues {
    let tape: JSONTape

    /// The word of the one member of an object, where it has exactly that one: `{"$date": …}`.
    @inline(__always)
    func wrapped(_ word: Int, _ name: StaticString) -> Int? {
        guard tape.tag(word) == JSONTape.Tag.object, tape.end(ofContainer: word) - word > 3,
            tape.string(word + 1, is: name), tape.next(after: word + 2) == tape.end(ofContainer: word) - 1
        else { return nil }
        return word + 2
    }

    /// The text of a wrapped string.
    private func text(_ word: Int, _ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard let inner = wrapped(word, name), tape.tag(inner) == JSONTape.Tag.string else { return nil }
        return tape.bytes(inner).bindMemory(to: UInt8.self)
    }

    func int(_ word: Int) throws(Refusal) -> Int64 {
        switch tape.tag(word) {
        case JSONTape.Tag.int: return tape.int(word)
        case JSONTape.Tag.unsigned, JSONTape.Tag.bigInteger: throw .mismatch("an integer of 64 bits", at: word)
        default: throw .mismatch("an int", at: word)
        }
    }

    func bool(_ word: Int) throws(Refusal) -> Bool {
        switch tape.tag(word) {
        case JSONTape.Tag.true: return true
        case JSONTape.Tag.false: return false
        default: throw .mismatch("a bool", at: word)
        }
    }

    func double(_ word: Int) throws(Refusal) -> Double {
        guard let number = number(word) else { throw .mismatch("a double", at: word) }
        return number
    }

    func float(_ word: Int) throws(Refusal) -> Float {
        guard let number = number(word) else { throw .mismatch("a float", at: word) }
        let float = Float(number)
        guard float.isFinite || !number.isFinite else { throw .mismatch("within the range of a float", at: word) }
        return float
    }

    private func number(_ word: Int) -> Double? {
        switch tape.tag(word) {
        case JSONTape.Tag.double, JSONTape.Tag.bigInteger: return tape.double(word)
        case JSONTape.Tag.int: return Double(tape.int(word))
        case JSONTape.Tag.unsigned: return Double(tape.unsigned(word))
        default: return wrapped(word, "$numberDouble").flatMap { nonFinite($0) }
        }
    }

    private func nonFinite(_ word: Int) -> Double? {
        guard tape.tag(word) == JSONTape.Tag.string else { return nil }
        if tape.string(word, is: "NaN") { return .nan }
        if tape.string(word, is: "Infinity") { return .infinity }
        if tape.string(word, is: "-Infinity") { return -.infinity }
        return nil
    }

    func string(_ word: Int) throws(Refusal) -> UnsafeRawBufferPointer {
        guard tape.tag(word) == JSONTape.Tag.string else { throw .mismatch("a string", at: word) }
        return try limited(tape.bytes(word), to: RealmLimits.stringBytes, at: word)
    }

    private func limited<Bytes: Collection>(
        _ bytes: Bytes, to limit: Int, at word: Int
    ) throws(Refusal) -> Bytes {
        guard bytes.count <= limit else {
            throw Refusal(code: .tooLarge, clause: "is larger than Realm's \(limit) bytes", word: word)
        }
        return bytes
    }

    func data(_ word: Int) throws(Refusal) -> [UInt8] {
        guard let binary = wrapped(word, "$binary"), let bytes = decodeBinary(binary) else {
            throw .mismatch(
                #"data, {"$binary": {"base64": "..", "subType": "00"}}"#, at: word)
        }
        return try limited(bytes, to: RealmLimits.dataBytes, at: word)
    }

    private func decodeBinary(_ word: Int) -> [UInt8]? {
        guard tape.tag(word) == JSONTape.Tag.object else { return nil }
        var bytes: [UInt8]?
        var member = word + 1
        while member < tape.end(ofContainer: word) - 1 {
            let value = member + 1
            guard tape.tag(value) == JSONTape.Tag.string else { return nil }
            if bytes == nil, tape.string(member, is: "base64") {
                bytes = Base64.decode(utf8: tape.bytes(value).bindMemory(to: UInt8.self))
                if bytes == nil { return nil }
            } else if !tape.string(member, is: "subType") || !tape.string(value, is: "00") {
                return nil
            }
            member = value + 1
        }
        return bytes
    }

    func date(_ word: Int) throws(Refusal) -> Timestamp {
        guard let text = text(word, "$date"), let date = Timestamp(utf8: text) else {
            throw .mismatch(#"a date, {"$date": "2020-01-31T10:00:00Z"}"#, at: word)
        }
        return date
    }

    func decimal128(_ word: Int) throws(Refusal) -> Decimal128 {
        guard let text = text(word, "$numberDecimal"), let number = Decimal128(utf8: text) else {
            throw .mismatch(#"a decimal128, {"$numberDecimal": ".."}"#, at: word)
        }
        return number
    }

    func objectId(_ word: Int) throws(Refusal) -> ObjectId {
        guard let text = text(word, "$oid"), let id = ObjectId(String(decoding: text, as: UTF8.self)) else {
            throw .mismatch(#"an objectId, {"$oid": ".."}"#, at: word)
        }
        return id
    }

    func uuid(_ word: Int) throws(Refusal) -> UUID {
        guard let text = text(word, "$uuid"), let id = UUID(String(decoding: text, as: UTF8.self)) else {
            throw .mismatch(#"a uuid, {"$uuid": ".."}"#, at: word)
        }
        return id
    }

    /// A value of a type that is neither mixed nor a link; not null.
    func scalar(_ word: Int, _ type: PropertyType) throws(Refusal) -> Value {
        switch type {
        case .int: .int(try int(word))
        case .bool: .bool(try bool(word))
        case .float: .float(try float(word))
        case .double: .double(try double(word))
        case .string: .string(String(decoding: try string(word), as: UTF8.self))
        case .data: .data(try data(word))
        case .date: .date(try date(word))
        case .decimal128: .decimal128(try decimal128(word))
        case .objectId: .objectId(try objectId(word))
        case .uuid: .uuid(try uuid(word))
        case .mixed, .object, .linkingObjects: throw .mismatch("a value", at: word)
        }
    }
}
