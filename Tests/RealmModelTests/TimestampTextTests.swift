import RealmModel
import TestRandomness
import Testing

@Suite struct TimestampTextTests {
    @Test(arguments: [
        (Timestamp(seconds: 0, nanoseconds: 0), "1970-01-01T00:00:00Z"),
        (Timestamp(seconds: 0, nanoseconds: 1), "1970-01-01T00:00:00.000000001Z"),
        (Timestamp(seconds: 0, nanoseconds: -1), "1969-12-31T23:59:59.999999999Z"),
        (Timestamp(seconds: -1, nanoseconds: -500_000_000), "1969-12-31T23:59:58.5Z"),
        (Timestamp(seconds: -86_400, nanoseconds: -999_999_999), "1969-12-30T23:59:59.000000001Z"),
        (Timestamp(seconds: 951_868_799, nanoseconds: 123_456_789), "2000-02-29T23:59:59.123456789Z"),
        (Timestamp(seconds: -62_135_596_800, nanoseconds: 0), "0001-01-01T00:00:00Z"),
        (Timestamp(seconds: -62_167_219_200, nanoseconds: 0), "0000-01-01T00:00:00Z"),
        (Timestamp(seconds: -62_167_219_200, nanoseconds: -750_000_000), "-000001-12-31T23:59:59.25Z"),
        (Timestamp(seconds: 253_402_300_799, nanoseconds: 999_000_000), "9999-12-31T23:59:59.999Z"),
        (Timestamp(seconds: 253_402_300_800, nanoseconds: 0), "+010000-01-01T00:00:00Z"),
        (Timestamp(seconds: 8_640_000_000_000, nanoseconds: 0), "+275760-09-13T00:00:00Z"),
        (Timestamp(seconds: -8_640_000_000_000, nanoseconds: 0), "-271821-04-20T00:00:00Z"),
        (Timestamp(seconds: .max, nanoseconds: 999_999_999), "+292277026596-12-04T15:30:07.999999999Z"),
        (Timestamp(seconds: .min, nanoseconds: 0), "-292277022657-01-27T08:29:52Z"),
        (Timestamp(seconds: .min, nanoseconds: -999_999_999), "-292277022657-01-27T08:29:51.000000001Z"),
    ])
    func `times are written in the form of RFC 3339`(time: Timestamp, text: String) {
        #expect(time.description == text)
        #expect(Timestamp(text) == time)
    }

    @Test func `any time is read back from its text`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            let seconds = Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...60, using: &generator)
            let nanoseconds = Int32.random(in: 0...999_999_999, using: &generator)
            let time = Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds)
            #expect(Timestamp(time.description) == time)
        }
    }

    @Test func `parts that no time has are written all the same`() {
        #expect(Timestamp(seconds: 0, nanoseconds: .max).description == "1970-01-01T00:00:02.147483647Z")
        #expect(Timestamp(seconds: 0, nanoseconds: .min).description == "1969-12-31T23:59:57.852516352Z")
        #expect(Timestamp(seconds: 1, nanoseconds: -1).description == "1970-01-01T00:00:00.999999999Z")
    }

    @Test func `every day of four centuries follows the one before`() throws {
        let first = try #require(Timestamp("1800-01-01T00:00:00Z"))
        var last = ""
        for day in 0..<146_097 {
            let text = Timestamp(seconds: first.seconds + Int64(day) * 86_400, nanoseconds: 0).description
            #expect(last < text)
            last = text
        }
        #expect(last == "2199-12-31T00:00:00Z")
    }

    @Test(arguments: [
        ("2020-01-31T10:00:00+02:00", "2020-01-31T08:00:00Z"), ("2020-01-01T00:30:00+01:00", "2019-12-31T23:30:00Z"),
        ("2020-01-31T10:00:00.500-00:30", "2020-01-31T10:30:00.5Z"), ("2020-01-31t10:00:00z", "2020-01-31T10:00:00Z"),
        ("+002020-01-31T10:00:00Z", "2020-01-31T10:00:00Z"), ("1970-01-01T01:00:00.5+02:00", "1969-12-31T23:00:00.5Z"),
    ])
    func `other forms are read`(text: String, canonical: String) throws {
        #expect(try #require(Timestamp(text)).description == canonical)
    }

    @Test(arguments: [
        "", "2020", "2020-01-31", "2020-01-31T10:00:00", "2020-01-31 10:00:00Z", "2020-1-31T10:00:00Z",
        "2020-02-30T10:00:00Z", "2021-02-29T10:00:00Z", "1900-02-29T10:00:00Z", "2020-13-01T10:00:00Z",
        "2020-00-01T10:00:00Z", "2020-01-00T10:00:00Z", "2020-01-31T24:00:00Z", "2020-01-31T10:60:00Z",
        "2020-01-31T10:00:60Z", "2020-01-31T10:00:00.Z", "2020-01-31T10:00:00.1234567890Z", "2020-01-31T10:00:00ZZ",
        "2020-01-31T10:00:00+0200", "2020-01-31T10:00:00+24:00", "12020-01-31T10:00:00Z", "+12020-01-31T10:00:00Z",
        "-000000-01-31T10:00:00Z", "+292277026596-12-04T15:30:08Z", "-292277022657-01-27T08:29:51Z",
        "+999999999999-01-01T00:00:00Z", "+9999999999999-01-01T00:00:00Z",
    ])
    func `what is no time is nothing`(text: String) {
        #expect(Timestamp(text) == nil)
    }
}
