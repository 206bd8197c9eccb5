import Columns
import RealmEditing
import RealmModel
import TestRandomness
import Testing

@Suite struct PrimaryKeyLookupTests {
    @Test func `asks the store's index, and reads no more than the objects`() throws {
        let store = IndexedStore()
        let realm = try EditedRealm(1000, in: store)
        let read = store.segmentsRead
        _ = try realm.edited { (editor: RealmEditor) throws in
            #expect(try editor.person(1230)?.key == ObjectKey(123))
            #expect(try editor.person(1231) == nil)
            #expect(try editor.person(70)?.key == ObjectKey(7))
        }
        #expect(store.lookups == 3)
        // The row groups, and the keys of persons of two of them at most.
        #expect(store.segmentsRead - read <= 5)
    }

    /// After any changes a look-up finds what going through all objects finds.
    @Test(arguments: 0..<40)
    func `finds what is there, whatever was changed`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let store: any SegmentStore = seed.isMultiple(of: 2) ? IndexedStore() : MemorySegmentStore()
        let realm = try EditedRealm(.random(in: 0...350, using: &random), in: store)
        _ = try realm.edited(takenPrimaryKeys: .stand) { editor in
            for _ in 0..<60 {
                let id = Int64.random(in: 0...400, using: &random) * 5
                let expected = try Self.firstPerson(id, in: editor)
                // Not each time: the first look-up may come when much has changed.
                if Bool.random(using: &random) { #expect(try editor.person(id)?.key == expected?.key) }
                switch (Int.random(in: 0..<4, using: &random), expected) {
                case (0, let person?): try editor.delete(person)
                case (1, let person?): try editor.set(0, of: person, to: .int(.random(in: 0...2000, using: &random)))
                default: _ = try editor.create(in: "Person", .members([("id", .int(id)), ("name", .string(""))]))
                }
            }
        }
    }

    /// By going through all objects.
    private static func firstPerson(_ id: Int64, in editor: RealmEditor) throws -> ObjectReference? {
        var found: ObjectReference?
        try editor.view.keys(of: 0) { keys in
            for key in keys where found == nil {
                let person = ObjectReference(side: .new, classIndex: 0, key: ObjectKey(key))
                if try editor.view.value(0, of: person) == .int(id) { found = person }
            }
        }
        return found
    }
}
