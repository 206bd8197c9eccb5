import RealmModel
import RealmSync
import SnapshotStore

/// A realm as one of its clients sees it: its current snapshot, and what the client's schema version shows of it.
package struct ClientRealm {
    package let realm: Realm
    package let opened: OpenSnapshot
    package let view: SchemaView

    /// Puts them together.
    package init(realm: Realm, opened: OpenSnapshot, view: SchemaView) {
        (self.realm, self.opened, self.view) = (realm, opened, view)
    }
}
