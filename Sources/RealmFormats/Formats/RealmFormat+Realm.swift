import RealmFile

extension RealmFormat {
    /// A Realm file, encrypted or not; format 24 where it is written.
    public static let realm = RealmFormat(
        "realm", mediaType: "application/x-realm", isEncryptable: true,
        read: { bytes, options, store in
            try PlainRealmFile.withBytes(of: bytes, key: options.key, in: options.plainMemory) {
                try RealmFileReader(bytes: $0).read(into: store, limits: options.rowGroups)
            }
        },
        summarize: { bytes, options in
            var summary = try PlainRealmFile.withBytes(of: bytes, key: options.key, in: options.plainMemory) {
                try RealmFileReader(bytes: $0).summary()
            }
            summary.isEncrypted = EncryptedRealmFile.isPlausible(bytes)
            return summary
        },
        write: { snapshot, store, options in
            var writer = RealmFileWriter(
                snapshot, from: store, scratch: options.scratch, options: .init(encryption: options.encryption))
            return { try writer.next() }
        })
}
