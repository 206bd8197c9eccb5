/// A version of the file format that is written: the current one, or the one before it for the SDKs that never learned it.
///
/// Their common parts are named nowhere; REALM_FORMAT section 24 lists the differences.
public enum WrittenFormat: Int, CaseIterable, Sendable {
    /// Read by Realm Java and by the other SDKs' versions of 2022 to 2024.
    case v23 = 23
    case v24 = 24

    /// The version that Realm's SDKs write today.
    public static let current = v24

    /// The SDKs that open a file of this version, each with its first release that does; later ones upgrade an older file.
    public var readers: [(sdk: String, since: String)] {
        switch self {
        case .v23:
            [
                ("Java", "10.14"), ("Kotlin", "1.6"), ("Swift", "10.35"), ("JS", "11.3"), (".NET", "10.20"),
                ("Dart", "0.9"),
            ]
        case .v24: [("Kotlin", "1.15"), ("Swift", "10.49"), ("JS", "12.7"), (".NET", "12.0"), ("Dart", "2.0")]
        }
    }

    /// The type of a column that is a list of links.
    var linkListCode: Int64 {
        switch self {
        case .v23: StoredColumn.TypeCode.linkList
        case .v24: StoredColumn.TypeCode.link
        }
    }

    /// The version of the layout of an empty local history.
    var historySchema: Int64 {
        switch self {
        case .v23: 0
        case .v24: 1
        }
    }

    /// Whether many links to one object are a tree; otherwise they are one array, however many they are.
    var hasBacklinkTrees: Bool { self == .v24 }

    /// Whether a mixed value may be a list or a dictionary.
    var hasNestedCollections: Bool { self == .v24 }

    /// Whether a list of strings may have a search index.
    var indexesLists: Bool { self == .v24 }

    /// Whether strings and data are in the order of their bytes as numbers without a sign; otherwise bytes from 0x80 on
    /// come before all others.
    var ordersBytesUnsigned: Bool { self == .v24 }
}
