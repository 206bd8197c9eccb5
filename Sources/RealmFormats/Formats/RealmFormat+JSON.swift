import RealmJSON

extension RealmFormat {
    /// Realm JSON: one document.
    public static let json = RealmFormat(
        "json", mediaType: "application/json", holdsUnsynced: true,
        read: { bytes, options, store in
            DecodedRealm(
                try RealmJSONReader(
                    MappedSource(bytes), into: store, limits: options.rowGroups, scratch: options.scratch
                ).read())
        },
        write: { snapshot, store, _ in
            var writer = RealmJSONWriter(snapshot, from: store, layout: .document)
            return { try writer.next() }
        })
}
