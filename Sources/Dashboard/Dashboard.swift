import CCrypto
import CEmbeddedFiles

/// The dashboard: plain modules and styles that a browser runs as they are, embedded in the program.
///
/// The folder `Web` has them. Each is reached at `/dashboard/{revision}/{name}`, where the revision is a digest of all: what a browser
/// has kept of one is never another's.
public enum Dashboard {
    /// One file for the browser.
    public struct File: Sendable {
        /// Its media type.
        public let mediaType: String
        /// Its bytes.
        public let bytes: [UInt8]
    }

    /// A digest of all files.
    public static let revision: String = {
        var all: [UInt8] = []
        for (name, file) in files.sorted(by: { $0.key < $1.key }) { all += Array(name.utf8) + [0] + file.bytes + [0] }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(all, all.count, &digest)
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }()

    /// The page at `/`, which names the revision.
    public static let page: [UInt8] = {
        let text = String(decoding: files["index.html"]?.bytes ?? [], as: UTF8.self)
        return Array(text.replacing("{{revision}}", with: revision).utf8)
    }()

    /// The page may load from the service itself alone, and make nothing of texts but text (CSP 3).
    public static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    /// A file by its name below the folder, as `pages/realms.js`; nil where there is none.
    public static func file(_ name: String) -> File? { files[name] }

    /// The names of all files.
    static var names: [String] { Array(files.keys) }

    private static let files: [String: File] = {
        var files: [String: File] = [:]
        for index in 0... {
            guard let file = dashboard_file(index) else { break }
            let name = String(cString: file.pointee.name)
            let bytes = [UInt8](UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count))
            files[name] = File(mediaType: mediaType(of: name), bytes: bytes)
        }
        return files
    }()

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "html": "text/html; charset=utf-8"
        default: "text/plain; charset=utf-8"
        }
    }
}
