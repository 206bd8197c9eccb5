extension String {
    /// The longest text of an error or of a line in a log, in bytes of UTF-8.
    public static let messageBytes = 8 << 10

    /// The text where it is short enough, else its beginning, cut between characters, and "…".
    ///
    /// - Parameter limit: bytes of UTF-8 of the result, at least 3.
    public func bounded(toBytes limit: Int = messageBytes) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit - 3)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
