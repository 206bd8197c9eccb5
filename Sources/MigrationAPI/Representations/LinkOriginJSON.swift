import RealmJSON
import RealmQuery

extension LinkSearch.Origin {
    /// The links of one property: the keys of the first objects that link, and these by what people know them by.
    func json(_ cards: [LinkedObjects.Card]) -> JSONValue {
        [
            "class": .string(className), "property": .string(property), "count": .int(Int64(count)),
            "keys": .array(keys.map { .int($0.value) }), "objects": .array(cards.map(\.json)),
        ]
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
