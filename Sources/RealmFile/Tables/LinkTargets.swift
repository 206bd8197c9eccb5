/// The classes of a file as what links lead to.
final class LinkTargets {
    private let targets: [Int64: LinkTarget]

    /// No classes: for Realm's own tables, which have no links.
    init() {
        targets = [:]
    }

    /// - Parameters:
    ///   - tables: the tables that hold classes, by table key.
    ///   - names: the names of the classes, by table key.
    init(_ tables: [Int64: Table], named names: [Int64: String], in image: Image) {
        // Keys are read beside the objects: what they take counts apart.
        let image = Image(image.bytes, formatVersion: image.formatVersion)
        targets = tables.reduce(into: [:]) { targets, entry in
            targets[entry.key] = LinkTarget(names[entry.key] ?? entry.value.name, entry.value, in: image)
        }
    }

    /// Classes of which it is not asked which objects they have: whoever reads links looks at them later.
    ///
    /// - Parameter names: the names of the classes, by table key.
    init(uncheckedNamed names: [Int64: String], in image: Image) {
        targets = names.mapValues { LinkTarget($0, nil, in: image) }
    }

    /// The class of a table.
    subscript(table: Int64) -> LinkTarget? { targets[table] }

    /// The class that a column's links lead to.
    subscript(table: Int64?) -> LinkTarget? { table.flatMap { targets[$0] } }
}
