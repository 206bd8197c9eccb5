import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Objects in an order, counted, and the values that they have.
@Suite struct `Objects in a table` {
    private let server: APIServer
    private let snapshot: String

    /// Thirty cars of three makers, some without a year, each with a link to the one before.
    init() throws {
        server = try APIServer(documentLimit: 4_000_000)
        _ = try server.send("PUT", "/v1/apps/shop")
        let properties: JSONValue = [
            "id": "int", "maker": "string", "year": "int?", "speed": "double?", "before": "Car", "tags": "string[]",
            "any": "mixed",
        ]
        let cars = (0..<30).map { n -> JSONValue in
            let maker = ["Audi", "BMW", "Citroën"][n % 3]
            return [
                "id": .int(Int64(n)), "maker": .string(maker), "year": n % 5 == 0 ? .null : .int(Int64(1990 + n % 4)),
                "speed": n % 10 == 0 ? ["$numberDouble": "NaN"] : .double(Double(n % 2)),
                "before": n == 0 ? .null : .int(Int64(n - 1)), "tags": [],
                "any": n % 2 == 0 ? .string(maker) : ["$ref": "Car", "$id": .int(Int64(n / 2))],
            ]
        }
        let realm: JSONValue = [
            "schemaVersion": 1, "schema": [["name": "Car", "primaryKey": "id", "properties": properties]],
            "objects": ["Car": .array(cars)],
        ]
        snapshot = "/v1/snapshots/\(try #require(try server.upload(realm.encoded()).json["id"]?.string))"
    }

    private func ids(_ query: String) throws -> [Int64] {
        let page = try server.send("GET", "\(snapshot)/objects/Car?\(query)")
        #expect(page.status == 200, "\(page.text)")
        return (page.json["items"]?.elements ?? []).compactMap { $0["id"]?.int }
    }

    /// The ids as a model sorts them.
    private func model(_ isBefore: (_ left: Int64, _ right: Int64) -> Bool) -> [Int64] {
        (0..<30).sorted { isBefore($0, $1) || (!isBefore($1, $0) && $0 < $1) }
    }

    @Test(arguments: [1, 4, 7, 30, 100]) func `pages of an order together have every object once`(limit: Int) throws {
        func year(_ id: Int64) -> Int64 { id % 5 == 0 ? 0 : 1990 + id % 4 }
        let orders: [(query: String, expected: [Int64])] = [
            ("sort=maker", model { $0 % 3 < $1 % 3 }), ("sort=-maker", model { $0 % 3 > $1 % 3 }),
            ("sort=year,-maker", model { (year($0), -($0 % 3)) < (year($1), -($1 % 3)) }),
            (
                "sort=before.year",
                model { left, right in
                    (left == 0 ? .max : year(left - 1)) < (right == 0 ? .max : year(right - 1))
                }
            ),
            ("sort=-id", (0..<30).reversed()),
        ]
        for (query, expected) in orders {
            var (found, cursor) = ([Int64](), "")
            repeat {
                let asked = "\(query)&limit=\(limit)\(cursor)"
                found += try ids(asked)
                let next = try server.send("GET", "\(snapshot)/objects/Car?\(asked)").json["next"]?.string
                cursor = next.map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(found == expected, "\(query)")
        }
        #expect(try ids("sort=-year,id&where=maker%20%3D%3D%20'BMW'&limit=2") == [7, 19])
    }

    @Test func `objects are counted where that is asked for`() throws {
        func total(_ query: String) throws -> JSONValue? {
            try server.send("GET", "\(snapshot)/objects/Car?limit=1&\(query)").json["total"]
        }
        #expect(try total("total=true") == ["count": 30, "isExact": true])
        #expect(try total("total=true&where=maker%20%3D%3D%20'BMW'")?["count"] == 10)
        #expect(try total("total=true&where=id%3C0&sort=id")?["count"] == 0)
        #expect(try total("total=false") == nil)
    }

    @Test(arguments: [
        "sort=", "sort=-", "sort=id,", "sort=none", "sort=tags", "sort=before", "sort=id,id,id,id,id", "sort=id&key=1",
        "total=true&key=1", "where=id%3E0%20SORT(id%20ASC)", "total=maybe",
    ])
    func `what is no order is refused`(query: String) throws {
        #expect(try server.send("GET", "\(snapshot)/objects/Car?\(query)").problem == "invalid_parameter")
    }

    @Test func `a cursor of one order is none of another`() throws {
        let sorted = try server.send("GET", "\(snapshot)/objects/Car?sort=maker&limit=2").json["next"]?.string ?? ""
        let plain = try server.send("GET", "\(snapshot)/objects/Car?limit=2").json["next"]?.string ?? ""
        #expect(try server.send("GET", "\(snapshot)/objects/Car?cursor=\(sorted)").problem == "invalid_cursor")
        #expect(
            try server.send("GET", "\(snapshot)/objects/Car?sort=maker&cursor=\(plain)").problem == "invalid_cursor")
    }

    // MARK: Facets

    private func facets(_ query: String) throws -> JSONValue {
        let answer = try server.send("GET", "\(snapshot)/facets/Car?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    @Test func `values are counted, the most frequent first`() throws {
        let makers = try facets("property=maker&where=id%3E0")
        let values: JSONValue = [
            ["value": "BMW", "count": 10], ["value": "Citroën", "count": 10], ["value": "Audi", "count": 9],
        ]
        #expect(makers["values"] == values && makers["isExact"] == true && makers["isCutOff"] == false)
        #expect(makers["objectCount"] == 29 && makers["distinctCount"] == 3 && makers["nullCount"] == 0)
        let years = try facets("property=year&limit=1")
        #expect(years["values"]?.elements?.count == 1 && years["isCutOff"] == true && years["nullCount"] == 6)
        let speeds = try facets("property=speed")
        #expect(
            speeds["values"] == [
                ["value": 1.0, "count": 15], ["value": 0.0, "count": 12],
                ["value": ["$numberDouble": "NaN"], "count": 3],
            ])
        #expect(try facets("property=maker&where=id%3C0")["values"] == [])
    }

    @Test func `values of a mixed property tell their type`() throws {
        let values: [JSONValue] = [["$float": 1.5], .double(1.5), ["$float": "NaN"], ["$float": 1.5]]
        let realm: JSONValue = [
            "schema": [["name": "Thing", "properties": ["any": "mixed", "float": "float"]]],
            "objects": ["Thing": .array(values.map { ["any": $0, "float": 1.5] })],
        ]
        let made = try server.upload(realm.encoded(), to: "/v1/apps/shop/realms/things").json["id"]?.string ?? ""
        func counted(_ property: String) throws -> [JSONValue] {
            let found = try server.send("GET", "/v1/snapshots/\(made)/facets/Thing?property=\(property)").json
            return try #require(found["values"]?.elements).compactMap { $0["value"] }
        }
        #expect(try counted("float") == [1.5])
        #expect(try Set(counted("any")) == [["$float": 1.5], 1.5, ["$float": "NaN"]])
    }

    @Test func `more different values than are told apart are said to be`() throws {
        let things = (0..<10_050).map { n -> JSONValue in ["id": .int(Int64(n)), "name": .string("n\(n)")] }
        let realm: JSONValue = [
            "schema": [["name": "Thing", "primaryKey": "id", "properties": ["id": "int", "name": "string"]]],
            "objects": ["Thing": .array(things)],
        ]
        let made = try server.upload(realm.encoded(), to: "/v1/apps/shop/realms/things").json["id"]?.string ?? ""
        let found = try server.send("GET", "/v1/snapshots/\(made)/facets/Thing?property=name&limit=5").json
        #expect(found["isExact"] == false && found["isCutOff"] == true)
        #expect(found["distinctCount"] == 10_000 && found["otherCount"] == 50 && found["objectCount"] == 10_050)
    }

    @Test(arguments: [
        "property=none", "property=tags", "property=before", "", "property=id&limit=0", "property=id&limit=1001",
        "property=id&where=SORT", "property=id&where=id%3E0%20LIMIT(3)",
    ])
    func `what has no values to count is refused`(query: String) throws {
        #expect(try server.send("GET", "\(snapshot)/facets/Car?\(query)").problem == "invalid_parameter")
    }

    @Test func `mixed values that link have their own targets`() throws {
        let links = try server.send("GET", "\(snapshot)/objects/Car/7?links=true").json
        let outgoing = try #require(links["outgoing"]?.elements)
        #expect(outgoing.map { $0["property"] } == ["before", "any"])
        #expect(outgoing[0]["objects"] == [["key": 6, "primaryKey": 6, "caption": "Audi"]])
        #expect(outgoing[1]["objects"] == [["key": 3, "primaryKey": 3, "caption": "Audi"]])
        let incoming = try #require(links["links"]?.elements)
        #expect(incoming.map { $0["objects"]?.elements?[0]["primaryKey"] } == [8, 15])
        #expect(try server.send("GET", "\(snapshot)/facets/None?property=id").problem == "class_not_found")
        // Counted, but not told apart: no value of a facet is a link.
        let any = try facets("property=any&limit=1000")
        let counts = try #require(any["values"]?.elements)
        #expect(counts.allSatisfy { $0["value"]?.isNull == false })
        let told = counts.reduce(0) { $0 + ($1["count"]?.int ?? 0) }
        let others = try #require(any["otherCount"]?.int)
        #expect(others > 0 && any["nullCount"]?.int == 30 - told - others)
    }
}
