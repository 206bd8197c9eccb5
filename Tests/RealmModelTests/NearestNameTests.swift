import RealmModel
import Testing

struct NearestNameTests {
    @Test(arguments: [
        ("status", "state"), ("Limit", "limit"), ("cursr", "cursor"), ("apps", "app"), ("relam", "realm"),
        ("schema", nil), ("", nil), ("zz", nil),
    ])
    func `finds what was meant, and nothing where nothing is near`(name: String, nearest: String?) {
        #expect(NearestName.find(name, among: ["app", "realm", "state", "limit", "cursor"]) == nearest)
    }

    @Test func `prefers the least edits, and the first of those that are alike`() {
        #expect(NearestName.find("person", among: ["parsons", "Persons", "persona"]) == "Persons")
        #expect(NearestName.find("name", among: ["naem", "nam"]) == "naem")
        #expect(NearestName.find("name", among: []) == nil)
    }

    @Test func `a name too long to compare is near to nothing`() {
        let long = String(repeating: "a", count: 200_000)
        #expect(NearestName.find(long, among: [long + "b", "a"]) == nil)
        #expect(NearestName.find("a", among: [long]) == nil)
    }
}
