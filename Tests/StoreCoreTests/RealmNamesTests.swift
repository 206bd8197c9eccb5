import Testing

@testable import StoreCore

@Suite struct RealmNamesTests {
    @Test(arguments: ["ada", "a", "auth0|5f", "team-7:", "a.", "a_", "a@", "a|", "a+", "a=", "a-", "a:b"])
    func `are names of realms, and prefixes that end in a separator`(element: String) throws {
        #expect(try #require(RealmNames([element])).elements == [element])
    }

    @Test(arguments: [
        "", "*", "ada*", "-", "a*b", "a:*", "team/7", "team/", "*ada", "ä:", "a b", " ", "a:\u{212A}",
    ])
    func `are nothing else`(element: String) {
        #expect(RealmNames([element]) == nil)
    }

    @Test func `are some, and not too many`() {
        #expect(RealmNames([]) == nil)
        #expect(RealmNames((1...100).map { "r\($0)" })?.elements.count == 100)
        #expect(RealmNames((1...101).map { "r\($0)" }) == nil)
        let long = String(repeating: "a", count: 127)
        #expect(RealmNames([long + ":"]) != nil)
        #expect(RealmNames([long + "a:"]) == nil)
    }

    @Test func `a prefix has what begins with it, and no other`() throws {
        let names = try #require(RealmNames(["team-7:", "ada"]))
        for name in ["ada", "team-7:", "team-7:notes", "team-7::", "team-7:a:b"] {
            #expect(names.contains(name), "\(name)")
        }
        for name in ["ad", "adam", "Ada", "ada:", "team-7", "team-70", "team-7;", "team-7:\u{e9}", "team-7:*", "", "*"]
        {
            #expect(!names.contains(name), "\(name)")
        }
    }

    @Test func `letters that are equal by Unicode alone are not`() throws {
        // U+212A, the sign of kelvin, equals K for Swift.
        #expect("\u{212A}" == "K")
        #expect(try !#require(RealmNames(["K"])).contains("\u{212A}"))
        #expect(try !#require(RealmNames(["a:"])).contains("a:\u{212A}"))
    }

    @Test func `leave out what others include`() throws {
        #expect(
            try #require(RealmNames(["b", "a:b:", "a:", "a:b", "b", "a", "a-b"])).elements == ["a", "a-b", "a:", "b"])
    }

    /// The database's search for names and the program's verdict on a name are the same.
    @Test func `ranges have exactly the names that are among them`() throws {
        let marks = Array("._@|:+=-").map(String.init)
        let parts = ["", "a", "b", "ab", "B", "0", "z"] + marks + ["a:", "a:a", "a::", "a.b", "-a"]
        let names = parts.flatMap { one in parts.map { "a" + one + $0 } }
        let elements = marks.map { "aa\($0)" } + ["ab", "ab:", "aB", "a:a:", "a:", "aa"]
        for first in elements {
            for second in elements {
                let among = try #require(RealmNames([first, second]))
                for name in Set(names) {
                    let ranges = among.ranges.filter { range in
                        !name.utf8.lexicographicallyPrecedes(range.from.utf8)
                            && name.utf8.lexicographicallyPrecedes(range.to.utf8)
                    }
                    #expect(ranges.count == (among.contains(name) ? 1 : 0), "\(among.elements): \(name)")
                }
            }
        }
    }
}
