/// The names and limits that Realm Core sets (REALM_SEMANTICS, section 1.8).
public enum RealmLimits {
    /// Bytes of a class name: 63 less the file's prefix `class_`.
    public static let classNameBytes = 57
    /// Bytes of a stored property name.
    public static let propertyNameBytes = 63
    /// Bytes of one data value.
    public static let dataBytes = 0xff_fff8 - 8
    /// Bytes of one string: a zero follows it in the file.
    public static let stringBytes = dataBytes - 1
    /// Bytes that two entries of an indexed list of strings may begin alike with, less one.
    public static let listIndexBytes = 200
}
