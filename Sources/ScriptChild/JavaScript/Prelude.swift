import CEmbeddedFiles
import Columns
import ScriptWire

/// The part of the script's world that is written in JavaScript: the objects, collections and realms that it sees.
///
/// One program of several files, evaluated before the script, but for parts that few scripts need. It keeps what it needs of the
/// language in its own constants, so that a script that changes a built-in harms itself alone; what comes out of it is checked in
/// Swift.
enum Prelude {
    typealias File = (name: String, text: String)

    /// Some files that are evaluated when what they give is first asked for, if ever (`parts.js`).
    struct Part {
        let name: String
        let files: [File]
        /// The names that the rest sees of it.
        let gives: [String]

        /// The function that makes it, and the one that makes it once.
        fileprivate var source: String {
            let maker = "make" + name.prefix(1).uppercased() + name.dropFirst()
            return
                ([
                    "let \(name)Part = null;", "function \(name)Made() { return \(name)Part ??= \(maker)(); }",
                    "function \(maker)() {",
                ]
                + files.map(\.text) + ["return { \(gives.joined(separator: ", ")) };", "}"])
                .joined(separator: "\n")
        }
    }

    /// The files that a world has once, whatever runs in it.
    static let world = read([
        ("language", language_js),
        ("sharing", sharing_js),
    ])

    /// The core that every script needs: files of the folder `Prelude` in the order in which they are evaluated, all in one
    /// function, which is called for each run.
    static let core = read([
        ("bridge", bridge_js),
        ("parts", parts_js),
        ("independence", independence_js),
        ("origin", origin_js),
        ("classes", classes_js),
        ("columns", columns_js),
        ("texts", texts_js),
        ("row-groups", row_groups_js),
        ("row-group-cache", row_group_cache_js),
        ("objects", objects_js),
        ("own-properties", own_properties_js),
        ("realms", realms_js),
        ("swift", swift_js),
        ("entry", entry_js),
    ])

    /// The other files of the folder, each part in a function inside of the core's.
    static let parts = [
        Part(name: "hardening", files: read([("hardening", hardening_js)]), gives: []),
        Part(name: "time", files: read([("time", time_js)]), gives: ["tellTime"]),
        Part(
            name: "values",
            files: read([("values", values_js), ("coding", coding_js)]),
            gives: [
                "Decimal128", "ObjectId", "UUID", "TypedNumber", "RealmDate", "makeDate", "encodeDate", "getTime",
                "base64",
                "addValues", "fixedCells",
                "encodeObject", "encodeElements", "encodeMap", "decodeTagged", "decodeElements", "anew", "same",
                "mapForEach", "setForEach",
            ]),
        Part(
            name: "collections",
            files: read([
                ("collections", collections_js),
                ("queries", queries_js),
                ("lists", lists_js),
                ("sets", sets_js),
                ("dictionaries", dictionaries_js),
                ("results", results_js),
            ]), gives: ["makeList", "makeSet", "makeDictionary", "makeResults"]),
        Part(
            name: "expressions", files: read([("regular-expressions", regular_expressions_js)]),
            gives: ["watchExpressions", "watchExec"]),
        Part(name: "console", files: read([("console", console_js)]), gives: []),
        Part(name: "upserts", files: read([("upserts", upserts_js)]), gives: ["upsertObject"]),
        Part(name: "calling", files: read([("functions", functions_js)]), gives: ["callEach"]),
    ]

    private static func read(_ files: [(String, EmbeddedFile)]) -> [File] {
        files.map { ($0, text($1)) }
    }

    private static func text(_ file: EmbeddedFile) -> String {
        String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }

    /// The library of lowered Swift, of the files of the folder `Swift`: a program of its own, whose value makes it of what
    /// `swift.js` gives.
    static let swiftLibrary =
        (["(function (realm) {", "\"use strict\";"]
        + [
            library_js, floating_js, decimals_js, characters_js, search_js, expressions_js, format_js, dates_js,
            calendars_js, url_js, json_js,
        ].map(text)
        + ["return Object.freeze($);", "})"])
        .joined(separator: "\n")

    /// The program; its value has the function `make`, which makes the object that Swift talks to of how many columns stand before the
    /// script's text in its first line, and the functions of `sharing.js`.
    static let source =
        (["(function () {", "\"use strict\";", constants] + world.map(\.text) + ["function make(textColumn) {"]
        + parts.map(\.source) + core.map(\.text) + ["return api;", "}", "return { make, admits, watch };", "})()"])
        .joined(separator: "\n")

    /// The numbers and names that Swift and JavaScript agree on, as constants of JavaScript.
    static let constants: String = {
        let tags = ScriptValueTag.allCases.map { (constant("\($0)") + "_TAG", $0.rawValue) }
        let slots = CallSlots.Place.allCases.map { ("SLOT_" + constant("\($0)"), $0.rawValue) }
        let kinds = MixedKind.allCases.map { ("MIXED_" + constant("\($0)"), Int($0.rawValue)) }
        let others = [
            ("OLD", ScriptValueTag.oldSide), ("NEW", ScriptValueTag.newSide), ("DEPTH_LIMIT", ValueCoding.depthLimit),
            ("NULL_LENGTH", Int(PendingState.nullLength)), ("KEPT_LENGTH", Int(PendingState.keptLength)),
            ("KEPT", Int(PendingState.kept)), ("WRITTEN", Int(PendingState.written)),
            ("NULL_STATE", Int(PendingState.null)), ("TEXT_LIMIT", ScriptReport.lineBytes),
            ("MOST_FRAMES", 50), ("MOST_IN_HAND", 20), ("PATIENCE_MILLISECONDS", ProcessorClock.patienceMilliseconds),
            ("SLOW_MILLISECONDS", ProcessorClock.slowMilliseconds),
        ]
        let numbers = (tags + slots + kinds + others).map { "const \($0) = \($1);" }
        return (numbers + ["const SHARED_SCRIPT = \"\(SharedScript.name)\";"]).joined(separator: "\n")
    }()

    /// A name as constants are written: `classIndex` as `CLASS_INDEX`.
    private static func constant(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }
}
