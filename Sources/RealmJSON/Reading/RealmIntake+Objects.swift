import Columns
import RealmModel

extension RealmIntake {
    /// Takes an object of a class that stands for itself.
    ///
    /// - Parameters:
    ///   - number: the class.
    ///   - word: the object in `tape`.
    ///   - offset: where it stands in the input.
    /// - Throws: `Refusal`, about `currentClass` and `currentProperty`; what the store throws.
    func take(class number: Int, _ word: Int, of tape: JSONTape, offset: Int) throws {
        self.tape = tape
        currentClass = number
        currentProperty = nil
        currentKey = nil
        currentOffset = offset
        if !path.isEmpty { path.removeAll(keepingCapacity: true) }
        slots.removeAll(keepingCapacity: true)
        if !children.isEmpty { children.removeAll(keepingCapacity: true) }
        let intake = classes[number]
        let given = try fillSlots(of: intake, word)
        currentKey = given
        if !intake.embedding.isEmpty { try takeChildren(of: intake, number, from: 0) }
        try appendValues(of: intake, number, from: 0, word: word)
        let key = intake.keys.next(given: given, offset: offset)
        if let property = intake.primaryKey { try register(key, slots[property], number, property, word) }
        try boundKeys()
        try intake.writer.endRow(key: key)
    }

    /// Takes an embedded object and gives its key.
    private func takeEmbedded(class number: Int, _ word: Int) throws -> Int64 {
        let start = slots.count
        let waiting = children.count
        let intake = classes[number]
        currentClass = number
        currentProperty = nil
        _ = try fillSlots(of: intake, word)
        try takeChildren(of: intake, number, from: start)
        try appendValues(of: intake, number, from: start, children: waiting, word: word)
        let key = intake.keys.next(given: nil, offset: currentOffset)
        try intake.writer.endRow(key: key)
        slots.removeLast(slots.count - start)
        children.removeLast(children.count - waiting)
        return key.value
    }

    /// Finds the property of each member and gives the object key, where the object says it.
    private func fillSlots(of intake: ClassIntake, _ word: Int) throws(Refusal) -> Int64? {
        guard tape.tag(word) == JSONTape.Tag.object else { throw .mismatch("a JSON object", at: word) }
        cellCount += intake.properties.count
        guard cellCount <= Self.cells.free + Self.cells.perByte * currentOffset else {
            throw Refusal(
                code: .tooLarge,
                clause: "has properties that so many objects leave out that the realm would have more than "
                    + "\(Self.cells.perByte) values for each byte of the document", word: word)
        }
        let start = slots.count
        slots.append(contentsOf: repeatElement(0, count: intake.properties.count))
        let end = tape.end(ofContainer: word) - 1
        var key: Int64?
        var member = word + 1
        var place = 0
        while member < end {
            let guess = place < intake.guesses.count ? intake.guesses[place] : 0
            if intake.takesKeys, tape.string(member, is: "_key") {
                guard key == nil else { throw repeated(member) }
                key = try objectKey(member + 1)
            } else if let property = intake.names.number(of: tape.bytes(member), guess: guess) {
                guard slots[start + property] == 0 else { throw repeated(member) }
                slots[start + property] = member + 1
                if guess != property, place < intake.guesses.count { intake.guesses[place] = property }
                place += 1
            } else {
                let name = tape.string(member)
                let known = classes[currentClass].schema.properties.map(\.publicName)
                throw Refusal(
                    code: .unknownProperty, clause: "has no property '\(name)'", word: member,
                    hint: NearestName.question(name, among: known))
            }
            member = tape.next(after: member + 1)
        }
        return key
    }

    private func repeated(_ word: Int) -> Refusal {
        Refusal(code: .malformedDocument, clause: "has a member twice", word: word)
    }

    private func objectKey(_ word: Int) throws(Refusal) -> Int64 {
        guard tape.tag(word) == JSONTape.Tag.int, (0...KeyIntake.limit).contains(tape.int(word)) else {
            throw Refusal(code: .typeMismatch, clause: "has a _key that is no object key", word: word)
        }
        return tape.int(word)
    }

    /// Writes the embedded objects in an object before it, so that their keys are known.
    private func takeChildren(of intake: ClassIntake, _ number: Int, from start: Int) throws {
        for index in intake.embedding {
            let word = slots[start + index]
            let property = intake.properties[index]
            guard word != 0, let target = property.target else { continue }
            func takeChild(_ word: Int, element: Int?) throws {
                guard tape.tag(word) != JSONTape.Tag.null else { return }
                guard tape.tag(word) == JSONTape.Tag.object else {
                    throw Refusal.mismatch("an embedded object", at: word)
                }
                path.append(PathStep(property: property.property.publicName, element: element))
                children.append(try takeEmbedded(class: target, word))
                path.removeLast()
                (currentClass, currentProperty) = (number, index)
            }
            (currentClass, currentProperty) = (number, index)
            switch property.property.collection {
            case .none: try takeChild(word, element: nil)
            case .list, .set:
                guard tape.tag(word) == JSONTape.Tag.array else { continue }
                var (element, place) = (word + 1, 0)
                while element < tape.end(ofContainer: word) - 1 {
                    try takeChild(element, element: place)
                    element = tape.next(after: element)
                    place += 1
                }
            case .dictionary:
                for member in try TapeValues(tape: tape).dictionaryMembers(word) {
                    try takeChild(member + 1, element: nil)
                }
            }
        }
    }

    /// Appends one value to each column of the class.
    private func appendValues(
        of intake: ClassIntake, _ number: Int, from start: Int, children waiting: Int = 0, word: Int
    ) throws {
        currentClass = number
        var child = waiting
        for (index, property) in intake.unretainedProperties.enumerated() {
            currentProperty = index
            let slot = slots[start + index]
            try property._withUnsafeGuaranteedRef { property in
                if slot == 0 {
                    try appendMissing(property, word)
                } else if property.isEmbedding {
                    try appendEmbedded(slot, property, &child)
                } else {
                    try append(slot, property)
                }
            }
        }
    }

    /// Remembers a primary key.
    private func register(
        _ key: ObjectKey, _ slot: Int, _ number: Int, _ property: Int, _ object: Int
    ) throws(Refusal) {
        currentProperty = property
        let digest = try registeredDigest(slot, classes[number].properties[property].property)
        guard register(digest, key.value, ofClass: number) else {
            throw Refusal(
                code: .duplicateKey, clause: "has the same value in two objects", word: slot == 0 ? object : slot)
        }
    }

    /// The digest of the primary key that a row was given; nil for null.
    private func registeredDigest(_ slot: Int, _ property: Property) throws(Refusal) -> PrimaryKeyDigest? {
        guard slot == 0 else {
            return tape.tag(slot) == JSONTape.Tag.null ? nil : try primaryKeyDigest(slot, property.type)
        }
        return property.isOptional ? nil : property.defaultValue.flatMap { PrimaryKeyDigest($0) }
    }
}
