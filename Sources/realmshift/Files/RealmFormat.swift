/// The forms in which a realm comes and goes.
enum RealmFormat: String, CaseIterable {
    case realm
    case json
    case ndjson

    /// The format that a file's extension or, for a standard stream, an option names.
    ///
    /// - Throws: `UsageError` where neither does.
    init(_ path: String, option: String, _ arguments: Arguments, of command: Command) throws(UsageError) {
        if let value = try arguments.choice(option, of: RealmFormat.allCases, command) {
            self = value
            return
        }
        let name = path.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").dropFirst(name.hasPrefix(".") ? 0 : 1).last?.lowercased()
        guard path != "-", let format = RealmFormat.allCases.first(where: { $0.rawValue == ending }) else {
            let what = path == "-" ? "A standard stream has no name that says its format" : "\(path): unknown ending"
            throw UsageError("\(what); give \(option) realm, json or ndjson.", command: command)
        }
        self = format
    }
}
