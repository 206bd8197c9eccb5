import Columns
import ScriptHosts

/// The part of the script's world that is written in JavaScript: the objects, collections and realms that it sees.
///
/// One program of several files, evaluated before the script. It keeps what it needs of the language in its own
/// constants, so that a script that changes a built-in harms itself alone; what comes out of it is checked in Swift.
enum Prelude {
    /// The files of the folder `Prelude` in the order in which they are evaluated, all in one function.
    static let files: [(name: String, text: String)] = [
        ("language", PackageResources.language_js),
        ("origin", PackageResources.origin_js),
        ("values", PackageResources.values_js),
        ("coding", PackageResources.coding_js),
        ("classes", PackageResources.classes_js),
        ("columns", PackageResources.columns_js),
        ("texts", PackageResources.texts_js),
        ("row-groups", PackageResources.row_groups_js),
        ("row-group-cache", PackageResources.row_group_cache_js),
        ("objects", PackageResources.objects_js),
        ("own-properties", PackageResources.own_properties_js),
        ("regular-expressions", PackageResources.regular_expressions_js),
        ("collections", PackageResources.collections_js),
        ("queries", PackageResources.queries_js),
        ("lists", PackageResources.lists_js),
        ("sets", PackageResources.sets_js),
        ("dictionaries", PackageResources.dictionaries_js),
        ("results", PackageResources.results_js),
        ("realms", PackageResources.realms_js),
        ("console", PackageResources.console_js),
        ("functions", PackageResources.functions_js),
        ("swift", PackageResources.swift_js),
        ("entry", PackageResources.entry_js),
    ].map { ($0, String(decoding: $1, as: UTF8.self)) }

    /// The library of lowered Swift, of the files of the folder `Swift`: a program of its own, whose value makes it of what
    /// `swift.js` gives.
    static let swiftLibrary =
        (["(function (realm) {", "\"use strict\";"]
        + [PackageResources.library_js, PackageResources.json_js].map { String(decoding: $0, as: UTF8.self) }
        + ["return Object.freeze($);", "})"])
        .joined(separator: "\n")

    /// The program; its value is the object that Swift talks to.
    static let source =
        (["(function () {", "\"use strict\";", constants] + files.map(\.text) + ["return api;", "})()"])
        .joined(separator: "\n")

    /// The numbers that Swift and JavaScript agree on, as constants of JavaScript.
    static let constants: String = {
        let tags = ScriptValueTag.allCases.map { (constant("\($0)") + "_TAG", $0.rawValue) }
        let slots = CallSlots.Place.allCases.map { ("SLOT_" + constant("\($0)"), $0.rawValue) }
        let others = [
            ("OLD", ScriptValueTag.oldSide), ("NEW", ScriptValueTag.newSide), ("DEPTH_LIMIT", ValueCoding.depthLimit),
            ("NULL_LENGTH", Int(PendingState.nullLength)), ("KEPT_LENGTH", Int(PendingState.keptLength)),
            ("KEPT", Int(PendingState.kept)), ("WRITTEN", Int(PendingState.written)),
            ("NULL_STATE", Int(PendingState.null)), ("TEXT_LIMIT", ScriptReport.lineBytes),
            ("MOST_FRAMES", 50), ("MOST_IN_HAND", 20), ("PATIENCE_MILLISECONDS", ProcessorClock.patienceMilliseconds),
            ("SLOW_MILLISECONDS", ProcessorClock.slowMilliseconds),
        ]
        return (tags + slots + others).map { "const \($0) = \($1);" }.joined(separator: "\n")
    }()

    /// A name as constants are written: `classIndex` as `CLASS_INDEX`.
    private static func constant(_ name: String) -> String {
        name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }
}
