import Columns
import RealmModel

/// One document of changes on its way from its tape to a batch.
struct ChangeBatchIntake {
    let tape: JSONTape
    let classes: [ChangedClass]
    let limit: Int
    /// The schema version that shows the classes so; nil where they are the realm's own.
    var version: UInt64?
    var batch = ChangeBatch()
    /// Where in the document the intake is, for errors.
    var path: [Step] = []
    private var lastClass = 0

    /// A step of the way to a value.
    enum Step {
        case member(String)
        case element(Int)
        /// A property of a class, by their indexes.
        case property(Int, of: Int)
    }

    init(_ tape: JSONTape, _ classes: [ChangedClass], limit: Int) {
        self.tape = tape
        self.classes = classes
        self.limit = limit
    }

    /// The schema's name in errors.
    var schemaName: String { version.map { "schema version \($0)" } ?? "the schema" }

    // MARK: The document

    private static let documentMembers: [StaticString] = ["upserts", "deletes", "base"]
    private static let upsertMembers: [StaticString] = ["class", "object"]
    private static let deleteMembers: [StaticString] = ["class", "key"]

    mutating func readDocument() throws(Refusal) {
        let members = try members(JSONTape.root, Self.documentMembers, "The body")
        if let word = members[2], tape.tag(word) != JSONTape.Tag.null {
            path = [.member("base")]
            guard tape.tag(word) == JSONTape.Tag.string else { throw .malformed("has to be a string", at: word) }
            batch.base = tape.string(word)
        }
        try requireFewEnough(members[0], members[1])
        try forEach(of: members[0], "upserts") { intake, word throws(Refusal) in try intake.readUpsert(word) }
        try forEach(of: members[1], "deletes") { intake, word throws(Refusal) in try intake.readDelete(word) }
    }

    private mutating func requireFewEnough(_ upserts: Int?, _ deletes: Int?) throws(Refusal) {
        var count = 0
        for (list, name) in [(upserts, "upserts"), (deletes, "deletes")] {
            guard let list, tape.tag(list) == JSONTape.Tag.array else { continue }
            let end = tape.end(ofContainer: list) - 1
            var (word, index) = (list + 1, 0)
            while word < end {
                guard count < limit else {
                    path = [.member(name), .element(index)]
                    throw Refusal(
                        code: .tooLarge, clause: "is more than the \(limit) operations of a batch", word: word)
                }
                word = tape.next(after: word)
                (index, count) = (index + 1, count + 1)
            }
        }
    }

    private mutating func forEach(
        of list: Int?, _ name: String, _ body: (inout ChangeBatchIntake, Int) throws(Refusal) -> Void
    ) throws(Refusal) {
        guard let list, tape.tag(list) != JSONTape.Tag.null else { return }
        path = [.member(name)]
        guard tape.tag(list) == JSONTape.Tag.array else { throw .malformed("has to be an array", at: list) }
        let end = tape.end(ofContainer: list) - 1
        var (word, index) = (list + 1, 0)
        while word < end {
            path.removeSubrange(1...)
            path.append(.element(index))
            try body(&self, word)
            word = tape.next(after: word)
            index += 1
        }
    }

    private mutating func readUpsert(_ word: Int) throws(Refusal) {
        let members = try members(word, Self.upsertMembers, "An upsert")
        let number = try readClass(members[0], in: word)
        guard let object = members[1] else { throw .malformed("has no object", at: word) }
        path.append(.member("object"))
        var primaryKey: Value?
        let given = try readObject(object, classIndex: number) { primaryKey = $0 }
        guard let primaryKey else {
            let property = classes[number].primaryKey ?? 0
            path.append(.property(property, of: number))
            throw Refusal(code: .missingValue, clause: "is missing: it says which object is meant", word: object)
        }
        batch.upserts.append(ChangeBatch.Upsert(classIndex: number, primaryKey: primaryKey, members: given))
    }

    private mutating func readDelete(_ word: Int) throws(Refusal) {
        let members = try members(word, Self.deleteMembers, "A delete")
        let number = try readClass(members[0], in: word)
        guard let key = members[1] else { throw .malformed("has no key", at: word) }
        path.append(.member("key"))
        guard let property = classes[number].primaryKey else { return }
        let primaryKey = try readPrimaryKey(key, classes[number].schema.properties[property])
        batch.deletes.append(ChangeBatch.Delete(classIndex: number, primaryKey: primaryKey))
    }

    /// The words of some members of an object that may have no other.
    private mutating func members(_ word: Int, _ names: [StaticString], _ what: String) throws(Refusal) -> [Int?] {
        guard tape.tag(word) == JSONTape.Tag.object else { throw .malformed("has to be an object", at: word) }
        var found: [Int?] = names.map { _ in nil }
        var member = word + 1
        while member < tape.end(ofContainer: word) - 1 {
            guard let index = names.firstIndex(where: { tape.string(member, is: $0) }) else {
                path.append(.member(tape.string(member).bounded(toBytes: 1024)))
                let known = names.map(\.description).joined(separator: ", ")
                throw Refusal(
                    code: .unknownMember, clause: "is no member here: \(what) has \(known)", word: member)
            }
            guard found[index] == nil else { throw .twice(at: member) }
            found[index] = member + 1
            member = tape.next(after: member + 1)
        }
        return found
    }

    private mutating func readClass(_ word: Int?, in operation: Int) throws(Refusal) -> Int {
        guard let word else { throw .malformed("has no class", at: operation) }
        path.append(.member("class"))
        guard tape.tag(word) == JSONTape.Tag.string else { throw .malformed("has to be a string", at: word) }
        let name = tape.bytes(word)
        // Mostly the class of the operation before.
        if !classes.indices.contains(lastClass) || !classes[lastClass].name.elementsEqual(name) {
            guard let found = classes.firstIndex(where: { $0.name.elementsEqual(name) }) else {
                throw Refusal(code: .unknownClass, clause: "is no class of \(schemaName)", word: word)
            }
            lastClass = found
        }
        let found = classes[lastClass]
        guard !found.schema.isEmbedded, found.primaryKey != nil else {
            throw .malformed(
                found.schema.isEmbedded
                    ? "is an embedded class, whose objects change with what owns them"
                    : "is a class without a primary key, whose objects can't be named", at: word)
        }
        path.removeLast()
        return lastClass
    }

    // MARK: Errors

    /// The item about a refusal, with its place.
    func item(_ refusal: Refusal, at place: TextPlace) -> ProblemItem {
        var pointer = JSONPointer()
        var named: (className: String, property: String)?
        for step in path {
            switch step {
            case .member(let name): pointer = pointer.member(name)
            case .element(let index): pointer = pointer.element(index)
            case .property(let index, let number):
                let schema = classes[number].schema
                named = (schema.name, schema.properties[index].publicName)
                pointer = pointer.member(schema.properties[index].publicName)
            }
        }
        let subject = named.map { "\($0.className).\($0.property)" } ?? "“\(pointer)”"
        let sentence = refusal.code == .unknownProperty ? refusal.clause : "\(subject) \(refusal.clause)"
        return place.item(
            "\(sentence), at \(place).", pointer: pointer.description, className: named?.className,
            property: named?.property)
    }
}

extension Refusal {
    static func malformed(_ clause: String, at word: Int) -> Refusal {
        Refusal(code: .malformedDocument, clause: clause, word: word)
    }

    static func twice(at word: Int) -> Refusal {
        Refusal(code: .malformedJSON, clause: "has a member that stands twice", word: word)
    }
}
