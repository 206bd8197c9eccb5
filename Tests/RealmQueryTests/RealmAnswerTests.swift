import Columns
import RealmJSON
import RealmModel
import Testing

@testable import RealmQuery

/// Answers of Realm Core 14.14 to queries on null links, nulls in collections and collections inside mixed values.
@Suite struct RealmAnswerTests {
    private static let document = """
        {"schemaVersion":1,"schema":[
        {"name":"Box","primaryKey":"n","properties":{"n":"int","o":"Lid","next":"Box","m":"mixed","lm":"mixed[]",
        "sm":"mixed<>","dm":"mixed{}","df":"double{}","ls":"string?[]","lo":{"type":"list","objectType":"Lid"},
        "do":{"type":"dictionary","objectType":"Lid"}}},
        {"name":"Lid","primaryKey":"n","properties":{"n":"int","x":"int?"}}],
        "objects":{"Lid":[{"n":0,"x":5},{"n":1,"x":null},{"n":2,"x":3}],"Box":[
        {"n":0,"o":null,"next":null,"m":null,"lm":[],"sm":[],"dm":{},"df":{},"ls":[],"lo":[],"do":{}},
        {"n":1,"o":0,"next":2,"m":[1],"lm":[{"$float":{"$numberDouble":"NaN"}},1],"sm":[{"$float":{"$numberDouble":"NaN"}},1],
        "dm":{"a":1,"b":{"$numberDouble":"NaN"}},"df":{"a":{"$numberDouble":"NaN"},"b":1},"ls":[""],"lo":[0],"do":{"a":0}},
        {"n":2,"o":1,"next":1,"m":{"k":5},"lm":[1,{"$numberDecimal":"NaN"}],"sm":[],"dm":{"a":1},
        "df":{"a":{"$numberDouble":"NaN"}},"ls":["a",null],"lo":[],"do":{"a":null}},
        {"n":3,"o":2,"next":3,"m":{"k":null},"lm":[[7],"ab",null],"sm":[],"dm":{"k":5},"df":{"a":1},"ls":[null],
        "lo":[1],"do":{"a":null,"b":0}},
        {"n":4,"o":null,"next":1,"m":[2,1],"lm":[null],"sm":[],"dm":{"k":null},"df":{},"ls":[null,null],"lo":[],
        "do":{"a":0,"b":0}}]}}
        """

    private static func found(_ query: String) throws -> [Int64] {
        let store = MemorySegmentStore()
        let limits = RowGroupLimits(rows: 2, bytes: 1 << 20)
        let snapshot = try Array(document.utf8).withUnsafeBytes {
            try RealmJSONReader(MappedSource($0), into: store, limits: limits).read()
        }
        let search = try #require(try ObjectSearch(query, on: "Box", in: snapshot, from: store))
        return try search.keys(limit: 10).map(\.value)
    }

    @Test(
        arguments: [
            ("SORT(o.x ASC)", [2, 3, 1, 0, 4]), ("SORT(o.x DESC)", [0, 4, 1, 3, 2]),
            ("SORT(o.x DESC, n DESC)", [4, 0, 1, 3, 2]), ("SORT(next.o.x ASC)", [1, 3, 2, 4, 0]),
            ("DISTINCT(o.x)", [1, 2, 3]), ("DISTINCT(o.x, n)", [1, 2, 3]), ("DISTINCT(next.o.x)", [1, 2, 3]),
            ("SORT(n DESC) DISTINCT(o.x)", [3, 2, 1]),
            ("SORT(m ASC, n DESC)", [0, 4, 1, 3, 2]), ("DISTINCT(m)", [0, 1, 2]),
        ])
    func `null links are last, or left out, and collections equal`(_ clause: String, _ expected: [Int64]) throws {
        #expect(try Self.found("TRUEPREDICATE \(clause)") == expected)
    }

    @Test(
        arguments: [
            ("next.do.@count == 1", [1, 2, 4]), ("next.do.@count == 2", [3]), ("next.do.@size == 1", [1, 2, 4]),
            ("do.@count == 1", [1, 3]), ("do.@count == 2", [4]), ("next.lo.@count == 1", [2, 3, 4]),
        ])
    func `null links of a dictionary count behind a link`(_ query: String, _ expected: [Int64]) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(
        arguments: [
            ("lm.@sum == 1", [2]), ("lm.@sum == NaN", [1]), ("lm.@avg == NaN", [1]), ("lm.@avg == 1", [2]),
            ("lm.@min == NaN", [1]), ("lm.@max == 1", [1, 2]), ("sm.@sum == NaN", [1]), ("dm.@min == NaN", [1]),
            ("dm.@avg == 1", [2]), ("df.@min == NaN", [1, 2]), ("df.@max < 5", [1, 2, 3]), ("df.@sum == 1", [1, 3]),
            ("df.@avg == NaN", []),
        ])
    func `a binary NaN counts among mixed values, and for the extremes of a dictionary`(
        _ query: String, _ expected: [Int64]
    ) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(
        arguments: [
            ("ls.length == 0", [1, 2, 3, 4]), ("NONE ls.length == 0", [0]), ("ls.length == {1, 0}", [2]),
            ("ls.length == {0, 0}", [4]), ("ls.length == nil", []), ("lm.length == {2}", [3]), ("lm.length == 1", []),
        ])
    func `a null text is empty, what is no text has no length`(_ query: String, _ expected: [Int64]) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(
        arguments: [
            ("lo.x != m.k", [0, 1, 2, 4]), ("m.k != lo.x", [0, 1, 2, 4]), ("lo.x == m.k", [0, 3, 4]),
            ("ANY lo.x != m.k", []), ("m.k != m[0]", [0, 1, 2, 3, 4]), ("m.k IN {1, 5}", []), ("m.k IN {5}", [2]),
            ("ANY m.k IN {1, 5}", [2]), ("lm[0][0] == {7}", [3]), ("lm[0][0] IN {7, 8}", []),
            ("dm.k IN {1, 5}", [3]), ("m.k == 5", [2]), ("m.k BETWEEN {4, 6}", [2]),
        ])
    func `a path into mixed values is a list`(_ query: String, _ expected: [Int64]) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(
        arguments: [
            ("m == m", [0, 1, 2, 3, 4]), ("m < m", []), ("m <= m", [0, 1, 2, 3, 4]), ("lm < m", []),
            ("lm[0] <= m", []), ("m < dm.a", []), ("next.m < m", []), ("m <= next.m", [0, 3, 4]), ("next.m > m", []),
        ])
    func `of two lists none is less`(_ query: String, _ expected: [Int64]) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(
        arguments: [
            ("m ==[c] nil", [0]), ("m !=[c] 0", [0, 1, 2, 3, 4]), ("m ==[c] true", []),
            ("m ==[c] uuid(00000000-0000-4000-8000-000000000001)", []), ("o ==[c] nil", [0, 4]),
            ("o !=[c] nil", [1, 2, 3]), ("lo ==[c] O1", [3]),
        ])
    func `[c] says nothing of what is no text`(_ query: String, _ expected: [Int64]) throws {
        #expect(try Self.found(query) == expected)
    }

    @Test(arguments: ["lm ==[c] nil", "dm.a ==[c] 1", "o.x ==[c] nil", "m ==[c] n", "ALL lo ==[c] O1", "o IN[c] {O1}"])
    func `[c] is refused behind a link and beside a collection`(_ query: String) throws {
        #expect(throws: QueryError.self) { try Self.found(query) }
    }
}
