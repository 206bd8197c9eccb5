/// The part of the script's world that is written in JavaScript: the objects, collections and realms that it sees.
///
/// One program of several parts, evaluated before the script. It keeps what it needs of the language in its own
/// constants, so that a script that changes a built-in harms itself alone; what comes out of it is checked in Swift.
enum Prelude {
    /// The program; its value is the object that Swift talks to.
    static let source =
        "(function () {\n\"use strict\";\n"
        + [
            builtins, values, coding, keys, classes, columns, text, shelves, links, lists, objects, collections, sets,
            results,
            realms,
            console, entry,
        ]
        .joined(separator: "\n") + "\n})()"
}
