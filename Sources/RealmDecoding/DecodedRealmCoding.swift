import Columns
import RealmFile
import RealmFormats

/// The bytes of what was read of a file on the socket between a host and its parent.
enum DecodedRealmCoding {
    static func encode(_ realm: DecodedRealm) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(optional: realm.report.unsentChangesets.map(Int64.init))
        writer.write(count: realm.report.repairedTexts.count)
        for texts in realm.report.repairedTexts {
            writer.write(string: texts.className)
            writer.write(string: texts.property)
            writer.write(count: texts.count)
        }
        writer.write(byte: realm.report.rescue == nil ? 0 : 1)
        if let rescue = realm.report.rescue { RescueReportCoding.encode(rescue, into: &writer) }
        return writer.bytes + SnapshotCoding.encode(realm.snapshot)
    }

    static func decode(_ bytes: [UInt8]) throws(ColumnError) -> DecodedRealm {
        var reader = ByteReader(bytes)
        var report = ReadingReport(unsentChangesets: try reader.readOptionalInteger().map(Int.init))
        for _ in 0..<(try reader.readCount()) {
            report.repairedTexts.append(
                ReadingReport.RepairedTexts(
                    className: try reader.readString(), property: try reader.readString(), count: try reader.readCount()
                ))
        }
        if try reader.readByte() != 0 { report.rescue = try RescueReportCoding.decode(from: &reader) }
        return DecodedRealm(try SnapshotCoding.decodeSnapshot(Array(bytes[reader.offset...])), report: report)
    }
}
