/// The lengths that Realm permits for names; found not by validation but when a class or property is created.
///
/// The error is `InvalidName`, not `SchemaValidationFailed`.
public enum NameLimit {
    /// Realm's message where a class name is too long for a table; nil where it fits.
    public static func violation(className: String) -> String? {
        // Realm's own table of a class without a name is none to Realm: it would see one class too few.
        if className.isEmpty { return "A class has no name." }
        return className.utf8.count > RealmLimits.classNameBytes ? message("class_" + className) : nil
    }

    /// Realm's message where a stored property name is too long for a column; nil where it fits.
    public static func violation(property: String, of className: String) -> String? {
        // Realm takes a property without a name for the primary key of a class that has none.
        if property.isEmpty { return "A property of the class '\(className)' has no name." }
        return property.utf8.count > RealmLimits.propertyNameBytes ? message(property) : nil
    }

    private static func message(_ name: String) -> String { "Name too long: \(name)" }
}
