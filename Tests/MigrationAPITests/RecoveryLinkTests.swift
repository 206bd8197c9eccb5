import RealmJSON
import TestHTTP
import Testing

@testable import MigrationAPI

/// Unsent changes of keys that a partner's function makes links of.
@Suite struct RecoveryLinkTests {
    private static func link(_ collection: String?, to name: String) -> JSONValue {
        let link: [JSONMember] = [JSONMember("objectType", .string(name))]
        return .object(
            [JSONMember("type", .string(collection ?? "object"))] + link
                + (collection == nil ? [JSONMember("optional", true)] : []))
    }

    private static func side(_ name: String, _ properties: JSONValue) -> JSONValue {
        ["name": .string(name), "primaryKey": "_id", "properties": properties]
    }

    /// Cuts over from keys to links, has a tag deleted and another one made, and does what a client of before had not sent.
    ///
    /// - Parameters:
    ///   - keys: the type of the keys.
    ///   - collection: of the links; nil where there is one.
    ///   - renames: whether the tags, and what links to them, are led over to other classes after that.
    private func replay(
        _ upserts: [JSONValue], keys: JSONValue, links collection: String?, renames: Bool = false
    ) throws -> (leftOut: [[JSONValue?]], objects: [JSONValue]) {
        let note = Self.side("Note", ["_id": "int", "n": "int", "keys": keys])
        let tag = Self.side("Tag", ["_id": "string"])
        func linked(_ name: String, to tag: String) -> JSONValue {
            Self.side(name, ["_id": "int", "n": "int", "tags": Self.link(collection, to: tag)])
        }
        let server = try PartnerServer(
            [note, tag], ["Tag": [["_id": "kept"], ["_id": "gone"]], "Note": [["_id": 1, "n": 1]]],
            versions: [[note, tag]])
        func make(_ name: String, _ partner: JSONValue, _ forward: String, _ backward: String) throws -> String {
            try server.makePartner(of: name, as: partner, forward: forward, backward: backward)
        }
        func cutOver(_ id: String) throws {
            #expect(try server.send("POST", "/partners/\(id)/cut-over", [:]).json["state"] == "done")
        }
        try cutOver(
            try make(
                "Note", linked("Linked", to: "Tag"), "o => ({ n: o.n, tags: o.keys })",
                "o => ({ n: o.n, keys: o.tags })"))
        if renames {
            let tags = try make("Tag", Self.side("Label", ["_id": "string"]), "o => ({})", "o => ({})")
            let both = "o => ({ n: o.n, tags: o.tags })"
            let notes = try make("Linked", linked("Labelled", to: "Label"), both, both)
            try cutOver(notes)
            try cutOver(tags)
        }
        let standing = renames ? "Label" : "Tag"
        let changes: JSONValue = [
            "upserts": [["class": .string(standing), "object": ["_id": "new"]]],
            "deletes": [["class": .string(standing), "key": "gone"]],
        ]
        #expect(try server.send("POST", "/changes", changes).status == 201)
        let done = try server.replay(["upserts": .array(upserts.map { ["class": "Note", "object": $0] })], of: 1)
        return (
            (done["leftOut"]?.elements ?? []).map { [$0["class"], $0["key"], $0["property"], $0["reason"]] },
            try server.send("GET", "/objects/\(renames ? "Labelled" : "Linked")").json["items"]?.elements ?? []
        )
    }

    private static let reason =
        JSONValue.string("The partner's function links the object to one of the class 'Tag' that is not there.")

    @Test(arguments: [("list", "string[]"), ("set", "string[]"), ("dictionary", "string{}"), (nil, "string?")])
    func `are left out where an object is gone, and the rest is done`(_ collection: String?, _ keys: JSONValue) throws {
        let named: JSONValue =
            switch collection {
            case nil: "gone"
            case "dictionary": ["a": "kept", "b": "gone"]
            default: ["kept", "gone"]
            }
        let done = try replay(
            [["_id": 1, "n": 5, "keys": named], ["_id": 7, "n": 5, "keys": named]], keys: keys, links: collection)
        #expect(done.leftOut == [["Note", 1, "keys", Self.reason], ["Note", 7, "keys", Self.reason]])
        #expect(done.objects.map { $0["n"] } == [5, 5])
    }

    @Test func `lead to objects that came by another side since, through all partners`() throws {
        let done = try replay(
            [["_id": 1, "keys": ["kept", "new"]], ["_id": 7, "n": 5, "keys": ["gone"]]], keys: "string[]",
            links: "list",
            renames: true)
        #expect(done.leftOut == [["Note", 7, "keys", Self.reason]])
        #expect(done.objects.map { $0["tags"] } == [["kept", "new"], []])
    }
}
