import RealmModel

extension ObjectSchema {
    /// The class with the names that Realm JSON has room for beside the object key.
    ///
    /// A Realm file may have a property `_key` in a class whose objects have their key by that name: the property goes by the
    /// first of `_key_2`, `_key_3` … that is free.
    public var besideObjectKey: ObjectSchema {
        guard primaryKey == nil, !isEmbedded, let index = index(ofPublicName: "_key") else { return self }
        var number = 2
        while self.index(ofPublicName: "_key_\(number)") != nil || self.index(ofProperty: "_key_\(number)") != nil {
            number += 1
        }
        var named = self
        named.properties[index].alias = "_key_\(number)"
        return named
    }
}
