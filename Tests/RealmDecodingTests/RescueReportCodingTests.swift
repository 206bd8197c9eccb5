import Columns
import RealmFile
import Testing

@testable import RealmDecoding

struct RescueReportCodingTests {
    private static var report: RescueReport {
        var keys = KeyRanges()
        for key in [1, 2, 9, Int64.max] { keys.insert(key) }
        var people = RescueReport.Class(name: "Person", expected: 12)
        people.read = 7
        people.lost = [
            .init(reason: .requiredValue, property: "name", count: 3, keys: keys),
            .init(reason: .unreadable, count: 2),
        ]
        people.properties = [.init(name: "age", lostValues: 1, lostElements: 2, brokenLinks: 3, keys: keys)]
        people.properties[0].suspectValues = 4
        people.properties[0].suspectKeys = keys
        people.lostProperties = ["weight"]
        people.suspectObjects = 5
        people.suspectKeys = keys
        people.isDescriptionSuspect = true
        var report = RescueReport(source: .scan, topRef: 4096, snapshotVersion: 17, formatVersion: 24)
        report.newerCommit = .init(topRef: 8192, snapshotVersion: 18, expected: 12, readable: 3)
        report.damagedPages = 2
        report.damagedNodes = 3
        report.isOwnStateLost = true
        report.isSchemaVersionLost = true
        report.isSchemaVersionSuspect = true
        report.lostClasses = ["Dog"]
        report.lostTables = 1
        report.classes = [people, RescueReport.Class(name: "Cat")]
        return report
    }

    @Test func `a report crosses the channel as it is`() throws {
        var writer = ByteWriter()
        RescueReportCoding.encode(Self.report, into: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(try RescueReportCoding.decode(from: &reader) == Self.report)
        #expect(reader.isAtEnd)
    }

    @Test func `a report that is cut is refused`() {
        var writer = ByteWriter()
        RescueReportCoding.encode(Self.report, into: &writer)
        for count in writer.bytes.indices {
            var reader = ByteReader(Array(writer.bytes[..<count]))
            #expect(throws: ColumnError.self) { try RescueReportCoding.decode(from: &reader) }
        }
    }
}
