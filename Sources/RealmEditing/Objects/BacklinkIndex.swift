import Columns
import RealmModel

/// Which objects of a class link to which, by one column.
struct BacklinkIndex {
    /// The links that an index is of.
    struct Name: Hashable {
        let origin: Int
        let property: NameKey
        /// The class that is linked to: a mixed property links to several.
        let target: Int
    }

    /// The view's `linkRevision` when it was built.
    let revision: Int
    private let table: LinkTable

    init(of stored: WorkingClass, column: WorkingColumn, to className: String, revision: Int) throws {
        self.revision = revision
        var links = LinkTable()
        try stored.forEachObject { position, key in
            for target in try stored.value(column, at: position).linkedKeys(ofClass: className) {
                links.append(target: target.value, origin: key)
            }
        }
        links.sort()
        table = links
    }

    /// The keys of the objects that link to a key, each as often as it does.
    func origins(of key: Int64) -> [Int64] { table.origins(of: key) }
}
