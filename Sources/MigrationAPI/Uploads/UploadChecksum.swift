import CCrypto
import Glibc
import HTTPServer
import RealmModel

/// A client's checksum of the bytes of a part (`Upload-Checksum` of tus 1.0).
struct UploadChecksum {
    /// The algorithms, the one that every server has first.
    static let algorithms = ["sha1", "sha256", "md5"]

    private let algorithm: OpaquePointer
    private let digest: [UInt8]

    /// - Throws: `APIError.invalidField`.
    init?(_ field: String?) throws(APIError) {
        guard let field else { return nil }
        let parts = field.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.algorithms.contains(String(parts[0])),
            let digest = Base64.decode(String(parts[1])), let algorithm = EVP_get_digestbyname(String(parts[0])),
            digest.count == Int(EVP_MD_get_size(algorithm))
        else {
            throw .invalidField(
                name: "Upload-Checksum",
                message: "has to be one of \(Self.algorithms.joined(separator: ", ")) and a digest in Base64.")
        }
        self.algorithm = algorithm
        self.digest = digest
    }

    /// Whether a file is what was said.
    func fits(_ file: SpooledBody) throws -> Bool {
        guard let context = EVP_MD_CTX_new() else { throw HTTPError.overloaded }
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestInit_ex(context, algorithm, nil)
        try file.readAll { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        let found = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { bytes, count in
            var size: UInt32 = 0
            EVP_DigestFinal_ex(context, bytes.baseAddress, &size)
            count = Int(size)
        }
        return found == digest
    }
}

extension SpooledBody {
    /// Reads all bytes in pieces, without moving the place in the file.
    ///
    /// - Throws: `HTTPError.spoolFailed`; what the body throws.
    func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while offset < byteCount {
            let count = pread(fileDescriptor, buffer.baseAddress, buffer.count, offset)
            guard count > 0 else {
                if count < 0 && errno == EINTR { continue }
                throw HTTPError.spoolFailed(reason: String(cString: strerror(errno)))
            }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
    }
}
