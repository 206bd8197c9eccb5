import CJavaScriptCore

/// Where in its text a script is.
enum ScriptPlace {
    /// Calls that are looked at: the prelude's own are above the script's.
    private static let longestTrace: UInt32 = 32

    /// The innermost line of the script among the calls that it is in, from 1; nil where it is in none.
    static func line(in context: JSContextRef) -> Int? {
        guard let trace = JSContextCreateBacktrace(context, longestTrace) else { return nil }
        let mark = " at \(JavaScriptMigration.scriptName):"
        for frame in JavaScriptString(owning: trace).text.split(separator: "\n") {
            guard
                let place = frame.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
                    .first
            else { continue }
            return Int(place.prefix { $0.isNumber })
        }
        return nil
    }
}
