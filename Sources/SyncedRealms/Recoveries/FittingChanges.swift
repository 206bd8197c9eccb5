import RealmJSON
import RealmMigration
import RealmModel
import RealmSync

/// The part of changes that a schema takes which is not the one that they were made for.
struct FittingChanges {
    private(set) var leftOut: [RecoveryReplay.LeftOut] = []
    /// The changes that fit, by the names of the realm's schema, and the objects as they were sent.
    private var upserts: [Upsert] = []
    private var deletes: [(fitting: JSONValue, sent: UnsentChanges.Change)] = []
    private let sides: RetiredSides
    private let server: Schema
    private let partners: [PartnerPlan]

    private struct Upsert {
        let sent: UnsentChanges.Change
        var members: [JSONMember]
        /// The names of values that are left out because the object's other side says what they are.
        var overruled: Set<NameKey> = []

        var fitting: JSONValue { ["class": .string(sent.className), "object": .object(members)] }
    }

    /// The changes that fit, as a batch.
    var batch: JSONValue { ["upserts": .array(upserts.map(\.fitting)), "deletes": .array(deletes.map(\.fitting))] }

    /// How many changes fit.
    var count: Int { upserts.count + deletes.count }

    /// About how many bytes of work it is to go through them once.
    var byteCount: Int { count * 256 }

    /// - Parameters:
    ///   - sides: what has left the realm's schema and can be written still.
    ///   - server: the realm's schema.
    ///   - partners: those of the realm that are on their way.
    ///   - remade: the sides of which the changes mean something else by now.
    init(
        _ changes: UnsentChanges, from sent: Schema, to sides: RetiredSides, of server: Schema,
        writtenBeside partners: [PartnerPlan], without remade: RemadeSides
    ) {
        (self.sides, self.server, self.partners) = (sides, server, partners)
        func misfit(_ change: UnsentChanges.Change) -> String? {
            guard let target = sides.schema[change.className], let source = sent[change.className], !target.isEmbedded
            else { return Self.noClass }
            guard Self.haveSameKeys(source, target) else { return Self.noKey }
            return remade.has(change.className) ? Self.isRemade : nil
        }
        func misfit(_ value: JSONValue, of property: Property?, _ className: String) -> String? {
            guard let property, let now = sides.schema[className]?.property(named: property.name) else {
                return "The realm's schema has no such property any more."
            }
            guard !remade.has(property.name, of: className) else { return Self.isRemade }
            guard !value.links(toNoClassOf: server) else { return Self.linksToNoClass }
            let isTaken = Self.takes(now, property, value, sent, sides.schema)
            return isTaken ? nil : "The property is another in the realm's schema."
        }
        for upsert in changes.upserts {
            if let reason = misfit(upsert) {
                leave(upsert, nil, reason)
                continue
            }
            var members: [JSONMember] = []
            for member in upsert.object.members ?? [] {
                let source = sent[upsert.className]
                let place = source?.index(ofPublicName: member.name)
                let property = place.flatMap { source?.properties[$0] }
                if let reason = misfit(member.value, of: property, upsert.className) {
                    leave(upsert, member.name, reason)
                } else if let now = property.flatMap({ sides.schema[upsert.className]?.property(named: $0.name) }) {
                    members.append(JSONMember(now.publicName, member.value))
                }
            }
            upserts.append(Upsert(sent: upsert, members: members))
        }
        for delete in changes.deletes {
            if let reason = misfit(delete) {
                leave(delete, nil, reason)
            } else {
                deletes.append((["class": .string(delete.className), "key": delete.key], delete))
            }
        }
    }

    /// Leaves out new objects that have no value of a property that is required now, in none of the upserts that name them or their
    /// other sides.
    ///
    /// - Parameters:
    ///   - writing: knows what functions give for other sides.
    ///   - isThere: whether the realm has an object.
    /// - Returns: whether there was any.
    mutating func leaveOutIncomplete(
        completing writing: RetiredSidesWriting, _ isThere: (String, Value) throws -> Bool
    ) throws -> Bool {
        var given: [NameKey: [Value: Set<NameKey>]] = [:]
        for upsert in upserts {
            guard let declared = sides.schema[upsert.sent.className], let name = try name(upsert.sent) else { continue }
            let overruled = writing.isMade(name.primaryKey, of: upsert.sent.className) ? upsert.overruled : []
            for publicName in upsert.members.map(\.name) + overruled.map(\.name) {
                guard let place = declared.index(ofPublicName: publicName) else { continue }
                let property = NameKey(declared.properties[place].name)
                given[name.className, default: [:]][name.primaryKey, default: []].insert(property)
            }
        }
        var objects = CompletedObjects(given)
        try writing.complete(&objects, through: partners)
        let count = upserts.count
        upserts = try upserts.filter { upsert in
            guard let name = try name(upsert.sent) else { return true }
            let className = upsert.sent.className
            // All that it was to have is told, and no side that is there says what it has instead.
            if !upsert.overruled.isEmpty, upsert.members.count < 2, !writing.isMade(name.primaryKey, of: className),
                try !isThere(className, name.primaryKey)
            {
                return false
            }
            guard
                let missing = sides.missing(
                    in: className, given: objects.given[name.className]?[name.primaryKey] ?? [], server: server,
                    writtenBeside: partners),
                try !isThere(className, name.primaryKey)
            else { return true }
            leave(
                upsert.sent, missing.publicName,
                "The object is new, and has no value of a property that is required now.")
            return false
        }
        return upserts.count < count
    }

    /// Leaves out a value that the schema does not take; without its primary key, the change.
    ///
    /// - Returns: whether the error names any.
    mutating func leaveOut(_ error: InputError) -> Bool {
        guard let item = error.details.first(where: { $0.pointer != nil }), let pointer = item.pointer else {
            return false
        }
        // The place is one in what was read, which is not what was sent.
        let texts = item.message.split(separator: ", at line ")
        let reason = texts.count > 1 ? "\(texts[0])." : item.message
        let parts = pointer.split(separator: "/")
        guard parts.count > 1, let place = Int(parts[1]) else { return false }
        switch parts[0] {
        case "upserts" where upserts.indices.contains(place):
            let upsert = upserts[place]
            let key = sides.schema[upsert.sent.className]?.primaryKeyProperty?.publicName
            let name = parts.count > 3 ? String(parts[3]) : nil
            if let name, name != key, upsert.members.contains(where: { $0.name == name }) {
                leave(upsert.sent, name, reason)
                upserts[place].members.removeAll { $0.name == name }
            } else {
                leave(upsert.sent, nil, reason)
                upserts.remove(at: place)
            }
        case "deletes" where deletes.indices.contains(place):
            leave(deletes[place].sent, nil, reason)
            deletes.remove(at: place)
        default: return false
        }
        return true
    }

    /// Leaves out objects with a link that leads to no object.
    ///
    /// - Parameter broken: by their places in the batch, and the classes of what is not there.
    /// - Returns: whether there was any.
    mutating func leaveOut(_ broken: [Int: String]) -> Bool {
        for (place, target) in broken.sorted(by: { $0.key < $1.key }) {
            leave(upserts[place].sent, nil, "The object links to an object of the class '\(target)' that is not there.")
        }
        upserts = upserts.enumerated().filter { broken[$0.offset] == nil }.map(\.element)
        return !broken.isEmpty
    }

    /// Leaves out changes that partners' functions can't lead over to what stayed, and values that the batch contradicts.
    ///
    /// - Returns: whether there was any.
    /// - Throws: `MigrationError` where one is of no change that came: the batch is not done then.
    mutating func leaveOut(_ refusals: [RetiredSidesWriting.Refusal]) throws -> Bool {
        guard let first = refusals.first else { return false }
        let count = leftOut.count
        try leaveOutValues(refusals)
        let reasons = Dictionary(refusals.filter { $0.property == nil }.map { (name($0), $0.reason) }) { first, _ in
            first
        }
        func reason(_ change: UnsentChanges.Change) throws -> String? { try name(change).flatMap { reasons[$0] } }
        func isLeft(_ change: UnsentChanges.Change) throws -> Bool {
            guard let reason = try reason(change) else { return false }
            leave(change, nil, "The partner's function fails: \(reason)")
            return true
        }
        let failed = try upserts.filter { try isLeft($0.sent) }.compactMap { try name($0.sent) }
        upserts = try upserts.filter { try reason($0.sent) == nil }
        // A delete may be possible without the upsert that was refused.
        deletes = try deletes.filter { try name($0.sent).map(failed.contains) == true || !isLeft($0.sent) }
        guard leftOut.count > count else { throw MigrationError(nil, first.reason, script: .exception) }
        return true
    }

    private mutating func leaveOutValues(_ refusals: [RetiredSidesWriting.Refusal]) throws {
        for refusal in refusals {
            guard let property = refusal.property else { continue }
            for place in upserts.indices where try name(upserts[place].sent) == name(refusal) {
                guard upserts[place].members.contains(where: { $0.name == property }) else { continue }
                leave(upserts[place].sent, property, refusal.reason)
                upserts[place].members.removeAll { $0.name == property }
                if refusal.isOverruled { upserts[place].overruled.insert(NameKey(property)) }
            }
        }
    }

    /// The first of the changes that fit: upserts, then deletes.
    func first(_ count: Int) -> FittingChanges {
        var part = self
        part.upserts = Array(upserts.prefix(count))
        part.deletes = Array(deletes.prefix(count - part.upserts.count))
        return part
    }

    /// Leaves out one of the changes that fit, by its place.
    mutating func leaveOut(_ place: Int, _ reason: String) {
        let isUpsert = place < upserts.count
        leave(isUpsert ? upserts.remove(at: place).sent : deletes.remove(at: place - upserts.count).sent, nil, reason)
    }

    /// Tells of values that are kept with the side that left alone.
    mutating func tell(_ unheard: [RetiredSidesWriting.Refusal]) throws {
        guard !unheard.isEmpty else { return }
        let sent = Dictionary(
            try upserts.compactMap { upsert in try name(upsert.sent).map { ($0, upsert.sent) } }
        ) { _, last in last }
        for value in unheard {
            if let change = sent[name(value)] { leave(change, value.property, value.reason) }
        }
    }

    // MARK: Names

    /// An object by its class and primary key.
    private struct Name: Hashable {
        let className: NameKey
        let primaryKey: Value
    }

    /// The object that a change names; nil where its class has no primary key.
    private func name(_ change: UnsentChanges.Change) throws -> Name? {
        try sides.schema[change.className]?.primaryKeyProperty.map {
            Name(className: NameKey(change.className), primaryKey: try change.key.value(of: $0, at: "/key"))
        }
    }

    private func name(_ refusal: RetiredSidesWriting.Refusal) -> Name {
        Name(className: NameKey(refusal.className), primaryKey: refusal.primaryKey)
    }

    private mutating func leave(_ change: UnsentChanges.Change, _ property: String?, _ reason: String) {
        leftOut.append(
            RecoveryReplay.LeftOut(className: change.className, key: change.key, property: property, reason: reason))
    }

    private static let noClass = "The realm's schema has no such class any more."
    private static let linksToNoClass = "The value links to an object of a class that the realm's schema has no more."
    private static let isRemade =
        "The partner was made again with other functions than those that the change was made under."
    private static let noKey = "The primary key is another in the realm's schema."

    /// Whether objects of a class keep their primary keys with another declaration of it.
    private static func haveSameKeys(_ sent: ObjectSchema, _ now: ObjectSchema) -> Bool {
        guard let before = sent.primaryKeyProperty, let key = now.primaryKeyProperty else { return false }
        return before.name.hasSameBytes(as: key.name) && before.hasSameType(as: key)
            && (key.isOptional || !before.isOptional)
    }

    /// Whether a property takes a value of another declaration of it.
    private static func takes(
        _ now: Property, _ sent: Property, _ value: JSONValue, _ source: Schema, _ target: Schema
    ) -> Bool {
        guard now.hasSameType(as: sent), now.isOptional || !value.isNull,
            !now.isCollection || now.isOptional || !sent.isOptional
        else { return false }
        guard let name = now.objectType, let embedded = target[name], embedded.isEmbedded else { return true }
        guard let before = source[name] else { return false }
        return Self.takes(embedded, before, source, target)
    }

    /// Whether an embedded class takes objects of another declaration of it; it may have more.
    private static func takes(
        _ now: ObjectSchema, _ sent: ObjectSchema, _ source: Schema, _ target: Schema, seen: Set<NameKey> = []
    ) -> Bool {
        var seen = seen
        guard seen.insert(NameKey(sent.name)).inserted else { return true }
        return sent.persistedProperties.allSatisfy { property in
            guard let other = now.property(named: property.name), other.hasSameType(as: property),
                other.isOptional || !property.isOptional
            else { return false }
            guard let name = other.objectType, let embedded = target[name], embedded.isEmbedded else { return true }
            return source[name].map { takes(embedded, $0, source, target, seen: seen) } ?? false
        }
    }
}

extension JSONValue {
    /// Whether a mixed value in it links to an object of a class that a schema has not.
    fileprivate func links(toNoClassOf schema: Schema) -> Bool {
        if let name = self["$ref"]?.string, schema[name] == nil { return true }
        return (elements ?? members?.map(\.value) ?? []).contains { $0.links(toNoClassOf: schema) }
    }
}
