import CJavaScriptCore

/// A string of JavaScriptCore: UTF-16 code units, U+0000 and lone surrogates among them.
final class JavaScriptString {
    private let reference: JSStringRef

    /// Takes over a string that JavaScriptCore made.
    init(owning reference: JSStringRef) {
        self.reference = reference
    }

    convenience init(_ text: String) {
        var text = text
        self.init(owning: text.withUTF8 { Self.make(utf8: $0) })
    }

    deinit {
        JSStringRelease(reference)
    }

    /// A string of UTF-8; ASCII stays a byte a character inside the engine, which is what keeps columns of text fast.
    static func make(utf8: UnsafeBufferPointer<UInt8>) -> JSStringRef {
        guard utf8.isPlainASCII else {
            return make(utf16: Array(String(decoding: utf8, as: UTF8.self).utf16))
        }
        return make(plainASCII: utf8)
    }

    /// A string of bytes that are plain ASCII.
    static func make(plainASCII text: UnsafeBufferPointer<UInt8>) -> JSStringRef {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { buffer in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(text))
            buffer[text.count] = 0
            return JSStringCreateWithUTF8CString(buffer.baseAddress)
        }
    }

    static func make(utf16: [UInt16]) -> JSStringRef {
        utf16.withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
    }

    /// Lends the string to a call of the library: `self` may be gone before the call, were its reference a property.
    func withReference<Result, Failure>(
        _ body: (JSStringRef) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(self) { () throws(Failure) in try body(reference) }
    }

    /// Lends the code units.
    func withCodeUnits<Result, Failure>(
        _ body: (UnsafeBufferPointer<UInt16>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withReference { (reference) throws(Failure) in
            try body(
                UnsafeBufferPointer(start: JSStringGetCharactersPtr(reference), count: JSStringGetLength(reference)))
        }
    }

    /// The bytes of a text that is ASCII alone; nil of every other.
    ///
    /// The library's own conversion to UTF-8 calls a function a character.
    var ascii: [UInt8]? {
        withCodeUnits { units in
            var union: UInt16 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: units.count) { buffer, filled in
                // Without an early end the compiler takes many units at once.
                for index in 0..<units.count {
                    union |= units[index]
                    buffer[index] = UInt8(truncatingIfNeeded: units[index])
                }
                filled = units.count
            }
            return union < 0x80 ? bytes : nil
        }
    }

    /// The text, each lone surrogate replaced by U+FFFD.
    var text: String {
        withCodeUnits { String(decoding: $0, as: UTF16.self) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether every byte is a character of ASCII other than U+0000.
    var isPlainASCII: Bool {
        // A loop, of which the compiler takes many bytes at once.
        var union: UInt8 = 0
        for byte in self { union |= byte | (byte &- 1) }
        return union < 0x80
    }
}
