import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmQuery

/// A query counts the memory that it holds: backlinks as long as it runs, values as long as they are compared.
struct QueryMemoryTests {
    private static let count = 60
    private static let textBytes = 1000

    /// Every object links to all, and has a text.
    private static func realm() throws -> (Snapshot, MemorySegmentStore) {
        let links = (0..<count).map(String.init).joined(separator: ",")
        let text = String(repeating: "a", count: textBytes)
        let objects = (0..<count).map { "{\"i\":\($0),\"text\":\"\(text)\",\"friends\":[\(links)]}" }
        let document = """
            {"schemaVersion":0,"schema":[{"name":"Item","primaryKey":"i","properties":{"i":"int","text":"string",
            "friends":{"type":"list","objectType":"Item"}}}],"objects":{"Item":[\(objects.joined(separator: ","))]}}
            """
        let store = MemorySegmentStore()
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: RowGroupLimits(rows: 7, bytes: 1 << 20)).read()
        }
        return (snapshot, store)
    }

    private static func held(by query: String, limit: Int? = nil) throws -> Int {
        let (snapshot, store) = try realm()
        let budget = WorkBudget(memoryBytes: limit)
        try WorkBudget.$current.withValue(budget) {
            let search = try #require(try ObjectSearch(query, on: "Item", in: snapshot, from: store))
            #expect(try search.count() == count)
        }
        return budget.heldBytes
    }

    @Test func `links that are asked backwards are held until the end`() throws {
        let (links, forwards) = (Self.count * Self.count, try Self.held(by: "friends.@count == \(Self.count)"))
        let held = try Self.held(by: "@links.Item.friends.@count == \(Self.count)")
        #expect(forwards < links * 16 && held > links * 16)
        #expect(throws: WorkBudget.Excess.memory(bytes: held - 1)) {
            try Self.held(by: "@links.Item.friends.@count == \(Self.count)", limit: held - 1)
        }
    }

    @Test func `values over links are held for one object at a time`() throws {
        let texts = Self.count * Self.textBytes
        let held = try Self.held(by: "ANY friends.text BEGINSWITH 'a'")
        #expect(held >= texts)
        #expect(held < 8 * texts)
    }

    @Test func `values of a subquery are held for one of its objects at a time`() throws {
        let held = try Self.held(
            by: "SUBQUERY(friends, $x, ANY $x.friends.text BEGINSWITH 'a').@count == \(Self.count)")
        #expect(held >= Self.count * Self.textBytes)
        #expect(held < 8 * Self.count * Self.textBytes)
    }

    @Test func `all objects of a query that sorts are held`() throws {
        let sorted = try Self.held(by: "TRUEPREDICATE SORT(text ASC)")
        #expect(sorted >= Self.count * Self.textBytes)
    }

    @Test(arguments: ["mix.@count == 1000", "mix != nil", "mix IN {1, 2}"])
    func `a nested value counts as the arrays that it becomes`(query: String) throws {
        let nested = "[" + Array(repeating: "[1]", count: 1000).joined(separator: ",") + "]"
        let document = """
            {"schemaVersion":0,"schema":[{"name":"Item","properties":{"mix":"mixed"}}],"objects":{"Item":[{"mix":\(nested)}]}}
            """
        let store = MemorySegmentStore()
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: RowGroupLimits(rows: 7, bytes: 1 << 20)).read()
        }
        let budget = WorkBudget()
        try WorkBudget.$current.withValue(budget) {
            let search = try #require(try ObjectSearch(query, on: "Item", in: snapshot, from: store))
            _ = try search.count()
        }
        // Each is an array with a header and a value, in a value.
        #expect(budget.heldBytes > 1000 * (32 + 2 * MemoryLayout<Value>.stride))
    }

    @Test(arguments: [("text", "'t%'"), ("number", "%")])
    func `a list of thousands costs as much as the column, and not as much for each of its values`(
        property: String, form: String
    ) throws {
        let objects = (0..<2000).map { "{\"text\":\"t\($0)\",\"number\":\($0)}" }.joined(separator: ",")
        let document = """
            {"schemaVersion":0,"schema":[{"name":"Item","properties":{"text":"string","number":"int"}}],
             "objects":{"Item":[\(objects)]}}
            """
        let store = MemorySegmentStore()
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: RowGroupLimits(rows: 500, bytes: 1 << 20)).read()
        }
        let list = (1000..<4000).map { form.replacing("%", with: "\($0)") }.joined(separator: ", ")
        let count = try WorkBudget.$current.withValue(WorkBudget(workBytes: 1 << 20)) {
            try #require(try ObjectSearch("\(property) IN {\(list)}", on: "Item", in: snapshot, from: store)).count()
        }
        #expect(count == 1000)
    }
}
