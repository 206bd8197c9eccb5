import RealmModel

/// Which versions of the format are read, REALM_FORMAT section 19.
enum FormatVersion {
    /// The versions that keep objects in clusters.
    static let clusters = 10...24
    /// Since this version dictionaries are two B+trees.
    static let dictionaryTrees = 23
    /// Since this version classes with a primary key number their objects.
    static let sequentialKeys = 22
    /// Since this version sets of strings are in bytewise order.
    static let bytewiseSets = 24

    /// Refuses versions that are not read.
    ///
    /// - Throws: `unsupportedFormat`, naming the version.
    static func check(_ version: Int) throws(InputError) {
        let reason: String
        switch version {
        case 2...11, 20...24: return
        case 0, 1, 12...19: reason = "no released Realm wrote it"
        default: reason = "it was made by a newer Realm"
        }
        throw .unsupported("File format version \(version) is not supported: \(reason).", at: 20)
    }
}
