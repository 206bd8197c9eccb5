extension RealmFormat {
    /// All formats: the API, the command line and the decoding child know what stands here, and nothing else.
    public static let all: [RealmFormat] = [
        .realm,
        .json,
        .ndjson,
        .sqlite,
        .sql,
        .csv,
        .parquet,
        .ejson,
    ]

    /// Those that can be read.
    public static let readable = all.filter { $0.read != nil }
    /// Those of which damaged files can be read.
    public static let rescuable = all.filter { $0.rescue != nil }
    /// Those that can be written.
    public static let writable = all.filter { $0.write != nil }
}

extension [RealmFormat] {
    /// The names, as a sentence has them: `realm, json or ndjson`.
    public var alternatives: String {
        let names = map(\.name)
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
