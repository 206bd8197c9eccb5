/// How a value that has no counterpart in JavaScript crosses between the prelude and Swift.
///
/// It is an array whose first element is one of these numbers, which `Prelude` has too. Undefined, null, booleans,
/// numbers, BigInts and strings cross as they are.
enum ScriptValueTag: Int, CaseIterable {
    /// Seconds, nanoseconds.
    case date = 1
    /// A Uint8Array of its own buffer.
    case data
    /// Text.
    case decimal128
    /// Text.
    case objectId
    /// Text.
    case uuid
    /// Side, class index, key.
    case object
    /// The elements.
    case array
    /// Names and values in turn.
    case members
    /// The number: a Double that is whole, which a number of JavaScript would not tell from an Int.
    case double
    /// The number: a Float.
    case float

    /// The numbers of the two sides.
    static let oldSide = 0
    static let newSide = 1
}
