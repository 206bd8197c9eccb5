import Testing

@testable import Webhooks

/// The addresses to which events are sent.
@Suite struct AddressPolicyTests {
    @Test(arguments: [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1", "100.127.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "fec0::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1", "100::1", "::127.0.0.1", "4000::1",
    ])
    func `refuses what is not of the Internet`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressPolicy().refusal(of: address, isPlain: false) == .inside)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "223.255.255.255",
        "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
    ])
    func `permits what is, and that by TLS alone`(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(AddressPolicy().refusal(of: address, isPlain: false) == nil)
        #expect(AddressPolicy().refusal(of: address, isPlain: true) == .plain)
    }

    @Test func `permits what the operator names, by either protocol and in every form`() throws {
        let ranges = ["127.0.0.0/8", "fd00::/8", "10.1.2.3"].map { AddressRange($0) }
        let policy = AddressPolicy(permitted: try ranges.map { try #require($0) })
        for (text, isPermitted) in [
            ("127.0.0.1", true), ("::ffff:127.0.0.1", true), ("64:ff9b::7f00:1", true), ("126.0.0.1", true),
            ("128.0.0.1", true), ("10.1.2.3", true), ("10.1.2.4", false), ("fd12::1", true), ("fc12::1", false),
            ("::1", false),
        ] {
            let address = try #require(NetworkAddress(text))
            #expect((policy.refusal(of: address, isPlain: false) == nil) == isPermitted, "\(text)")
        }
        #expect(policy.refusal(of: try #require(NetworkAddress("127.0.0.1")), isPlain: true) == nil)
        #expect(policy.refusal(of: try #require(NetworkAddress("128.0.0.1")), isPlain: true) == .plain)
    }

    @Test func `compares as many bits as a range has`() throws {
        let all = try #require(AddressRange("0.0.0.0/0"))
        #expect(all.contains(try #require(NetworkAddress("255.1.2.3"))))
        #expect(!all.contains(try #require(NetworkAddress("::1"))))
        let odd = try #require(AddressRange("10.64.0.0/11"))
        #expect(odd.contains(try #require(NetworkAddress("10.95.255.255"))))
        #expect(!odd.contains(try #require(NetworkAddress("10.96.0.0"))))
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/", "10.0.0/8", "::/129", "a/8", "1.2.3.4/8/8",
    ])
    func `takes nothing else for a range`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(arguments: [
        ("https://example.com/hook", true), ("https://example.com:8443/a?b=c", true), ("http://example.com/", false),
        ("https://127.0.0.1/", false), ("https://2130706433/", false), ("https://0x7f.1/", false),
        ("https://127.1/", false),
        ("https://[::1]/", false), ("https://[::ffff:10.0.0.1]/", false), ("https://1.1.1.1/", true),
        ("https://[2606:4700::1111]/", true), ("ftp://example.com/", false), ("file:///etc/passwd", false),
        ("/hook", false),
        ("https://", false), ("https://user@example.com/", false), ("https://u:p@example.com/", false),
        ("https://example.com/#a", false), ("https://exa mple.com/", false), ("https://example.com/\n", false),
        ("https://ex\u{e4}mple.com/", false), ("", false),
        ("https://example.com/" + String(repeating: "a", count: 2_000), false),
    ])
    func `looks at a URL when it is declared`(url: String, isTaken: Bool) {
        #expect((WebhookURL.refusal(of: url, AddressPolicy()) == nil) == isTaken)
    }
}
