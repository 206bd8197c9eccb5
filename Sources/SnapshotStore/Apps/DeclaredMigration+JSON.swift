import RealmJSON
import RealmMigration
import RealmModel

extension DeclaredMigration: StoredDocument {
    init(json: JSONValue) throws(StoreError) {
        do throws(InputError) { try self.init(json) } catch { throw .damaged("a stored migration") }
    }
}
