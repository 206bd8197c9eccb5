import RealmModel

/// The top array of a table that was found without one that leads to it.
struct FoundTable {
    private static let sizes = 12...14
    private static let specEntries = 6

    /// Where it is.
    let ref: Int64
    /// The table's place in the list of tables.
    let index: Int
    /// The table's own count of its changes.
    let version: Int64

    /// Recognises the top array of a table of formats since 10; nil for anything else.
    init?(at offset: Int, in image: Image) {
        guard let top = try? image.uncheckedHeader(at: Int64(offset)), Self.sizes.contains(top.count),
            let specRef = try? top.reference(at: 0), let spec = try? image.uncheckedHeader(at: specRef),
            spec.hasRefs, spec.layout == .bits, spec.count == Self.specEntries,
            (try? top.reference(at: 1)) == .some(nil), let root = try? top.reference(at: 2),
            (try? image.uncheckedHeader(at: root)) != nil, let key = try? top.tagged(at: 3) ?? 0, key >= 0,
            let version = try? top.tagged(at: 6) ?? 0
        else { return nil }
        ref = Int64(offset)
        index = Int(key & 0xffff)
        self.version = version
    }
}
