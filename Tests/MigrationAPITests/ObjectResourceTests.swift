import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

struct ObjectResourceTests {
    private func uploaded(_ server: APIServer, _ realm: JSONValue) throws -> String {
        _ = try server.send("PUT", "/v1/apps/shop")
        let made = try server.upload(realm.encoded())
        return "/v1/snapshots/\(try #require(made.json["id"]?.string))/objects"
    }

    @Test func `pages together hold every object once`() throws {
        let server = try APIServer()
        let path = try uploaded(server, Samples.realm(persons: 250))
        var found: [JSONValue] = []
        var next = ""
        repeat {
            let page = try server.send("GET", "\(path)/Person?limit=99&cursor=\(next)").json
            found += page["items"]?.elements ?? []
            next = page["next"]?.string ?? ""
        } while !next.isEmpty
        #expect(found == Samples.realm(persons: 250)["objects"]?["Person"]?.elements)
    }

    @Test func `an object is found by primary key, or by key where the class has none`() throws {
        let server = try APIServer()
        let path = try uploaded(server, Samples.realm())
        let person = try server.send("GET", "\(path)/Person/1")
        #expect(person.fields["content-type"] == "application/json")
        #expect(person.json == ["id": 1, "name": "Person 1", "dogs": [4]])
        #expect(try server.send("GET", "\(path)/Dog/4").json == ["_key": 4, "name": "Rex"])
    }

    @Test func `9: keys in problems can be used`() throws {
        let server = try APIServer()
        let path = try uploaded(server, Samples.realm(persons: 3))
        let person = try #require(try server.send("GET", "\(path)/Person").json["items"]?.elements?[1])
        #expect(try server.send("GET", "\(path)/Person?key=1").json == ["items": [person], "next": nil])
        #expect(try server.send("GET", "\(path)/Dog?key=4").json["items"] == [["_key": 4, "name": "Rex"]])
        #expect(try server.send("GET", "\(path)/Dog?key=5").json == ["items": [], "next": nil])
        #expect(try server.send("GET", "\(path)/Cat?key=5").problem == "class_not_found")
        #expect(try server.send("GET", "\(path)/Dog?key=x").problem == "invalid_parameter")
        let missing = try server.send("GET", "\(path)/Dog/7")
        #expect(missing.json["detail"] == "There is no object “7”.")
    }

    @Test func `a query chooses objects, page by page`() throws {
        let server = try APIServer()
        let path = try uploaded(server, Samples.realm(persons: 250))
        var found: [JSONValue] = []
        var next = ""
        repeat {
            let query = "where=id%20%3E%3D%20100%20AND%20ANY%20dogs.name%20BEGINSWITH%5Bc%5D%20'r'"
            let page = try server.send("GET", "\(path)/Person?\(query)&limit=40&cursor=\(next)").json
            found += page["items"]?.elements ?? []
            next = page["next"]?.string ?? ""
        } while !next.isEmpty
        #expect(found == Array(Samples.realm(persons: 250)["objects"]?["Person"]?.elements?[100...] ?? []))
        #expect(try server.send("GET", "\(path)/Person?where=id%3D%3D7").json["items"]?.elements?.count == 1)
        #expect(try server.send("GET", "\(path)/Person?where=id%3C0").json == ["items": [], "next": nil])
        let secret = try server.send("GET", "\(path)/Person?where=name%20%3D%3D%20'secret'%20AND%20nme%20%3D%3D%201")
        #expect(secret.status == 400 && secret.problem == "invalid_parameter")
        #expect(secret.text.contains("did you mean 'name'?"))
        #expect(secret.json["errors"]?.elements?.first?["offset"] == 21)
        #expect(try server.send("GET", "\(path)/Person?where=id%3D%3D7&key=7").problem == "invalid_parameter")
        #expect(try server.send("GET", "\(path)/Cat?where=id%3D%3D7").problem == "class_not_found")
        #expect(server.log.paths.withLock { paths in !paths.contains { $0.contains("secret") } })
    }

    @Test func `tells who links to an object`() throws {
        let server = try APIServer()
        let path = try uploaded(server, Samples.realm(persons: 250))
        let links = try server.send("GET", "\(path)/Dog/4?links=true").json["links"]
        #expect(links?.elements?.count == 1)
        let first = links?.elements?.first
        #expect(first?["class"] == "Person" && first?["property"] == "dogs" && first?["count"] == 250)
        #expect(first?["keys"]?.elements == (0..<100).map { .int($0) })
        #expect(first?["objects"]?.elements?.count == 100)
        #expect(first?["objects"]?.elements?[1] == ["key": 1, "primaryKey": 1, "caption": "Person 1"])
        let person = try server.send("GET", "\(path)/Person/1?links=true").json
        #expect(person["links"] == [])
        #expect(
            person["outgoing"] == [
                [
                    "property": "dogs", "class": "Dog", "count": 1,
                    "objects": [["key": 4, "primaryKey": nil, "caption": "Rex"]],
                ]
            ])
        #expect(try server.send("GET", "\(path)/Dog/5?links=true").problem == "object_not_found")
        #expect(try server.send("GET", "\(path)/Dog/4?links=yes").problem == "invalid_parameter")
    }

    @Test func `a link of an embedded object tells its owner`() throws {
        let server = try APIServer()
        let path = try uploaded(
            server,
            [
                "schema": [
                    [
                        "name": "Person", "primaryKey": "id",
                        "properties": ["id": "int", "name": "string", "home": "Home"],
                    ],
                    ["name": "Home", "embedded": true, "properties": ["rooms": "Room[]"]],
                    ["name": "Room", "embedded": true, "properties": ["guest": "Person"]],
                ],
                "objects": [
                    "Person": [
                        ["id": 1, "name": "Ada", "home": ["rooms": [["guest": nil], ["guest": 2]]]],
                        ["id": 2, "name": "Grace", "home": nil],
                    ]
                ],
            ])
        let links = try server.send("GET", "\(path)/Person/2?links=true").json["links"]?.elements
        #expect(links?.count == 1 && links?.first?["class"] == "Room" && links?.first?["property"] == "guest")
        let owner: JSONValue = [
            "key": 0, "primaryKey": 1, "caption": "Ada", "class": "Person", "path": ["home", "rooms"],
        ]
        #expect(links?.first?["objects"]?.elements?.map { $0["owner"] } == [owner])
    }

    @Test func `a primary key may be any text, and no log repeats it`() throws {
        let server = try APIServer()
        let path = try uploaded(
            server,
            [
                "schema": [["name": "A/b", "primaryKey": "id", "properties": ["id": "string"]]],
                "objects": ["A/b": [["id": "x/y z?"], ["id": "ä"], ["id": "null"]]],
            ])
        #expect(try server.send("GET", "\(path)/A%2Fb/x%2Fy%20z%3F").json == ["id": "x/y z?"])
        #expect(try server.send("GET", "\(path)/A%2Fb/%C3%A4").json == ["id": "ä"])
        #expect(try server.send("GET", "\(path)/A%2Fb/null").json == ["id": "null"])
        #expect(try server.send("GET", "\(path)/A%2Fb/secret").status == 404)
        #expect(try server.client().request("GET", "\(path)/A%2Fb/secret").status == 401)
        #expect(try server.send("DELETE", "\(path)/A%2Fb/secret").status == 405)
        #expect(try server.send("GET", "\(path)/A%2Fb/secret/x").status == 404)
        _ = try server.send("GET", "/livez")
        #expect(server.log.paths.withLock { paths in !paths.contains { $0.contains("secret") } })
    }

    @Test(arguments: [
        ("Cat", "class_not_found"), ("Cat/1", "class_not_found"), ("Person/7", "object_not_found"),
        ("Person/x", "object_not_found"), ("Dog/5", "object_not_found"), ("Dog/x", "object_not_found"),
        ("Dog/99999999999999999999", "object_not_found"), ("Person?cursor=x", "invalid_cursor"),
        ("Person?cursor=k-1", "invalid_cursor"), ("Person?limit=1001", "invalid_parameter"),
    ])
    func `what is not there is not found`(path: String, code: String) throws {
        let server = try APIServer()
        let objects = try uploaded(server, Samples.realm())
        #expect(try server.send("GET", "\(objects)/\(path)").problem == code)
    }

    @Test func `embedded objects stand in line and not for themselves`() throws {
        let server = try APIServer()
        let path = try uploaded(
            server,
            [
                "schema": [
                    ["name": "House", "properties": ["address": "Address"]],
                    ["name": "Address", "embedded": true, "properties": ["street": "string"]],
                ], "objects": ["House": [["address": ["street": "High"]]]],
            ])
        #expect(try server.send("GET", "\(path)/House/0").json["address"] == ["street": "High"])
        #expect(try server.send("GET", "\(path)/Address").problem == "class_not_found")
        #expect(try server.send("GET", "\(path)/Address/0").problem == "class_not_found")
    }
}
