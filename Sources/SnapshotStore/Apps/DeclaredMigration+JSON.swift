import RealmJSON
import RealmMigration
import RealmModel
import StoreCore

extension DeclaredMigration: StoredDocument {
    package init(json: JSONValue) throws(StoreError) {
        do throws(InputError) { try self.init(json) } catch { throw .damaged("a stored migration") }
    }
}
