import RealmModel

/// The value of a property outside any object as JSON, in the forms of objects; links have none but null.
package enum DefaultJSON {
    /// - Parameter subject: what the value is called in errors.
    static func decode(
        _ value: JSONValue, for property: Property, at pointer: JSONPointer, as subject: String = "The default value"
    ) throws(InputError) -> Value {
        let text = value.encoded() + repeatElement(0, count: JSONParser.padding)
        do throws(Refusal) {
            return try text.withUnsafeBufferPointer { text throws(Refusal) in
                let run = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text).dropLast(JSONParser.padding))
                return try JSONParser().withTape(of: run) { tape throws(Refusal) in
                    try TapeValues(tape: tape).value(JSONTape.root, of: property)
                } malformed: { _ in
                    Refusal.mismatch("JSON", at: 0)
                }
            }
        } catch {
            throw .schemaInvalid("\(subject) \(error.clause)", at: pointer)
        }
    }

    /// - Parameter isMixed: Whether the property takes any type: a float says there that it is no double.
    package static func encode(_ value: Value, isMixed: Bool = false) -> JSONValue {
        switch value {
        case .null, .link, .typedLink: .null
        case .list(let elements): .array(elements.map { encode($0, isMixed: isMixed) })
        case .dictionary(let entries):
            .object(entries.map { JSONMember($0.key, encode($0.value, isMixed: isMixed)) })
        case .float(let number) where isMixed: ["$float": parsed { ScalarText.append(mixedFloat: number, to: &$0) }]
        default: parsed { ScalarText.append(value, to: &$0) }
        }
    }

    private static func parsed(_ append: (inout [UInt8]) -> Void) -> JSONValue {
        var text: [UInt8] = []
        append(&text)
        return (try? JSONValue.parse(text)) ?? .null
    }
}

extension TapeValues {
    /// The value of a property outside any object, where links lead nowhere.
    fileprivate func value(_ word: Int, of property: Property) throws(Refusal) -> Value {
        switch property.collection {
        case .none: return try element(word, property)
        case .list, .set:
            guard tape.tag(word) == JSONTape.Tag.array else { throw .mismatch("a list", at: word) }
            var elements: [Value] = []
            var index = word + 1
            while index < tape.end(ofContainer: word) - 1 {
                elements.append(try element(index, property))
                index = tape.next(after: index)
            }
            return .list(property.collection == .set ? ValueOrder.sortedUnique(elements) : elements)
        case .dictionary:
            var entries: [DictionaryEntry] = []
            for member in try dictionaryMembers(word) {
                entries.append(DictionaryEntry(tape.string(member), try element(member + 1, property)))
            }
            return .dictionary(entries)
        }
    }

    private func element(_ word: Int, _ property: Property) throws(Refusal) -> Value {
        if tape.tag(word) == JSONTape.Tag.null { return .null }
        guard property.type != .object else {
            throw Refusal(code: .typeMismatch, clause: "has to be null: links have no other", word: word)
        }
        guard property.type == .mixed else { return try scalar(word, property.type) }
        return try mixed(word) { _, _, link throws(Refusal) in throw .mismatch("no link", at: link) }
    }
}
