import Columns
import RealmFile
import RealmFormats

/// The bytes of what was read of a file on the socket between a host and its parent.
enum DecodedRealmCoding {
    static func encode(_ realm: DecodedRealm) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(optional: realm.report.unsentChangesets.map(Int64.init))
        return writer.bytes + SnapshotCoding.encode(realm.snapshot)
    }

    static func decode(_ bytes: [UInt8]) throws(ColumnError) -> DecodedRealm {
        var reader = ByteReader(bytes)
        let report = ReadingReport(unsentChangesets: try reader.readOptionalInteger().map(Int.init))
        return DecodedRealm(try SnapshotCoding.decodeSnapshot(Array(bytes[reader.offset...])), report: report)
    }
}
