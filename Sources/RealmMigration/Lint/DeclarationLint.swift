import RealmModel

/// Something in the declaration of a version that Realm permits and that is seldom meant.
public struct DeclarationHint: Hashable, Sendable {
    /// The rule that a hint comes from; the raw value is stable.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The script never looks at the version that a realm comes from, and realms of several come.
        case versionNotAsked
        /// A version between has a property not, or another one of its name: realms that skip that version keep their old values.
        case propertyComesBack
    }

    /// The rule that it comes from.
    public var rule: Rule
    /// The text, a sentence or two.
    public var message: String
    /// The class.
    public var className: String?
    /// The stored name of the property.
    public var property: String?

    /// The hints for the declaration of a version.
    ///
    /// - Parameters:
    ///   - source: the script; nil where there is none.
    ///   - earlier: the versions that are declared before it, ascending.
    ///   - nullability: what becomes of values when an optional property is made required.
    public static func all(
        version: UInt64, schema: Schema, script source: String?, earlier: [(version: UInt64, schema: Schema)],
        nullability: DeclaredMigration.Nullability = .reset
    ) -> [DeclarationHint] {
        var hints: [DeclarationHint] = []
        if let source, earlier.count > 1, !VersionUse(in: source).asksForVersion {
            hints.append(
                DeclarationHint(
                    rule: .versionNotAsked,
                    message:
                        "The script never looks at the old schema version: it does the same to realms of every version "
                        + "below \(version), of which \(earlier.count) are declared."))
        }
        var known: Set<CarriedProperty> = []
        for index in earlier.indices.dropLast() {
            let carried = CarriedProperties.find(
                source: earlier[index].schema, between: Array(earlier[(index + 1)...]), target: schema,
                nullability: nullability)
            for property in carried where known.insert(property).inserted {
                hints.append(
                    DeclarationHint(
                        rule: .propertyComesBack,
                        message:
                            "\(property.className).\(property.property) comes back: version \(property.removedIn) removed or "
                            + "changed it, and a realm that skips that version keeps its old values.",
                        className: property.className, property: property.property))
            }
        }
        return hints
    }
}
