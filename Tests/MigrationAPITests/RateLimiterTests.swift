import RealmModel
import StoreCore
import TestHTTP
import Testing

@testable import MigrationAPI

struct RateLimiterTests {
    private let start = ContinuousClock.now
    private let key = RealmModel.UUID.version7()

    private func limiter(_ requests: Int) -> RateLimiter { RateLimiter(RateLimiter.Policy(requests: requests)) }

    @Test(arguments: [1, 2, 60, 999]) func `a whole budget may be spent at once, and no more`(requests: Int) {
        let limiter = limiter(requests)
        for left in (0..<requests).reversed() {
            let verdict = limiter.take(key, now: start)
            #expect(verdict.isAllowed)
            #expect(verdict.remaining == left)
        }
        let refused = limiter.take(key, now: start)
        #expect(!refused.isAllowed)
        #expect(refused.remaining == 0)
        // It keeps its word: a moment before it is refused, then it is allowed.
        #expect(!limiter.take(key, now: start + refused.untilNext - .nanoseconds(1)).isAllowed)
        #expect(limiter.take(key, now: start + refused.untilNext).isAllowed)
    }

    @Test func `in any minute no key sends more than twice its budget, however it does that`() {
        let limiter = limiter(30)
        var generator = SystemRandomNumberGenerator()
        var allowed: [ContinuousClock.Instant] = []
        var now = start
        for _ in 0..<5000 {
            now += .milliseconds(Int.random(in: 0...400, using: &generator))
            if limiter.take(key, now: now).isAllowed { allowed.append(now) }
        }
        for (index, first) in allowed.enumerated() {
            let inMinute = allowed[index...].prefix { $0 - first < .seconds(60) }.count
            #expect(inMinute <= 60)
        }
        // And as many as it may in the long run.
        #expect(Double(allowed.count) >= 30 * ((now - start) / .seconds(60)) * 0.95)
    }

    @Test func `keys have budgets of their own`() {
        let limiter = limiter(1)
        #expect(limiter.take(key, now: start).isAllowed)
        #expect(limiter.take(.version7(), now: start).isAllowed)
        #expect(!limiter.take(key, now: start).isAllowed)
    }

    @Test func `a client is told what is left, and when to come again`() throws {
        let server = try APIServer(requestsPerMinute: 3)
        for left in (0..<3).reversed() {
            let response = try server.send(left == 1 ? "POST" : "GET", left == 1 ? "/v1/keys" : "/v1/apps")
            #expect(response.status != 429)
            #expect(response.fields["ratelimit-policy"] == "\"key\";q=3;w=60")
            #expect(response.fields["ratelimit"]?.hasPrefix("\"key\";r=\(left);t=") == true)
        }
        let refused = try server.send("GET", "/v1/apps")
        #expect(refused.status == 429)
        #expect(refused.problem == "rate_limited")
        #expect(refused.fields["retry-after"].flatMap { Int($0) }.map { (1...20).contains($0) } == true)
        #expect(refused.fields["ratelimit"]?.hasPrefix("\"key\";r=0;t=") == true)
        // Nobody else is refused, and what needs no key never.
        let other = try server.access.keys.create(named: "other", scopes: [.read], apps: .all).secret
        let fields = [("Authorization", "Bearer \(other)")]
        #expect(try server.client().request("GET", "/v1/apps", fields: fields).status == 200)
        #expect(try server.client().request("GET", "/livez").fields["ratelimit"] == nil)
    }

    @Test func `a service without a limit says nothing of one`() throws {
        let response = try APIServer().send("GET", "/v1/apps")
        #expect(response.fields["ratelimit"] == nil)
        #expect(response.fields["ratelimit-policy"] == nil)
    }
}
