import Columns
import RealmModel

/// The classes of a snapshot and what refers to their objects, by name: what all files of an archive have in common.
struct NamedRelations {
    private let classes: [NameKey: ObjectSchema]
    private let relations: [NameKey: ClassRelation]

    /// - Parameter written: the classes that files are made of.
    /// - Throws: `tooLarge` where these have too many columns; what the store throws; `ColumnError`.
    init(_ snapshot: Snapshot, store: any SegmentStore, written: [ObjectSchema]) throws {
        // The columns of a group are those of its parts; a dictionary has one of its keys.
        var width = EmbeddedWidth(snapshot.declared.classes.filter(\.isEmbedded)) { property, holdsColumns in
            (holdsColumns ? 0 : 1) + (property.collection == .dictionary ? 1 : 0)
        }
        try width.check(written)
        let traits = try SnapshotTraits(
            snapshot, store: store, mayLoseValues: { _ in false }, losesValues: { _ in false })
        let made = try RelationalSchema(snapshot.declared, rules: .columns, needsObjectKey: traits.hasNullKey)
        classes = Dictionary(
            snapshot.declared.classes.map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        relations = Dictionary(
            made.classes.map { (NameKey($0.schema.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The relation of a class.
    subscript(_ name: String) -> ClassRelation? { relations[name: name] }

    /// The embedded class that a property holds objects of; nil where it holds none.
    func embeddedClass(of property: Property) -> ObjectSchema? {
        guard property.type == .object, let target = property.objectType.flatMap({ classes[name: $0] }),
            target.isEmbedded
        else { return nil }
        return target
    }
}
