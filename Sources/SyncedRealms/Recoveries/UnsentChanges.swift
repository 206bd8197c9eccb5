import RealmJSON

/// Changes of a client of an old schema, as far as they have to be understood to be kept and shown.
package struct UnsentChanges {
    /// A change of one object.
    package struct Change {
        package let className: String
        package let key: JSONValue
        /// The object as it was sent; null of one that was deleted.
        package let object: JSONValue

        /// Names a change.
        package init(className: String, key: JSONValue, object: JSONValue) {
            (self.className, self.key, self.object) = (className, key, object)
        }
    }

    package let upserts: [Change]
    package let deletes: [Change]

    /// Puts changes together.
    package init(upserts: [Change], deletes: [Change]) { (self.upserts, self.deletes) = (upserts, deletes) }
}
