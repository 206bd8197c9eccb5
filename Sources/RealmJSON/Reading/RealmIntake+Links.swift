import Columns
import RealmModel

extension RealmIntake {
    /// The cell of a link: its target's key, or a ticket (negative) where the target has not come yet.
    func link(_ word: Int, _ intake: PropertyIntake) throws(Refusal) -> Int64 {
        guard let target = intake.target else { throw .mismatch("a link to a class of the schema", at: word) }
        return try cell(word, target: target, intake)
    }

    /// A mixed value; links in it to objects that have not come yet hold tickets.
    func mixed(_ word: Int, _ intake: PropertyIntake) throws(Refusal) -> Value {
        try TapeValues(tape: tape).mixed(word) { name, id, link throws(Refusal) in
            guard let target = schema.index(of: name) else {
                throw Refusal(code: .brokenLink, clause: "links to a class that the schema has not", word: link)
            }
            guard !schema.classes[target].isEmbedded else {
                throw Refusal(code: .brokenLink, clause: "links to an embedded class", word: link)
            }
            return ObjectKey(try cell(id, target: target, intake))
        }
    }

    private func cell(_ word: Int, target number: Int, _ intake: PropertyIntake) throws(Refusal) -> Int64 {
        let target = classes[number]
        let explicit = TapeValues(tape: tape).wrapped(word, "$key")
        guard let property = target.primaryKey else {
            let key = explicit ?? word
            guard tape.tag(key) == JSONTape.Tag.int else { throw .mismatch("an object key", at: word) }
            guard tape.int(key) >= 0 else {
                throw Refusal(code: .brokenLink, clause: "links to an object that is not there", word: word)
            }
            if !target.keys.contains(tape.int(key)) { intake.hasForwardLinks = true }
            return tape.int(key)
        }
        // An object key is said only where the primary key is null, which one object can be.
        let digest = explicit != nil ? nil : try primaryKeyDigest(word, target.properties[property].property.type)
        let known = key(of: digest, ofClass: number)
        if known < 0 { intake.hasForwardLinks = true }
        return known
    }

    /// A primary key's digest; not of null.
    func primaryKeyDigest(_ word: Int, _ type: PropertyType) throws(Refusal) -> PrimaryKeyDigest {
        let values = TapeValues(tape: tape)
        return switch type {
        case .int: PrimaryKeyDigest(try values.int(word))
        case .objectId: PrimaryKeyDigest(fixed: try values.objectId(word).bytes)
        case .uuid: PrimaryKeyDigest(fixed: try values.uuid(word).bytes)
        default: PrimaryKeyDigest(text: try values.string(word))
        }
    }
}
