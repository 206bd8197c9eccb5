import Testing

@testable import MigrationAPI

/// Bodies of several files name what clients call them.
struct MultipartBodyTests {
    private func body(_ disposition: String, boundary: String = "b", type: String? = nil) -> MultipartBody? {
        let text = "--\(boundary)\r\nContent-Disposition: \(disposition)\r\n\r\nclass A {}\r\n--\(boundary)--\r\n"
        return MultipartBody(Array(text.utf8), contentType: type ?? "multipart/form-data; boundary=\(boundary)")
    }

    @Test(arguments: [
        (#"form-data; name="files"; filename="Dog.swift""#, "Dog.swift"),
        (#"form-data; name=files; filename=Dog.swift"#, "Dog.swift"),
        (#"form-data; name="a; b.swift""#, "a; b.swift"),
        (#"form-data; name="x"; filename="Dog; old.swift"; size=1"#, "Dog; old.swift"),
        (#"form-data; name="x; filename=no"; filename="yes.swift""#, "yes.swift"),
        (#"form-data; filename="the \"best\" dog.swift""#, #"the "best" dog.swift"#),
        (#"form-data; filename="C:\models\Dog.swift""#, #"C:\models\Dog.swift"#),
        (#"form-data; filename="two\\slashes""#, #"two\slashes"#),
        (#"form-data; filename="a=b.swift""#, "a=b.swift"),
        (#"form-data ; filename = "Dog.swift" ; name = x"#, "Dog.swift"),
        (#"form-data; filename=Dog.swift ; name=x"#, "Dog.swift"),
        (#"form-data; filename="never ends"#, "never ends"),
        (#"form-data; filename"#, ""), (#"form-data; filename="#, ""), ("form-data;;;", ""), ("", ""),
    ])
    func `a part is called what its field says`(disposition: String, name: String) throws {
        let part = try #require(body(disposition)?.parts.first)
        #expect(part.name == name)
        #expect(Array(part.bytes) == Array("class A {}".utf8))
    }

    @Test(arguments: [
        (#"multipart/form-data; boundary="a;b""#, "a;b"),
        (#"multipart/form-data; charset="boundary=x"; boundary=b"#, "b"),
        (#"multipart/form-data; Boundary=b ; charset=utf-8"#, "b"), (#"multipart/form-data; boundary="b""#, "b"),
    ])
    func `the boundary is what the type says`(type: String, boundary: String) {
        #expect(body("form-data; name=x", boundary: boundary, type: type)?.parts.count == 1)
    }
}
