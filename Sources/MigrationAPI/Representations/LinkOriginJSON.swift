import RealmJSON
import RealmQuery

extension LinkSearch.Origin {
    /// The links of one property: `{"class", "property", "count", "keys"}`, the keys of the first objects that link.
    var json: JSONValue {
        [
            "class": .string(className), "property": .string(property), "count": .int(Int64(count)),
            "keys": .array(keys.map { .int($0.value) }),
        ]
    }
}
