import CCrypto
import JobStore
import RealmModel

/// The header fields by which a receiver knows who sent a webhook, and that it is new (Standard Webhooks).
enum WebhookSignature {
    /// The fields of a message.
    ///
    /// - Parameters:
    ///   - id: the same in every attempt.
    ///   - timestamp: of this attempt, seconds since 1970: a receiver refuses old ones, which somebody may have recorded.
    ///   - secrets: those that sign; a receiver knows one of them.
    static func fields(
        id: String, timestamp: Int, body: String, secrets: [WebhookSecret]
    ) -> [(name: String, value: String)] {
        let message = Array("\(id).\(timestamp).\(body)".utf8)
        let signatures = secrets.map { "v1," + Base64.encode(digest(of: message, key: $0.bytes)) }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }

    /// HMAC-SHA256 of RFC 2104, by libcrypto.
    private static func digest(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, digest.baseAddress, nil)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
