import RealmModel
import Testing

@testable import RealmQuery

/// Point 16: Realm's query language, on objects that are given by hand.
@Suite struct QueryTests {
    fileprivate static let schema = Schema([
        ObjectSchema(
            "Person",
            properties: [
                Property("age", .int, isOptional: true),
                Property("name", .string, isOptional: true),
                Property("height", .double), Property("active", .bool),
                Property("born", .date, isOptional: true),
                Property("id", .uuid, isOptional: true),
                Property("friend", .object, objectType: "Person", isOptional: true),
                Property("tags", .string, collection: .list),
                Property("friends", .object, collection: .list, objectType: "Person"),
                Property("other", .mixed, isOptional: true),
            ])
    ])

    private struct People: QuerySource {
        let values: [[Value]]
        var schema: Schema { QueryTests.schema }
        func key(of object: Int) -> ObjectKey { ObjectKey(Int64(object)) }
        func value(_ property: Int, of object: Int) throws -> Value { values[object][property] }
        func target(of link: Value, objectType: String?) -> Int? {
            if case .link(let key) = link { Int(key.value) } else { nil }
        }
        func origins(of object: Int, from className: String, by property: String) throws -> [Int] {
            let link = Value.link(ObjectKey(Int64(object)))
            return values.indices.flatMap { index in
                switch values[index][["friend": 6, "friends": 8][property] ?? 9] {
                case .list(let elements): return elements.filter { $0 == link }.map { _ in index }
                case let value: return value == link ? [index] : []
                }
            }
        }
    }

    private static let id = UUID("00000000-0000-4000-8000-000000000001").map { Value.uuid($0) } ?? .null

    /// Ada (0) has Bob (1) as a friend, Bob has nobody; Çelik (2) has null wherever it can be.
    private static let people = People(values: [
        [
            .int(36), .string("Ada Lovelace"), .double(1.6), .bool(true),
            .date(Timestamp(seconds: 1_577_836_800, nanoseconds: 5)),
            id, .link(ObjectKey(1)), .list([.string("math"), .string("poetry")]),
            .list([.link(ObjectKey(1)), .link(ObjectKey(2))]),
            .int(1),
        ],
        [
            .int(-4), .string("bob \"the\" o'Neil"), .double(.nan), .bool(false),
            .date(Timestamp(seconds: -1, nanoseconds: 0)), .null,
            .null, .list([]), .list([]), .string("x"),
        ],
        [
            .null, .null, .double(36), .bool(true), .null, .null, .link(ObjectKey(0)), .list([.string("math")]),
            .list([.link(ObjectKey(0))]), .null,
        ],
    ])

    private func matches(_ query: String, _ arguments: [Value] = []) throws -> [Int] {
        let query = try Query(query, arguments: arguments, on: "Person", in: Self.schema)
        return try [0, 1, 2].filter { try query.matches($0, in: Self.people) }
    }

    @Test(
        arguments: [
            ("age == 36", [0]), ("age = 36.0", [0]), ("36 == age", [0]), ("age != 36", [1, 2]), ("age <> 36", [1, 2]),
            ("age < 0", [1]), ("age <= -4", [1]), ("age > -4", [0]), ("age >= -4", [0, 1]), ("age => -4", [0, 1]),
            ("age == nil", [2]), ("age == NULL", [2]), ("age != null", [0, 1]), ("age > null", []),
            ("height == NaN", []), ("height != NaN", [0, 1, 2]), ("NaN == height", [1]), ("0 > height", [1]),
            ("height > 0", [0, 2]), ("age < height", []), ("height > 1.5e0", [0, 2]),
            ("active == true", [0, 2]), ("active == false", [1]), ("active != TRUE", [1]),
            ("name == \"Ada Lovelace\"", [0]), ("name == 'bob \"the\" o\\'Neil'", []),
            ("name == B64\"Ym9iICJ0aGUiIG8nTmVpbA==\"", [1]), ("name == 'ada lovelace'", []),
            ("name ==[c] 'ADA LOVELACE'", [0]), ("name !=[c] 'ADA LOVELACE'", [1, 2]),
            ("name BEGINSWITH 'Ada'", [0]), ("name beginswith[c] 'BOB'", [1]), ("name ENDSWITH 'Neil'", [1]),
            ("name < 'B'", [0, 2]), ("'B' > name", [0]), ("name <= nil", [2]), ("age <= nil", [2]),
            ("name BEGINSWITH nil", [0, 1, 2]), ("friend.name BEGINSWITH nil", []), ("age == '36 years'", [0]),
            ("age BEGINSWITH 'x'", []), ("age + 4 == 40", [0]), ("age * 2 < height", []), ("age * 2 > height", [0, 1]),
            ("other.@type == 'string'", [1]), ("name.@count == 12", [0]), ("tags[0] == 'math'", [0, 2]),
            ("tags[LAST] == 'poetry'", [0]), ("tags == {'math', 'poetry'}", [0]), ("tags.length > 4", [0]),
            ("friends.@sum.age == 36", [2]), ("friends.@avg.height < 0", []), ("friends.@max.age == -4", [0]),
            ("SUBQUERY(friends, $f, $f.age > 0 AND $f.tags.@count == 2).@count == 1", [2]),
            ("name ENDSWITH[c] 'LACE'", [0]), ("name CONTAINS 'Love'", [0]), ("name CONTAINS[c] 'O'", [0, 1]),
            ("name CONTAINS ''", [0, 1]), ("name LIKE 'Ada*'", [0]), ("name LIKE '*o?e*'", [0]),
            ("name LIKE[c] 'ADA LOVELACE'", [0]),
            ("name LIKE 'Ada'", []), ("name LIKE '?*'", [0, 1]),
            ("name IN {'x', 'Ada Lovelace'}", [0]), ("age IN {1, -4, 36}", [0, 1]), ("age IN {}", []),
            ("NOT age IN {36}", [1, 2]),
            ("age BETWEEN {-4, 0}", [1]), ("born == 2020-01-01@00:00:00:5", [0]), ("born == T1577836800:5", [0]),
            ("born < 1970-01-01@00:00:00", [1]), ("born >= T-1:0", [0, 1]),
            ("id == uuid(00000000-0000-4000-8000-000000000001)", [0]),
            ("@links.Person.friend.@count == 1", [0, 1]), ("@links.@count == 2", [0, 1]),
            ("@links.@count == 1", [2]), ("ANY @links.Person.friends.age > 30", [1, 2]),
            ("NONE @links.Person.friend.name == 'Ada Lovelace'", [0, 2]),
            ("friend.@links.Person.friend.@count == 1", [0, 2]),
            ("friend == nil", [1]), ("friend.name == 'Ada Lovelace'", [2]), ("friend.friend.age < 0", [2]),
            ("friend.age == nil", [1]), ("tags == 'math'", [0, 2]), ("ANY tags == 'poetry'", [0]),
            ("ALL tags == 'math'", [1, 2]),
            ("NONE tags == 'math'", [1]), ("'math' IN tags", [0, 2]), ("tags.@count == 0", [1]),
            ("friends.@count > 1", [0]),
            ("ANY friends.age < 0", [0]), ("friends.tags == 'poetry'", [2]), ("other == 1", [0]), ("other == 'x'", [1]),
            ("other == nil", [2]),
            ("age > 0 AND active == true", [0]), ("age < 0 OR age == nil", [1, 2]),
            ("age > 0 && name != nil || active == false", [0, 1]),
            ("age == 36 OR age == -4 AND active == true", [0]), ("(age == 36 OR age == -4) AND active == false", [1]),
            ("NOT (age == 36)", [1, 2]), ("!(age == 36)", [1, 2]), ("NOT NOT age == 36", [0]),
            ("TRUEPREDICATE", [0, 1, 2]),
            ("FALSEPREDICATE", []), ("  age==36  ", [0]),
        ])
    func `finds`(_ query: String, _ expected: [Int]) throws {
        #expect(try matches(query) == expected)
    }

    @Test func `takes arguments for what they are`() throws {
        #expect(try matches("name == $0", [.string("bob \"the\" o'Neil")]) == [1])
        #expect(try matches("age > $1 AND age < $0", [.int(100), .double(0.5)]) == [0])
        #expect(try matches("age IN $0", [.list([.int(36), .null])]) == [0, 2])
        #expect(try matches("friend == $0", [.typedLink(className: "Person", ObjectKey(1))]) == [0])
        #expect(try matches("ANY friends == $0", [.typedLink(className: "Person", ObjectKey(2))]) == [0])
        #expect(try matches("born == $0", [.null]) == [2])
    }

    @Test(
        arguments: [
            ("age >", "Invalid predicate: 'age >': syntax error, unexpected end of query", 5),
            ("age > 3 name", "Invalid predicate: 'age > 3 name': syntax error, unexpected 'name'", 8),
            ("(age > 3", "Invalid predicate: '(age > 3': syntax error, unexpected end of query", 8),
            ("name == 'é' ~", "Invalid predicate: 'name == 'é' ~': invalid character: ~", 12),
            ("", "Invalid predicate: '': syntax error, unexpected end of query", 0),
            ("name == 'x", "Invalid predicate: 'name == 'x': invalid character: '", 8),
            ("agee > 3", "'Person' has no property 'agee'; did you mean 'age'?", 0),
            ("age > 3 AND friend.nothing > 3", "'Person' has no property 'nothing'", 12),
            ("age.x > 3", "Property 'Person.age' has no property 'x'", 0),
            ("active == NO", "'Person' has no property 'NO'", 10),
            ("age == 'x'", "Unsupported comparison between type 'int' and type 'string'", 4),
            ("name > 3", "Unsupported comparison between type 'string' and type 'int'", 5),
            (
                "age BEGINSWITH 3",
                "Unsupported comparison operator 'beginswith' against type 'int', right side must be a string or binary type",
                4
            ),
            ("age == $0", "Request for argument at index 0 but only 0 arguments are provided", 7),
            ("ALL age > 3", "The keypath following 'ALL' must contain a list", 0),
            ("age IN 3", "The keypath following 'IN' must contain a list. Found '3'", 7),
            ("3 == 3", "Cannot compare two constants", 0),
            ("friends == nil", "Cannot compare linklist ('friends') with NULL", 8),
            ("tags BETWEEN {'a', 'b'}", "Only 'ALL' supported for operator 'BETWEEN' when applied to lists.", 0),
            ("age > 3 SORT(age)", "Invalid predicate: 'age > 3 SORT(age)': syntax error, unexpected ')'", 16),
        ])
    func `refuses, in Realm's words and at the place`(_ query: String, _ message: String, _ offset: Int) {
        #expect(throws: QueryError(message, at: offset)) { try matches(query) }
    }

    @Test func `has limits, and says so`() throws {
        func refusal(_ query: String) -> String {
            do {
                _ = try Query(query, on: "Person", in: Self.schema)
                return "taken"
            } catch { return "\(error)" }
        }
        func path(_ links: Int) -> String { String(repeating: "friend.", count: links) + "age == 3" }
        #expect(refusal(path(QueryLimits.pathLength - 1)) == "taken")
        #expect(refusal(path(QueryLimits.pathLength)).hasSuffix("a path has at most 64 links"))
        let nested = { (depth: Int) in
            String(repeating: "(", count: depth) + "age == 3" + String(repeating: ")", count: depth)
        }
        #expect(refusal(nested(QueryLimits.depth)) == "taken")
        #expect(refusal(nested(QueryLimits.depth + 1)).hasSuffix("it nests deeper than 100 levels"))
        // A long query leaves room for the reason in an error that is cut.
        let long = refusal(nested(20_000)).bounded()
        #expect(long.hasSuffix("it nests deeper than 100 levels"), "\(long.suffix(100))")
        #expect(
            refusal("age == 1" + String(repeating: " + 1", count: 101)).hasSuffix("it nests deeper than 100 levels"))
        let many = Array(repeating: "age == 3", count: 5000).joined(separator: " OR ")
        #expect(refusal(many) == "taken")
        #expect(refusal(many + many) == "A query has at most 65536 bytes, not \((many + many).utf8.count)")
    }

    @Test func `sorts and cuts by its own text`() throws {
        func found(_ query: String) throws -> [Int] {
            let query = try Query(query, on: "Person", in: Self.schema)
            return try query.ordered([0, 1, 2].filter { try query.matches($0, in: Self.people) }, in: Self.people)
        }
        #expect(try found("TRUEPREDICATE SORT(age ASC)") == [2, 1, 0])
        #expect(try found("TRUEPREDICATE SORT(active DESC, age DESC) LIMIT(2)") == [0, 2])
        #expect(try found("TRUEPREDICATE DISTINCT(active)") == [0, 1])
        #expect(try found("TRUEPREDICATE LIMIT(2) SORT(friend.name DESC)") == [1, 0])
    }

    @Test func `no depth breaks it`() {
        for query in [String(repeating: "(", count: 60_000), String(repeating: "!", count: 60_000) + "age == 3"] {
            #expect(throws: QueryError.self) { try matches(query) }
        }
    }

    @Test(
        arguments: ["age == 36", "name CONTAINS[c] 'o'", "tags == 'math'", "friend.age == nil", "height > 2"],
        ["active == true", "age < 0", "ALL tags == 'math'", "other != nil"])
    func `obeys the laws of logic`(_ a: String, _ b: String) throws {
        #expect(try matches("NOT (\(a) AND \(b))") == matches("NOT \(a) OR NOT \(b)"))
        #expect(try matches("NOT (\(a) OR \(b))") == matches("NOT \(a) AND NOT \(b)"))
        #expect(try matches("\(a) OR \(b)") == Array(Set(matches(a)).union(matches(b))).sorted())
        #expect(try matches("\(a) AND \(b)") == Array(Set(matches(a)).intersection(matches(b))).sorted())
    }

    private func sorted(_ keys: [(path: String, isReversed: Bool)]) throws -> [Int] {
        try SortOrder(keys, on: "Person", in: Self.schema).sorted([0, 1, 2], in: Self.people)
    }

    @Test func `sorts, null first and null links last, and keeps the order of equals`() throws {
        #expect(try sorted([("age", false)]) == [2, 1, 0])
        #expect(try sorted([("age", true)]) == [0, 1, 2])
        #expect(try sorted([("active", false), ("height", true)]) == [1, 2, 0])
        #expect(try sorted([("friend.name", false)]) == [2, 0, 1])
        #expect(try sorted([]) == [0, 1, 2])
        #expect(throws: QueryError("Cannot sort on key path 'tags': property is a list or an object", at: 0)) {
            try sorted([("tags", false)])
        }
    }
}
