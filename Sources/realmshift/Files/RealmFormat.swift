/// The forms in which a realm comes and goes.
enum RealmFormat: String, CaseIterable {
    case realm
    case json
    case ndjson

    /// The format that a file's extension or, for a standard stream, an option names.
    ///
    /// - Throws: `UsageError` where neither does.
    init(path: String, option: String, value: RealmFormat?) throws(UsageError) {
        if let value {
            self = value
            return
        }
        let ending = path.split(separator: ".").last.map { $0.lowercased() }
        guard path != "-", let format = RealmFormat.allCases.first(where: { $0.rawValue == ending }) else {
            throw UsageError("\(path): say the format with \(option): realm, json or ndjson.")
        }
        self = format
    }
}
