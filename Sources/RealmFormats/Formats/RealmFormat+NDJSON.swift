import RealmJSON

extension RealmFormat {
    /// Realm JSON, a line an object.
    public static let ndjson = RealmFormat(
        "ndjson", mediaType: "application/x-ndjson", holdsUnsynced: true,
        read: { bytes, options, store in
            DecodedRealm(
                try RealmNDJSONReader(
                    MappedSource(bytes), into: store, limits: options.rowGroups, scratch: options.scratch
                ).read())
        },
        write: { snapshot, store, _ in
            var writer = RealmJSONWriter(snapshot, from: store, layout: .lines)
            return { try writer.next() }
        })
}
