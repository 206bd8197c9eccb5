import Columns
import RealmEditing
import RealmModel
import Testing

/// Some objects of a realm are changed, found by their primary keys.
@Suite struct BatchOfChangesTests {
    @Test func `sets, creates and deletes objects`() throws {
        let before = try EditedRealm(500)
        let after = try before.edited { editor in
            let ada = try #require(try editor.person(1230))
            try editor.set(1, of: ada, to: .string("Ada"))
            try editor.delete(try #require(try editor.person(4990)))
            #expect(try editor.person(4990) == nil)
            _ = try editor.create(
                in: "Person",
                .members([
                    ("id", .int(7)), ("name", .string("Grace")), ("friend", .object(ada)),
                    ("home", .members([("city", .string("Arlington"))])),
                ]))
        }
        var expected = try before.objects()
        expected[.int(1230)]?[1] = .string("Ada")
        expected[.int(4990)] = nil
        expected[.int(7)] = [.int(7), .string("Grace"), .link(ObjectKey(123)), .link(ObjectKey(0))]
        #expect(try after.objects() == expected)
        #expect(try after.objects("Home") == [.string("Arlington"): [.string("Arlington")]])
        #expect(after.snapshot.schemaVersion == before.snapshot.schemaVersion)
    }

    /// Adding and setting many at once has the same result as one by one.
    @Test(arguments: [1, 2, 99, 100, 101, 250])
    func `adds and sets many as one by one`(count: Int) throws {
        let before = try EditedRealm(150)
        let names = (0..<count).map { Value.string($0.isMultiple(of: 3) ? "e\u{301}\($0)" : "é\($0)") }
        let ids = (0..<count).map { Int64($0) * 10 + 3 }
        let single = try before.edited { editor in
            for (id, name) in zip(ids, names) {
                let name = ObjectInput.value(name)
                _ = try editor.create(in: "Person", .members([("id", .int(id)), ("name", name)]))
                try editor.set(1, of: try #require(try editor.person(id - 3) ?? editor.person(id)), to: name)
            }
        }
        let many = try before.edited { editor in
            _ = try editor.person(0)
            var keys: [Int64] = []
            for start in stride(from: 0, to: count, by: 100) {
                let rows = start..<min(start + 100, count)
                let types = try editor.columnTypes(of: 0)
                let nulls = try ColumnArray(rows.map { _ in Value.null }, as: types[2])
                keys += try editor.insert(
                    [
                        try ColumnArray(ids[rows].map { .int($0) }, as: types[0]),
                        try ColumnArray(names[rows], as: types[1]), nulls, nulls,
                    ], into: 0)
            }
            #expect(keys == (0..<count).map { Int64(150 + $0) })
            for (id, name) in zip(ids, names) {
                let person = try #require(try editor.person(id))
                #expect(person.key.value == 150 + id / 10)
                try editor.set([(1, name)], of: try editor.person(id - 3) ?? person)
            }
            #expect(try editor.person(ids[count - 1] + 10) == nil)
        }
        #expect(try single.objects() == many.objects())
        #expect(single.snapshot["Person"]?.nextSequence == many.snapshot["Person"]?.nextSequence)
    }

    @Test func `leaves columns alone that it does not touch`() throws {
        let before = try EditedRealm(500)
        let after = try before.edited { editor in
            try editor.set(1, of: try #require(try editor.person(1230)), to: .string("Ada"))
        }
        let (old, new) = (before.snapshot.classes[0], after.snapshot.classes[0])
        #expect(old.keys == new.keys && old.rowGroups == new.rowGroups)
        #expect(zip(old.columns, new.columns).map { $0 == $1 } == [true, false, true, true])
    }

    @Test func `lets embedded objects go with what owned them`() throws {
        let home: ObjectInput = .members([("city", .string("Bath"))])
        let housed = try EditedRealm(3).edited { editor in
            try editor.set(3, of: try #require(try editor.person(0)), to: home)
            try editor.set(3, of: try #require(try editor.person(10)), to: home)
        }
        #expect(housed.snapshot["Home"]?.objectCount == 2)
        let after = try housed.edited { editor in
            try editor.set(3, of: try #require(try editor.person(0)), to: .null)
            try editor.delete(try #require(try editor.person(10)))
        }
        #expect(after.snapshot["Home"]?.objectCount == 0)
    }

    @Test func `leaves no embedded object of a collection that is refused`() throws {
        let (home, wrong): (ObjectInput, ObjectInput) = (.members([("city", .string("Bath"))]), .members([]))
        let after = try EditedRealm(0).edited { editor in
            let street = try editor.create(in: "Street", .members([("row", .array([home]))]))
            func refuse(_ change: () throws -> Void) { #expect(throws: EditingError.self, performing: change) }
            refuse { try editor.set(0, of: street, to: .array([home, wrong])) }
            refuse { _ = try editor.splice(0, of: street, at: 0, removeCount: 1, inserting: [home, wrong]) }
            refuse { try editor.set(1, of: street, to: .members([("a", home), ("b.c", home)])) }
            refuse { try editor.set(1, of: street, to: .members([("a", home), ("b", wrong)])) }
            refuse { try editor.setEntry("$a", of: 1, of: street, to: home) }
            refuse { _ = try editor.create(in: "Street", .members([("named", .members([("$a", home)]))])) }
        }
        #expect(after.snapshot["Home"]?.objectCount == 1 && after.snapshot["Street"]?.objectCount == 1)
    }

    @Test func `clears links to objects that it deletes`() throws {
        let linked = try EditedRealm(3).edited { editor in
            let friend = try #require(try editor.person(20))
            try editor.set(2, of: try #require(try editor.person(0)), to: .object(friend))
        }
        let after = try linked.edited { try $0.delete(try #require(try $0.person(20))) }
        #expect(try after.objects()[.int(0)]?[2] == .null)
    }

    @Test func `refuses primary keys that are taken, and others for what is there`() throws {
        let before = try EditedRealm(3)
        let after = try before.edited { editor in
            let input: ObjectInput = .members([("id", .int(10)), ("name", .string("twin"))])
            let taken = #expect(throws: EditingError.self) { try editor.create(in: "Person", input) }
            #expect(taken?.code == .objectAlreadyExists)
            #expect(taken?.details.first?.primaryKey == .int(10))
            let person = try #require(try editor.person(10))
            let changed = #expect(throws: EditingError.self) { try editor.set(0, of: person, to: .int(11)) }
            #expect(changed?.code == .modifyPrimaryKey)
            try editor.set(0, of: person, to: .int(10))
            let column = ColumnArray(count: 3, values: .int([1, 2, 3]))
            #expect(throws: EditingError.self) { try editor.replaceColumn(0, of: 0, rowGroup: 0, with: column) }
            // One that was deleted is free again.
            try editor.delete(person)
            _ = try editor.create(in: "Person", input)
            #expect(throws: EditingError.self) { try editor.create(in: "Person", input) }
        }
        #expect(try after.objects()[.int(10)]?[1] == .string("twin"))
        #expect(after.snapshot["Person"]?.objectCount == 3)
    }

    @Test func `says what is wrong and changes nothing`() throws {
        let before = try EditedRealm(3)
        _ = try before.edited { editor in
            let person = try #require(try editor.person(10))
            let wrongType = #expect(throws: EditingError.self) { try editor.set(1, of: person, to: .int(1)) }
            #expect(wrongType?.code == .typeMismatch)
            let missing = #expect(throws: EditingError.self) { try editor.create(in: "Person", .members([])) }
            #expect(missing?.code == .missingPropertyValue)
            let unknown = #expect(throws: EditingError.self) { try editor.create(in: "Dog", .members([])) }
            #expect(unknown?.code == .noSuchTable)
            let embedded = #expect(throws: EditingError.self) { try editor.create(in: "Home", .members([])) }
            #expect(embedded?.code == .illegalOperation)
            try editor.delete(person)
            let gone = #expect(throws: EditingError.self) { try editor.set(1, of: person, to: .string("x")) }
            #expect(gone?.code == .invalidatedObject)
        }
        let other = ObjectReference(side: .old, classIndex: 0, key: ObjectKey(0))
        _ = try before.edited { editor in
            #expect(throws: EditingError.self) { try editor.set(1, of: other, to: .string("x")) }
            #expect(throws: EditingError.self) {
                try editor.set(2, of: try #require(try editor.person(0)), to: .object(other))
            }
        }
    }
}
