import RealmModel

/// A property whose values a direct migration carries over a version that had it not.
public struct CarriedProperty: Hashable, Sendable {
    /// The class.
    public var className: String
    /// The stored name of the property.
    public var property: String
    /// The first version between in which the values would have been lost.
    public var removedIn: UInt64

    /// Names a property and a version.
    public init(className: String, property: String, removedIn: UInt64) {
        self.className = className
        self.property = property
        self.removedIn = removedIn
    }

    /// The warning for the log of a job, a sentence or two.
    public var warning: String {
        "\(className).\(property) is not the same property throughout: version \(removedIn) removed or changed it. A "
            + "direct migration carries its old values, as Realm does; a chain of migrations does not. Set it in the "
            + "script where that is not meant."
    }
}

/// Finds the properties that a realm which skips versions keeps the old values of.
///
/// Realm compares the stored schema with the target's and nothing between: a property that one version deleted and a
/// later one added again looks as if it had always been there.
public enum CarriedProperties {
    /// The properties, in the order of the target's classes and properties.
    ///
    /// Removing a class loses nothing in Realm, so that a version without the class is none that removed its
    /// properties.
    ///
    /// - Parameters:
    ///   - source: the stored schema of the realm.
    ///   - between: the versions that the migration skips, ascending.
    ///   - target: the schema that it leads to.
    ///   - nullability: what becomes of values when an optional property is made required.
    public static func find(
        source: Schema, between: [(version: UInt64, schema: Schema)], target: Schema,
        nullability: DeclaredMigration.Nullability = .reset
    ) -> [CarriedProperty] {
        target.classes.flatMap { wanted in
            wanted.persistedProperties.compactMap { property -> CarriedProperty? in
                guard let old = source[wanted.name]?.persistedProperty(named: property.name),
                    old.carriesValues(to: property, nullability)
                else { return nil }
                var current = old
                for (version, schema) in between {
                    guard let declared = schema[wanted.name] else { continue }
                    guard let next = declared.persistedProperty(named: property.name),
                        current.carriesValues(to: next, nullability)
                    else { return CarriedProperty(className: wanted.name, property: property.name, removedIn: version) }
                    current = next
                }
                return nil
            }
        }
    }
}

extension Property {
    /// Whether a migration to another declaration of the property keeps its values.
    fileprivate func carriesValues(to next: Property, _ nullability: DeclaredMigration.Nullability) -> Bool {
        hasSameType(as: next) && (nullability == .keep || !isOptional || next.isOptional)
    }
}
