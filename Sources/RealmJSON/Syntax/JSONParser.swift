import CSimdjson

/// Parses JSON values one after the other, by simdjson, and keeps its buffers from one to the next.
final class JSONParser {
    /// Bytes behind a run that have to be readable, whatever they hold.
    static let padding = csimdjson_padding()

    private let simdjson: OpaquePointer?
    private var words: [UInt64] = []
    private var strings: [UInt8] = []

    /// Makes a parser without buffers; the first value allocates them.
    init() {
        simdjson = csimdjson_create(JSONScanner.depthLimit)
    }

    deinit {
        csimdjson_destroy(simdjson)
    }

    /// Gives the tape of exactly one value to a function; it may not be kept.
    ///
    /// - Parameter bytes: readable for `padding` bytes more than it says.
    func withTape<Result, Failure: Error>(
        of bytes: UnsafeRawBufferPointer, _ body: (JSONTape) throws(Failure) -> Result,
        malformed: (JSONSyntaxError) -> Failure
    ) throws(Failure) -> Result {
        if let tape = fastTape(of: bytes) { return try body(tape) }
        do throws(JSONSyntaxError) {
            try scan(bytes)
        } catch {
            throw malformed(error)
        }
        return try words.withUnsafeBufferPointer { words throws(Failure) in
            try strings.withUnsafeBufferPointer { strings throws(Failure) in
                guard let words = words.baseAddress, let strings = strings.baseAddress else {
                    throw malformed(JSONSyntaxError(reason: "the end is missing", offset: 0))
                }
                return try body(JSONTape(words: words, strings: strings))
            }
        }
    }

    private func fastTape(of bytes: UnsafeRawBufferPointer) -> JSONTape? {
        guard let simdjson, let start = bytes.baseAddress else { return nil }
        var words: UnsafePointer<UInt64>?
        var strings: UnsafePointer<UInt8>?
        let code = csimdjson_parse(
            simdjson, start.assumingMemoryBound(to: UInt8.self), bytes.count, &words, &strings)
        guard code == 0, let words, let strings else { return nil }
        return JSONTape(words: words, strings: strings)
    }

    private func scan(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes)
        try scanner.scan()
        words = scanner.words
        // Never empty, so that it has an address.
        strings = scanner.strings + [0]
    }
}
