import RealmModel

/// How objects of a class with the same primary key are treated when a migration has changed it; Realm refuses them.
public struct PrimaryKeyPolicy: Hashable, Sendable {
    /// The treatment of objects of one primary key.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// The migration fails, as in Realm.
        case fail
        /// The object of the least key stays.
        case keepFirst
        /// The object of the greatest key stays.
        case keepLast
        /// A function says what the object of the least key is to hold, which stays.
        case merge
    }

    /// The class.
    public var className: String
    /// The treatment.
    public var onDuplicate: Choice
    /// The function, `(a, b) => ({…})`: gets the object that stays and another one, and answers members of the first.
    public var merge: String?

    /// Describes a policy.
    public init(className: String, onDuplicate: Choice, merge: String? = nil) {
        self.className = className
        self.onDuplicate = onDuplicate
        self.merge = merge
    }

    /// Refuses a policy that can't be meant for any object.
    ///
    /// - Parameter target: the schema that the migration leads to.
    func check(in target: Schema) throws(MigrationError) {
        guard let declared = target[className] else {
            let hint = NearestName.question(className, among: target.classes.map(\.name))
            throw .policyOfUnknownClass(className, hint: hint)
        }
        guard declared.primaryKey != nil, !declared.isEmbedded else { throw .policyWithoutPrimaryKey(className) }
    }
}
