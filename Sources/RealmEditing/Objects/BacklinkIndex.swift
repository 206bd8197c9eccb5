import RealmModel

/// Which objects of a class link to which, by one column.
struct BacklinkIndex {
    /// What an index is of.
    struct Name: Hashable {
        let origin: Int
        let property: NameKey
    }

    /// The view's `linkRevision` when it was built.
    let revision: Int
    private var links: [(target: Int64, origin: Int64)] = []

    init(of stored: WorkingClass, column: WorkingColumn, revision: Int) throws {
        self.revision = revision
        try stored.forEachObject { position, key in
            for target in try stored.value(column, at: position).linkedKeys { links.append((target.value, key)) }
        }
        links.sort { ($0.target, $0.origin) < ($1.target, $1.origin) }
    }

    /// The keys of the objects that link to a key, each as often as it does.
    func origins(of key: Int64) -> [Int64] {
        links[links.partitioningIndex { $0.target >= key }...].prefix { $0.target == key }.map(\.origin)
    }
}
