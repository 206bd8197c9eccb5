import RealmFile
import RealmModel

extension RealmFormat {
    /// A Realm file, encrypted or not.
    public static let realm = RealmFormat(
        "realm", mediaType: "application/x-realm", isEncryptable: true,
        read: { bytes, options, store in
            try PlainRealmFile.withBytes(of: bytes, key: options.key, in: options.plainMemory) {
                let reader = try RealmFileReader(bytes: $0)
                let snapshot = try reader.read(into: store, limits: options.rowGroups)
                return DecodedRealm(snapshot, report: try reader.report())
            }
        },
        rescue: { bytes, options, store in
            try PlainRealmFile.withSalvagedBytes(of: bytes, key: options.key, in: options.plainMemory) {
                let (snapshot, report) = try RealmFileRescue(bytes: $0, damagedPages: $1)
                    .read(into: store, limits: options.rowGroups)
                return DecodedRealm(snapshot, report: report)
            }
        },
        summarize: { bytes, options in
            var summary = try PlainRealmFile.withBytes(of: bytes, key: options.key, in: options.plainMemory) {
                try RealmFileReader(bytes: $0).summary(measuresSpace: options.measuresSpace)
            }
            summary.isEncrypted = EncryptedRealmFile.isPlausible(bytes)
            return summary
        },
        write: { snapshot, store, options in
            var writer = RealmFileWriter(
                snapshot, from: store, scratch: options.scratch,
                options: .init(encryption: options.encryption, format: options.fileFormat))
            return { try writer.next() }
        },
        copy: { bytes, options, endsPage, seed, change, send in
            try PlainRealmFile.withBytes(of: bytes, key: options.key, in: options.plainMemory) {
                let copy = try RealmFileCopy(bytes: $0)
                guard let result = try change(copy.outline) else {
                    throw InputError(.unsupportedFormat, "The migration needs the values of the file.")
                }
                try copy.write(result, endsPage: endsPage, seed: seed, scratch: options.scratch, to: send)
            }
        })
}
