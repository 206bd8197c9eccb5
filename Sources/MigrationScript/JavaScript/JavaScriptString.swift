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
        guard utf8.allSatisfy({ $0 != 0 && $0 < 0x80 }) else {
            return make(utf16: Array(String(decoding: utf8, as: UTF8.self).utf16))
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: utf8.count + 1) { buffer in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(utf8))
            buffer[utf8.count] = 0
            return JSStringCreateWithUTF8CString(buffer.baseAddress)
        }
    }

    static func make(utf16: [UInt16]) -> JSStringRef {
        utf16.withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
    }

    /// Lends the string to a call of the library: `self` may be gone before the call, were its reference a property.
    func withReference<Result>(_ body: (JSStringRef) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(reference) }
    }

    /// Lends the code units.
    func withCodeUnits<Result>(_ body: (UnsafeBufferPointer<UInt16>) throws -> Result) rethrows -> Result {
        try withReference {
            try body(UnsafeBufferPointer(start: JSStringGetCharactersPtr($0), count: JSStringGetLength($0)))
        }
    }

    /// The text, each lone surrogate replaced by U+FFFD.
    var text: String {
        withCodeUnits { String(decoding: $0, as: UTF16.self) }
    }
}
