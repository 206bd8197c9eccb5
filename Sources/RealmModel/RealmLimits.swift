/// The names and limits that Realm Core sets (REALM_SEMANTICS, section 1.8).
public enum RealmLimits {
    /// Bytes of a class name: 63 less the file's prefix `class_`.
    public static let classNameBytes = 57
    /// Bytes of a stored property name.
    public static let propertyNameBytes = 63
    /// Bytes of one string or data value.
    public static let valueBytes = 0xff_fff8 - 8
}
