import CCrypto
import HTTPServer

/// A digest of a request in 32 bytes: of its method, path, query, type, conditions and body.
enum RequestFingerprint {
    /// SHA-256 of the request.
    ///
    /// - Throws: `HTTPError.spoolFailed` where the body can't be read.
    static func digest(_ request: APIRequest) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw HTTPError.overloaded }
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
        func add(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }
        func add(_ text: String) {
            // With its length before it, so that no two requests have one text.
            Array("\(text.utf8.count) \(text)".utf8).withUnsafeBytes(add)
        }
        let head = request.head
        for text in [head.method, head.path, head.fields["Content-Type"] ?? ""] { add(text) }
        // Fields by which the request may be refused, or do something else, belong to the digest.
        for name in ["If-Match", "Realm-Schema-Version"] {
            guard let value = head.fields[name] else { continue }
            add(name)
            add(value)
        }
        for item in head.query {
            add(item.name)
            add(item.value)
        }
        switch request.whole?.body {
        case .bytes(let bytes)?: bytes.withUnsafeBytes(add)
        case .file(let file)?: try file.readAll(add)
        case .handed?, .some(.none), nil: break
        }
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            EVP_DigestFinal_ex(context, digest.baseAddress, nil)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
