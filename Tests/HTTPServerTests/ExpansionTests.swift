import Testing

@testable import HTTPServer

@Suite struct ExpansionTests {
    private static func sink(_ coding: Coding, limit: Int) throws -> BodySink {
        try BodySink(.spooled(limit: limit, in: SpoolDirectory("/tmp")), fields: ["Content-Encoding": coding.name])
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `a bomb is noticed long before the limit of the body`(coding: Coding) throws {
        // A part of it unpacks to more than its share.
        let bomb = coding.encode([UInt8](repeating: 0, count: BodySink.unmeasuredBytes + (8 << 20)))
        var sink = try Self.sink(coding, limit: 8 << 30)
        #expect(throws: HTTPError.contentExpands(times: BodySink.expansionLimit)) {
            try bomb.withUnsafeBytes { try sink.receive($0) }
        }
    }

    @Test(arguments: [Coding.gzip, .zstd])
    func `what is small, and what grows like data, is taken`(coding: Coding) throws {
        let small = coding.encode([UInt8](repeating: 0, count: BodySink.unmeasuredBytes))
        var first = try Self.sink(coding, limit: 8 << 30)
        try small.withUnsafeBytes { try first.receive($0) }
        _ = try first.finish()
        // A hundredth of it can't be guessed.
        let random = (0..<(BodySink.unmeasuredBytes / 100)).map { _ in UInt8.random(in: 0...255) }
        let large = coding.encode(random + [UInt8](repeating: 0, count: BodySink.unmeasuredBytes))
        var second = try Self.sink(coding, limit: 8 << 30)
        try large.withUnsafeBytes { try second.receive($0) }
        _ = try second.finish()
    }
}
