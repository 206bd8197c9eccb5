/// How large a query may be; Realm has no such limits, and a query of a program is far below them.
public enum QueryLimits {
    /// Bytes of UTF-8.
    public static let bytes = 65_536
    /// Parentheses, negations, subqueries and operations inside one another.
    public static let depth = 100
    /// The links and indexes of one path.
    public static let pathLength = 64
    /// The objects, or values of collections, that a path leads to from one object.
    public static let reach = 1 << 20
}
