/// The kind of an input's bytes, which says what decodes them.
enum InputKind: String, CaseIterable {
    case realm
    /// A .realm file of which what can be read is read.
    case rescue
    case encryptedRealm
    case json
    case ndjson
    /// A segment as it is stored.
    case segment
    /// The bytes that a segment unpacks to; packed again before they are decoded, or else the checks of Zstandard meet all
    /// changes.
    case segmentContent
    case column
    case rowGroups
    case snapshot

    /// How often inputs of a kind are made; .realm files are what strangers give most.
    static let weighted: [InputKind] =
        [InputKind](repeating: .realm, count: 6) + [InputKind](repeating: .rescue, count: 4) + [.json, .json, .ndjson]
        + [.segmentContent, .segmentContent, .segment, .column, .rowGroups, .snapshot, .encryptedRealm]

    /// Whether the bytes are text, which is changed by its tokens too.
    var isText: Bool { self == .json || self == .ndjson }
}
