/// Where a request stands in a trace that leads through several services (W3C Trace Context, section 3.2).
public struct TraceParent: Hashable, Sendable {
    /// The field that says it.
    static let field = "traceparent"

    /// The version, the trace, the caller's span and the flags, as the field has them.
    public let text: String
    /// The trace: 32 hexadecimal digits.
    public var traceID: String { String(text.dropFirst(3).prefix(32)) }

    /// Takes what the field says; nil where it is no such text, and the request stands in no trace then.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        // A later version may have more behind.
        guard bytes.count == 55 || bytes.count > 55 && bytes[55] == UInt8(ascii: "-") && !text.hasPrefix("00-"),
            [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }), !text.hasPrefix("ff-"), bytes.count <= 255
        else { return nil }
        for digits in [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]] {
            guard digits.allSatisfy(Self.isDigit) else { return nil }
        }
        guard [bytes[3..<35], bytes[36..<52]].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }) else {
            return nil
        }
        self.text = String(decoding: bytes[..<55], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension HTTPRequestHead {
    /// Where the request stands in a trace; nil where it stands in none.
    public var traceParent: TraceParent? { fields[TraceParent.field].flatMap(TraceParent.init) }
}
