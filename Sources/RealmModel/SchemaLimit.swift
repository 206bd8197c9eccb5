/// How large a schema may be that somebody hands in, so that looking at it is done in a moment.
///
/// A class of a Realm file has at most 65,535 properties, and so may all classes together here. Classes a file may have as
/// many; apps have some dozens, a few have hundreds, and every class costs work that the client waits for.
public enum SchemaLimit {
    /// Classes of a schema.
    public static let classCount = 4096
    /// Properties of all classes of a schema together.
    public static let propertyCount = 65_535

    /// Renames of one migration, of which each may rename what another has renamed.
    public static let renameCount = 512

    /// The limit that a schema of so many classes and properties breaks; nil where it is not too large.
    public static func violation(classCount: Int, propertyCount: Int = 0) -> String? {
        if classCount > Self.classCount {
            return "A schema has at most \(Self.classCount) classes, and this one has \(classCount)."
        }
        guard propertyCount > Self.propertyCount else { return nil }
        return "The classes of a schema have at most \(Self.propertyCount) properties together, and these have more."
    }
}
