import RealmJSON
import RealmModel
import RealmQuery

extension LinkSearch.Origin {
    /// The links of one property: the keys of the first objects that link, and these by what people know them by.
    ///
    /// - Parameter owners: the objects that these are parts of, where they are embedded.
    func json(owners: [ObjectKey: LinkSearch.Owner], _ linked: LinkedObjects) throws -> JSONValue {
        let objects = try linked.cards(keys, ofClass: className).map { card in
            guard let owner = owners[card.key],
                let known = try linked.cards([owner.key], ofClass: owner.className).first
            else { return card.json }
            return card.json.adding([JSONMember("owner", known.json.adding(owner.members))])
        }
        return [
            "class": .string(className), "property": .string(property), "count": .int(Int64(count)),
            "keys": .array(keys.map { .int($0.value) }), "objects": .array(objects),
        ]
    }
}

extension LinkSearch.Owner {
    /// The members beside those of a card.
    fileprivate var members: [JSONMember] {
        [JSONMember("class", .string(className)), JSONMember("path", .array(path.map { .string($0) }))]
    }
}

extension LinkedObjects.Target {
    /// The objects that one property links to.
    var json: JSONValue {
        [
            "property": .string(property), "class": .string(className), "count": .int(Int64(count)),
            "objects": .array(objects.map(\.json)),
        ]
    }
}

extension LinkedObjects.Card {
    /// The object in short.
    fileprivate var json: JSONValue {
        [
            "key": .int(key.value), "primaryKey": primaryKey.map { JSONValue($0) } ?? .null,
            "caption": caption.map { .string($0) } ?? .null,
        ]
    }
}
