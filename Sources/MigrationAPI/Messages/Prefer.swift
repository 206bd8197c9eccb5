import HTTPServer

/// The preferences of a client (RFC 7240).
struct Prefer: Hashable, Sendable {
    /// Seconds that the client would wait for an answer; nil where it did not say so.
    let wait: Int?

    /// Reads a field; what is not understood is no preference.
    init(_ field: String?) {
        wait = (field ?? "").split(separator: ",").lazy.compactMap(Self.wait).first
    }

    private static func wait(_ preference: Substring) -> Int? {
        let parts = (preference.split(separator: ";").first ?? "").split(separator: "=", maxSplits: 1)
            .map { $0.filter { $0 != " " && $0 != "\"" } }
        guard parts.count == 2, parts[0].isToken("wait"), let seconds = Int(parts[1]), seconds >= 0 else {
            return nil
        }
        return seconds
    }
}
