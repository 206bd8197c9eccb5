import RealmModel
import TestRandomness
import Testing

@Suite struct IdentifiersTests {
    @Test func `identifiers come back from their text`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<1000 {
            let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let uuid = try #require(UUID(bytes: bytes))
            #expect(UUID(uuid.description) == uuid)
            #expect(UUID(uuid.description.uppercased()) == uuid)
            let id = try #require(ObjectId(bytes: bytes.prefix(12)))
            #expect(ObjectId(id.description) == id)
            #expect(Hexadecimal.decode(Hexadecimal.encode(bytes).utf8) == bytes)
        }
    }

    @Test func `a UUID is written in groups`() throws {
        let text = "3b241101-e2bb-4255-8caf-4136c566a962"
        #expect(try #require(UUID(text)).description == text)
        #expect(UUID.zero.description == "00000000-0000-0000-0000-000000000000")
    }

    @Test(arguments: [
        "", "3b241101e2bb42558caf4136c566a962", "3b241101-e2bb-4255-8caf-4136c566a96",
        "-b241101-e2bb-4255-8caf-4136c566a962",
        "3b241101-e2bb-4255-8caf-4136c566a9622", "3b241101-e2bb-4255-8caf-4136c566a96g",
        "3b241101-e2bb-4255-8caf-4136c566a96é", "3b241101-e2bb-4255-8caf-4136c566a9-2",
        "{3b241101-e2bb-4255-8caf-4136c566a96}",
    ])
    func `what is no UUID is nothing`(text: String) {
        #expect(UUID(text) == nil)
    }

    @Test(arguments: ["", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g"])
    func `what is no ObjectId is nothing`(text: String) {
        #expect(ObjectId(text) == nil)
    }
}
