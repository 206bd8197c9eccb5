/// The id of a request: the client's, so that one name leads through several services, or a random one.
enum RequestID {
    /// The field that says it, of requests and of answers.
    static let field = "X-Request-Id"

    /// The name that a client gave, where it can stand in any log, or a new one of 16 hexadecimal digits.
    static func choose(_ given: String?) -> String {
        if let given, (1...128).contains(given.utf8.count), given.utf8.allSatisfy(isPlain) { return given }
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
