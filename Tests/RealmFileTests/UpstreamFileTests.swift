import Columns
import Foundation
import RealmModel
import Testing

@testable import RealmFile

/// The files of the projects that made the format, where they lie beside the package.
struct UpstreamFileTests {
    private static let folder = SharedFiles.root?.appending(path: "realms/upstream")

    @Test(
        .enabled(if: folder != nil, "shared files are missing"),
        arguments: [
            (
                "default-v0.realm",
                [
                    #"Person[0] {"_key":0,"age":42,"firstName":"John","lastName":"Doe"}"#,
                    #"Person[1] {"_key":1,"age":43,"firstName":"Jane","lastName":"Doe"}"#,
                    #"Person[2] {"_key":2,"age":44,"firstName":"John","lastName":"Smith"}"#,
                ]
            ),
            (
                "default-v2.realm",
                [
                    #"Dog[1] {"_key":1,"name":"Marley"}"#,
                    #"Person[0] {"_key":0,"age":42,"dogs":[1,2],"fullName":"John Doe"}"#,
                    #"Person[2] {"_key":2,"age":44,"dogs":[],"fullName":"John Smith"}"#,
                ]
            ),
            (
                "default-v5.realm",
                [
                    #"Person[0] {"_key":0,"address":{"city":"New York","street":"Broadway"},"age":42,"#
                        + #""fullName":"John Doe","pets":[0,1]}"#,
                    #"Pet[0] {"_key":0,"kind":1,"name":"Marley"}"#,
                ]
            ),
            ("js_default.realm", [#"Child[4] {"_key":4,"age":14,"name":"Isabel"}"#]),
            ("js_simple.realm", [#"Person[1] {"age":11,"bestFriend":"Bob","name":"Alice"}"#]),
            (
                "sync-metadata-v6.realm",
                [#"UserIdentity[1] {"_key":1,"id":"shared identity","provider_type":"shared"}"#]
            ),
            ("downgrade_asymmetric.realm", [#"ephemeral[0] {"_id":1}"#, #"persistent[2] {"_id":"tres"}"#]),
            ("test_upgrade_database_1000_10_to_11.realm", [#"origin[6] {"_key":6,"link":7000}"#]),
            ("test_upgrade_database_11.realm", [#"origin[11] {"_key":11,"link1":null,"link2":"eric"}"#]),
            // Links to tombstones are null.
            ("test_upgrade_database_20.realm", [#"origin[11] {"_key":11,"link1":null,"link2":null}"#]),
            (
                "test_upgrade_database_1000_22.realm",
                [
                    #"table[0] {"dict":{"eight":{"$date":"1970-01-01T00:00:04.000000005Z"},"five":"George","#
                        + #""four":"Paul","nine":{"$id":47,"$ref":"target"},"one":1,"seven":"Morgan","six":"Ringo","#
                        + #""three":"John","two":2.0},"id":1,"set":"#
                ]
            ),
            ("js_dict.realm", []), ("file-format-version-10.realm", []), ("vacuum_no_history_type.realm", []),
        ] as [(String, [String])])
    func `reads files of formats 10 to 23`(_ name: String, expected: [String]) throws {
        let folder = try #require(Self.folder)
        let realm = try ReadRealm(tablesOf: try SharedFiles.bytes(folder.appending(path: name)))
        let lines = CanonicalDocument.lines(RealmDocument(realm).json)
        for line in expected { #expect(lines.contains { $0.hasPrefix(line) }, "\(lines)") }
    }

    @Test(
        .enabled(if: folder != nil, "shared files are missing"),
        arguments: [
            (
                "Places.realm", 2797,
                [
                    #"Place[0] {"_key":0,"county":"Los Angeles","latitude":33.9731,"longitude":-118.2479,"#
                        + #""placeName":"Los Angeles","postalCode":"90001","state":"California","#
                        + #""stateAbbreviation":"CA"}"#,
                    #"Place[2791] {"_key":2791,"county":"San Francisco","latitude":37.7812,"longitude":-122.4614,"#,
                ]
            ),
            (
                "admin_realm_issue_1794.realm", 18,
                [
                    #"Permission[0] {"_key":0,"mayManage":false,"mayRead":true,"mayWrite":false,"#
                        + #""realmFile":"/__wildcardpermissions","updatedAt":{"$date":"2017-11-02T13:04:20.79Z"},"#
                        + #""user":null}"#,
                    #"User[0] {"accounts":[0],"isAdmin":true,"metadata":[0,1],"#,
                ]
            ),
            (
                "consistency_full_0.realm", 12,
                [
                    #"table[9] {"_key":9,"double column":9.0,"integer column":9,"string column":"str: 9","#
                        + #""timestamp column":{"$date":"1970-01-01T00:02:03.000000456Z"}}"#
                ]
            ),
            (
                "core13_test_upgrade_database_9_to_10_pk_table.realm", 16,
                [
                    #"link origin[0] {"array":[],"list":["foo","bar"],"object":null,"pk":5}"#,
                    #"link origin[1] {"array":[],"list":["only",null],"object":"hello","pk":6}"#,
                    #"link origin[2] {"array":["world","goodbye"],"list":[],"object":null,"pk":7}"#,
                    #"object[0] {"enum":"red","list":[""],"optional":null,"pk":"hello","value":7}"#,
                    #"object[1] {"enum":"blue","list":[],"optional":null,"pk":"world","value":35}"#,
                    #"object[2] {"enum":"red","list":[],"optional":-87,"pk":"goodbye","value":800}"#,
                ]
            ),
            ("core13_test_upgrade_database_1000_5_to_6_stringindex.realm", 9, [#"t1[5] {"_key":5,"binary":"#]),
            (
                "fileformat-pre-null.realm", 11,
                [
                    #"DateMigrationObject[1] {"_key":1,"cookie":-559038737,"nonNullIndexed":{"$date":"4001-01-01T00:00:00Z"}"#
                ]
            ),
            (
                "js_dates-v3.realm", 7,
                [#"Date[1] {"_key":1,"currentDate":{"$date":"1969-12-31T21:13:20Z"},"nullDate":null}"#]
            ),
            (
                "js_realm-bundle.realm", 7,
                [#"Date[0] {"_key":0,"currentDate":{"$date":"2016-05-06T02:01:27.955Z"},"nullDate":null}"#]
            ),
            (
                "test_upgrade_database_1000_1.realm", 1002,
                (0..<1000).map { #"table[\#($0)] {"_key":\#($0),"integer":\#($0),"string":"\#($0)"}"# }
            ),
        ] as [(String, Int, [String])])
    func `reads files of formats 2 to 9`(_ name: String, lineCount: Int, expected: [String]) throws {
        let folder = try #require(Self.folder)
        let bytes = try SharedFiles.bytes(folder.appending(path: name))
        let lines = CanonicalDocument.lines(RealmDocument(try ReadRealm(tablesOf: bytes)).json)
        #expect(lines.count == lineCount)
        for line in expected { #expect(lines.contains { $0.hasPrefix(line) }, "\(line)") }
        let small = RowGroupLimits(rows: 7, bytes: 1000)
        #expect(
            CanonicalDocument.lines(RealmDocument(try ReadRealm(bytes, limits: small)).json)
                == CanonicalDocument.lines(RealmDocument(try ReadRealm(bytes)).json))
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"))
    func `sorts the sets of formats before 24`() throws {
        let folder = try #require(Self.folder)
        let file = folder.appending(path: "test_upgrade_database_1000_22.realm")
        let realm = try ReadRealm(tablesOf: try SharedFiles.bytes(file))
        let schema = try #require(realm.snapshot["table"]?.schema)
        let index = try #require(schema.properties.firstIndex { $0.name == "set" })
        let object = try #require(realm.objects["table"]?.first)
        guard case .list(let elements) = object.values[index] else {
            Issue.record("no set")
            return
        }
        #expect(elements.count > 5)
        #expect(elements == ValueOrder.sortedUnique(elements))
    }

    @Test(.enabled(if: folder != nil, "shared files are missing"))
    func `leaves out tables that are no classes`() throws {
        let folder = try #require(Self.folder)
        let realm = try ReadRealm(try SharedFiles.bytes(folder.appending(path: "downgrade_asymmetric.realm")))
        #expect(realm.snapshot.classes.isEmpty)
        #expect(realm.snapshot.schemaVersion == nil)
    }
}
