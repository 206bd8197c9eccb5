import Glibc
import Problems
import RealmJSON

/// A file that is sent in parts, and goes on where it was interrupted (tus 1.0).
public struct ResumableUpload {
    /// A part: a break costs as much at most, and so does each look that comes before the service has noticed the break.
    private static let partBytes = 4 << 20

    private let client: ServiceClient
    private let descriptor: Int32
    private let size: Int

    /// - Parameter descriptor: of the file, which stays open.
    public init(_ client: ServiceClient, file descriptor: Int32, size: Int) {
        (self.client, self.descriptor, self.size) = (client, descriptor, size)
    }

    /// Begins an upload to a realm; answers its path.
    public func begin(of realm: String, in app: String, mediaType: String) throws -> String {
        let path = "/v1/apps/\(ServiceClient.escaped(app))/realms/\(ServiceClient.escaped(realm))/uploads"
        let answer = try client.ask(
            "POST", path,
            fields: [
                ("Tus-Resumable", "1.0.0"), ("Upload-Length", "\(size)"),
                ("Upload-Metadata", "filetype " + Base64.encode(mediaType.utf8)),
            ])
        guard let location = answer["Location"], location.hasPrefix("/") else {
            throw ServiceUnreachable(reason: "the answer has no Location")
        }
        return location
    }

    /// How many bytes of an upload the service has; nil where it does not know the upload any more.
    public func received(_ upload: String) throws -> Int? {
        do {
            let answer = try client.ask("HEAD", upload, fields: [("Tus-Resumable", "1.0.0")])
            return answer["Upload-Offset"].flatMap { Int($0) }
        } catch let refusal as ServiceRefusal where [404, 410].contains(refusal.problem.status) {
            return nil
        }
    }

    /// Sends what is left, and answers the snapshot that it became.
    ///
    /// - Parameters:
    ///   - fields: of each part, as a key of encryption.
    ///   - progress: is told how many bytes of the file are sent.
    public func finish(_ upload: String, fields: [(String, String)], progress: (Int) -> Void) throws -> JSONValue {
        var breaks = 0
        var offset = try received(upload) ?? 0
        while true {
            let start = offset
            let count = min(Self.partBytes, size - start)
            let head = [
                ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(start)"),
                ("Content-Type", "application/offset+octet-stream"),
            ]
            do {
                let answer = try client.once(
                    "PATCH", upload, body: .file(descriptor, offset: start, count: count), fields: head + fields,
                    sent: { progress(start + $0) })
                if answer.status != 204 { return try JSONValue.parse(answer.body) }
                offset = answer["Upload-Offset"].flatMap { Int($0) } ?? start + count
                breaks = 0
            } catch {
                let isBreak = error is ServiceUnreachable || (error as? ServiceRefusal)?.isResumable == true
                guard isBreak, breaks < 8 else { throw error }
                ServiceClient.sleep(min(0.25 * Double(1 << breaks), 10))
                breaks += 1
                guard let known = try received(upload) else { throw error }
                offset = known
            }
        }
    }
}

extension ServiceRefusal {
    /// Whether an upload goes on after it: from another place, or in a while.
    fileprivate var isResumable: Bool { isTemporary || problem.code == ProblemCode.uploadOffset.rawValue }
}

/// Base64 (RFC 4648, section 4).
enum Base64 {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var (text, rest, bits) = ("", 0, 0)
        for byte in bytes {
            (rest, bits) = (rest << 8 | Int(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(digits[rest >> bits & 63])
            }
            rest &= (1 << bits) - 1
        }
        if bits > 0 { text.append(digits[rest << (6 - bits)]) }
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
