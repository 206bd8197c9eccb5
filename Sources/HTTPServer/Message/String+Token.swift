extension StringProtocol {
    /// Whether the text is a token of a protocol, in which the case of ASCII letters alone means nothing (RFC 9110, section 2.4).
    ///
    /// `lowercased()` takes the Kelvin sign for a k, and so does `==`: what another reader of the message takes for something
    /// else may not pass here.
    public func isToken(_ token: String) -> Bool {
        utf8.count == token.utf8.count && utf8.elementsEqual(token.utf8) { $0.foldedASCII == $1.foldedASCII }
    }

    /// The text with ASCII letters in lower case, and everything else as it is.
    public var lowercasedASCII: String { String(decoding: utf8.map(\.foldedASCII), as: UTF8.self) }
}

extension UInt8 {
    fileprivate var foldedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
