import RealmModel
import Testing

@testable import JobStore
@testable import Webhooks

/// Signatures of Standard Webhooks.
@Suite struct WebhookSignatureTests {
    /// The example of the specification's own libraries.
    private static let bytes = Base64.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    @Test func `is that of the specification's example`() throws {
        let secret = WebhookSecret(bytes: try #require(Self.bytes))
        let fields = WebhookSignature.fields(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: "{\"test\": 2432232314}",
            secrets: [secret])
        #expect(fields.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            fields.map(\.value) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    }

    @Test func `has one for each secret while one is rotated`() throws {
        let secrets = [WebhookSecret.random(), WebhookSecret(bytes: try #require(Self.bytes))]
        let fields = WebhookSignature.fields(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: "{\"test\": 2432232314}",
            secrets: secrets)
        let signatures = fields[2].value.split(separator: " ")
        #expect(signatures.count == 2)
        #expect(signatures[1] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(signatures[0] != signatures[1])
    }
}
