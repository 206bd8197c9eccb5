import RealmModel
import TestRandomness
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the test vectors of RFC 4648 hold`(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test func `decoding undoes encoding`() {
        var generator = SeededGenerator(seed: 5)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "=Zg=", "Z===", "====", "Zg==Zg==", "Zm 9v", "Zm9v\n", "Zm-_",
        "Zmé=",
    ])
    func `anything else is nothing`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `what is decoded is encoded to the same text`() {
        var generator = SeededGenerator(seed: 6)
        let characters = Array("AQgw59+/=Z".utf8)
        for _ in 0..<20_000 {
            let text = String(
                decoding: (0..<8).map { _ in characters[Int.random(in: 0..<10, using: &generator)] }, as: UTF8.self)
            if let bytes = Base64.decode(text) { #expect(Base64.encode(bytes) == text) }
        }
    }
}
