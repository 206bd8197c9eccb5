import Columns
import RealmModel

extension ChangeBatchIntake {
    private var values: TapeValues { TapeValues(tape: tape) }

    /// The members of an object.
    ///
    /// - Parameter primaryKey: takes the primary key, where it is given.
    mutating func readObject(
        _ word: Int, classIndex: Int, primaryKey: (Value) -> Void = { _ in }
    ) throws(Refusal) -> [ChangeBatch.Member] {
        guard tape.tag(word) == JSONTape.Tag.object else { throw .mismatch("an object", at: word) }
        let changed = classes[classIndex]
        var given: [ChangeBatch.Member] = []
        given.reserveCapacity(changed.schema.properties.count)
        var seen: UInt64 = 0
        var seenBeyond: Set<Int> = []
        var (member, guess) = (word + 1, 0)
        while member < tape.end(ofContainer: word) - 1 {
            guard let index = changed.names.number(of: tape.bytes(member), guess: guess) else {
                path.append(.member(tape.string(member).bounded(toBytes: 1024)))
                let name = tape.string(member).bounded(toBytes: 1024)
                let nearest = NearestName.find(name, among: changed.schema.properties.map(\.publicName))
                let owner = changed.schema.name + (version.map { " of schema version \($0)" } ?? "")
                throw Refusal(
                    code: .unknownProperty,
                    clause: "The class \(owner) has no property “\(name)”"
                        + (nearest.map { ": “\($0)” is the nearest" } ?? ""), word: member)
            }
            let isNew = index < 64 ? seen & (1 << UInt64(index)) == 0 : seenBeyond.insert(index).inserted
            guard isNew else { throw .twice(at: member) }
            if index < 64 { seen |= 1 << UInt64(index) }
            path.append(.property(index, of: classIndex))
            if let key = changed.primaryKey, key == index {
                primaryKey(try readPrimaryKey(member + 1, changed.schema.properties[index]))
            } else {
                given.append(
                    ChangeBatch.Member(property: index, value: try readValue(member + 1, index, of: classIndex)))
            }
            path.removeLast()
            guess = index + 1
            member = tape.next(after: member + 1)
        }
        return given
    }

    /// A primary key, which is null only where it may be.
    func readPrimaryKey(_ word: Int, _ property: Property) throws(Refusal) -> Value {
        guard tape.tag(word) != JSONTape.Tag.null else {
            guard property.isOptional else { throw .null(at: word) }
            return .null
        }
        return try values.scalar(word, property.type)
    }

    private mutating func readValue(
        _ word: Int, _ index: Int, of classIndex: Int
    ) throws(Refusal) -> ChangeBatch.Given {
        let property = classes[classIndex].schema.properties[index]
        guard !property.isComputed else { throw .mismatch("left out: it is computed", at: word) }
        if let target = classes[classIndex].targets[index], classes[target].schema.isEmbedded {
            return try readEmbedded(word, property, target)
        }
        let referencesBefore = batch.references.count
        let value = try read(word, property, index, classIndex)
        return batch.references.count > referencesBefore ? .links(value) : .value(value)
    }

    private mutating func read(
        _ word: Int, _ property: Property, _ index: Int, _ classIndex: Int
    ) throws(Refusal) -> Value {
        switch property.collection {
        case .none: return try readElement(word, property, index, classIndex)
        case .list, .set:
            guard tape.tag(word) == JSONTape.Tag.array else {
                throw .mismatch(property.collection == .set ? "a set" : "a list", at: word)
            }
            var elements: [Value] = []
            var element = word + 1
            while element < tape.end(ofContainer: word) - 1 {
                elements.append(try readElement(element, property, index, classIndex))
                element = tape.next(after: element)
            }
            return .list(property.collection == .set ? ValueOrder.sortedUnique(elements) : elements)
        case .dictionary:
            var entries: [DictionaryEntry] = []
            for member in try values.dictionaryMembers(word) {
                let value = try readElement(member + 1, property, index, classIndex)
                entries.append(DictionaryEntry(tape.string(member), value))
            }
            return .dictionary(entries)
        }
    }

    private mutating func readElement(
        _ word: Int, _ property: Property, _ index: Int, _ classIndex: Int
    ) throws(Refusal) -> Value {
        if tape.tag(word) == JSONTape.Tag.null {
            let isSingleLink = property.type == .object && property.collection == .none
            guard property.isOptional || property.type == .mixed || isSingleLink else { throw .null(at: word) }
            return .null
        }
        switch property.type {
        case .object:
            guard let target = classes[classIndex].targets[index] else {
                throw .mismatch("a link to a class of the schema", at: word)
            }
            return .link(try reference(word, target))
        case .mixed:
            var references: [(target: Int, id: Int)] = []
            let first = batch.references.count
            let classes = classes
            let value = try values.mixed(word) { name, id, link throws(Refusal) in
                guard let target = classes.firstIndex(where: { $0.schema.name.hasSameBytes(as: name) }),
                    !classes[target].schema.isEmbedded
                else { throw Refusal(code: .brokenLink, clause: "links to no class of the schema", word: link) }
                references.append((target, id))
                return ObjectKey(Int64(first + references.count - 1))
            }
            for (target, id) in references { _ = try reference(id, target) }
            return value
        default: return try values.scalar(word, property.type)
        }
    }

    /// The number of what a link leads to.
    private mutating func reference(_ word: Int, _ target: Int) throws(Refusal) -> ObjectKey {
        let named = classes[target]
        let explicit = values.wrapped(word, "$key")
        let way: ChangeBatch.Reference.Target
        if let key = named.primaryKey {
            // An object key is said only where the primary key is null, which one object can be.
            way = .primaryKey(explicit != nil ? .null : try values.scalar(word, named.schema.properties[key].type))
        } else {
            let key = explicit ?? word
            guard tape.tag(key) == JSONTape.Tag.int, tape.int(key) >= 0 else {
                throw .mismatch("an object key", at: word)
            }
            way = .key(ObjectKey(tape.int(key)))
        }
        batch.references.append(
            ChangeBatch.Reference(classIndex: target, target: way, upsert: batch.upserts.count))
        return ObjectKey(Int64(batch.references.count - 1))
    }

    private mutating func readEmbedded(
        _ word: Int, _ property: Property, _ target: Int
    ) throws(Refusal) -> ChangeBatch.Given {
        switch property.collection {
        case .none:
            guard tape.tag(word) != JSONTape.Tag.null else { return .value(.null) }
            return .object(try readObject(word, classIndex: target))
        case .list, .set:
            guard tape.tag(word) == JSONTape.Tag.array else { throw .mismatch("a list", at: word) }
            var objects: [[ChangeBatch.Member]] = []
            var element = word + 1
            while element < tape.end(ofContainer: word) - 1 {
                path.append(.element(objects.count))
                guard tape.tag(element) != JSONTape.Tag.null else { throw .null(at: element) }
                objects.append(try readObject(element, classIndex: target))
                path.removeLast()
                element = tape.next(after: element)
            }
            return .objects(objects)
        case .dictionary:
            var entries: [(key: String, object: [ChangeBatch.Member]?)] = []
            for member in try values.dictionaryMembers(word) {
                path.append(.member(tape.string(member).bounded(toBytes: 1024)))
                let isNull = tape.tag(member + 1) == JSONTape.Tag.null
                entries.append(
                    (tape.string(member), isNull ? nil : try readObject(member + 1, classIndex: target)))
                path.removeLast()
            }
            return .entries(entries)
        }
    }
}

extension Refusal {
    static func null(at word: Int) -> Refusal {
        Refusal(code: .missingValue, clause: "may not be null", word: word)
    }
}
