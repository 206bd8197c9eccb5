import Glibc

/// A PEM text in memory that C can point at for as long as the object lives.
final class PEMFile: @unchecked Sendable {
    // The memory is written once, before anyone else has the object.
    let text: UnsafePointer<CChar>

    /// Reads a file of 1 MiB at most.
    init(path: String) throws(HTTPError) {
        guard let file = fopen(path, "re") else { throw Self.failure(path, String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count > 0, count < bytes.count else { throw Self.failure(path, "empty or too long") }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
        for index in 0..<count { copy[index] = CChar(bitPattern: bytes[index]) }
        copy[count] = 0
        text = UnsafePointer(copy)
    }

    deinit { text.deallocate() }

    private static func failure(_ path: String, _ reason: String) -> HTTPError {
        .unreadableCertificate(reason: "\(path): \(reason)")
    }
}
