import RealmMigration
import RealmModel

/// A class or a property that is to stand in for another one, and the functions that lead there and back.
public struct PartnerDefinition: Hashable, Sendable {
    /// The class.
    public var className: String
    /// The property that the partner stands in for, where the partner is properties of the class itself; nil for a class.
    public var property: String?
    /// The partner: a class of its own, or the class with the properties that come to it.
    public var partner: ObjectSchema
    /// From an object of the class to its partner.
    public var forward: String
    /// From a partner to the object of the class; what it leaves out stays as it is.
    public var backward: String
    /// Seconds without a request of a version that knows the class alone, after which the partner stands alone; nil for by hand.
    public var cutOverAfterSeconds: Double?

    /// Describes a partner.
    public init(
        className: String, property: String? = nil, partner: ObjectSchema, forward: String, backward: String,
        cutOverAfterSeconds: Double? = nil
    ) {
        self.className = className
        self.property = property
        self.partner = partner
        self.forward = forward
        self.backward = backward
        self.cutOverAfterSeconds = cutOverAfterSeconds
    }
}

extension PartnerDefinition {
    /// Whether a declared version knows the class, or the property, and not the partner.
    public func isOld(_ declared: Schema) -> Bool {
        guard let seen = declared[className] else { return false }
        guard let property else { return declared[partner.name] == nil }
        return seen.property(named: property) != nil
            && partner.properties.contains { seen.property(named: $0.name) == nil }
    }
}

/// Why a partner can't be.
public enum PartnerError: Error, Hashable, Sendable {
    /// Its definition does not fit the realm's schema.
    ///
    /// - Parameter pointer: where in the request, as a JSON pointer.
    case unfit(String, pointer: String, className: String, property: String? = nil)
    /// Something else leads to what is to leave the schema: these classes and properties link to it.
    case linked(className: String, from: [PropertyName])
    /// The function changed a primary key whose type stays.
    case changesPrimaryKey(className: String)

    /// A property by its class and name.
    public struct PropertyName: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The property.
        public var property: String
    }
}
