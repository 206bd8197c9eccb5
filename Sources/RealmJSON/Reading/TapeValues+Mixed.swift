import Columns
import RealmModel

extension TapeValues {
    /// The key that a link of a mixed value leads to, as the intake finds it.
    typealias LinkLookup = (_ className: String, _ id: Int, _ word: Int) throws(Refusal) -> ObjectKey

    /// A mixed value.
    ///
    /// - Parameters:
    ///   - depth: how many collections are around it.
    ///   - links: finds the target of `{"$ref", "$id"}`, given the words of `$id` and of the link.
    func mixed(_ word: Int, depth: Int = 0, links: LinkLookup) throws(Refusal) -> Value {
        switch tape.tag(word) {
        case JSONTape.Tag.null: return .null
        case JSONTape.Tag.true: return .bool(true)
        case JSONTape.Tag.false: return .bool(false)
        case JSONTape.Tag.int: return .int(tape.int(word))
        case JSONTape.Tag.double: return .double(tape.double(word))
        case JSONTape.Tag.string: return .string(String(decoding: try string(word), as: UTF8.self))
        case JSONTape.Tag.array: return try mixedList(word, depth: depth, links: links)
        case JSONTape.Tag.object: return try mixedObject(word, depth: depth, links: links)
        default: throw .mismatch("an integer of 64 bits", at: word)
        }
    }

    private func checkDepth(_ depth: Int, at word: Int) throws(Refusal) {
        guard depth < ValueCoding.depthLimit else {
            throw Refusal(
                code: .tooLarge, clause: "nests deeper than Realm's \(ValueCoding.depthLimit) collections", word: word)
        }
    }

    private func mixedList(_ word: Int, depth: Int, links: LinkLookup) throws(Refusal) -> Value {
        try checkDepth(depth, at: word)
        var elements: [Value] = []
        var element = word + 1
        while element < tape.end(ofContainer: word) - 1 {
            elements.append(try mixed(element, depth: depth + 1, links: links))
            element = tape.next(after: element)
        }
        return .list(elements)
    }

    /// A wrapped scalar, a link, or a dictionary: no key of a dictionary starts with `$`.
    private func mixedObject(_ word: Int, depth: Int, links: LinkLookup) throws(Refusal) -> Value {
        guard tape.end(ofContainer: word) - word > 2, tape.bytes(word + 1).first == UInt8(ascii: "$") else {
            return try mixedDictionary(word, depth: depth, links: links)
        }
        if wrapped(word, "$numberDouble") != nil { return .double(try double(word)) }
        if let inner = wrapped(word, "$float") { return .float(try mixedFloat(inner)) }
        if wrapped(word, "$date") != nil { return .date(try date(word)) }
        if wrapped(word, "$binary") != nil { return .data(try data(word)) }
        if wrapped(word, "$numberDecimal") != nil { return .decimal128(try decimal128(word)) }
        if wrapped(word, "$oid") != nil { return .objectId(try objectId(word)) }
        if wrapped(word, "$uuid") != nil { return .uuid(try uuid(word)) }
        if let (name, id) = reference(word) {
            return .typedLink(className: name, try links(name, id, word))
        }
        throw .mismatch("a mixed value in one of the forms of Realm JSON", at: word)
    }

    private func mixedFloat(_ word: Int) throws(Refusal) -> Float {
        guard tape.tag(word) == JSONTape.Tag.string else { return try float(word) }
        if tape.string(word, is: "NaN") { return .nan }
        if tape.string(word, is: "Infinity") { return .infinity }
        if tape.string(word, is: "-Infinity") { return -.infinity }
        throw .mismatch("a float", at: word)
    }

    /// The class and the word of the key of `{"$ref": "Dog", "$id": 7}`, its members in either order.
    private func reference(_ word: Int) -> (className: String, id: Int)? {
        var name: String?
        var id: Int?
        var member = word + 1
        while member < tape.end(ofContainer: word) - 1 {
            if name == nil, tape.string(member, is: "$ref"), tape.tag(member + 1) == JSONTape.Tag.string {
                name = tape.string(member + 1)
            } else if id == nil, tape.string(member, is: "$id") {
                id = member + 1
            } else {
                return nil
            }
            member = tape.next(after: member + 1)
        }
        guard let name, let id else { return nil }
        return (name, id)
    }

    private func mixedDictionary(_ word: Int, depth: Int, links: LinkLookup) throws(Refusal) -> Value {
        try checkDepth(depth, at: word)
        var entries: [DictionaryEntry] = []
        for member in try dictionaryMembers(word) {
            entries.append(
                DictionaryEntry(tape.string(member), try mixed(member + 1, depth: depth + 1, links: links)))
        }
        return .dictionary(entries)
    }

    /// The words of a dictionary's keys in bytewise order of these.
    func dictionaryMembers(_ word: Int) throws(Refusal) -> [Int] {
        guard tape.tag(word) == JSONTape.Tag.object else { throw .mismatch("a dictionary", at: word) }
        var members: [Int] = []
        var member = word + 1
        while member < tape.end(ofContainer: word) - 1 {
            let key = tape.bytes(member)
            guard key.first != UInt8(ascii: "$"), !key.contains(UInt8(ascii: ".")) else {
                throw Refusal(
                    code: .typeMismatch, clause: "has a dictionary key that starts with $ or contains a dot",
                    word: member)
            }
            members.append(member)
            member = tape.next(after: member + 1)
        }
        members.sort { Ordering(bytes: tape.bytes($0), tape.bytes($1)) == .ascending }
        for (first, second) in zip(members, members.dropFirst())
        where Ordering(bytes: tape.bytes(first), tape.bytes(second)) == .same {
            throw Refusal(
                code: .duplicateKey, clause: "has a dictionary key twice", word: max(first, second))
        }
        return members
    }
}
