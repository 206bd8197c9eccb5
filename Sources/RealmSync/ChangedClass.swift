import RealmEditing
import RealmJSON
import RealmModel

/// A class as batches change it.
struct ChangedClass {
    private let index: Int
    /// The class's name.
    let name: String
    /// The stored column of each property of the schema; nil of those that are computed, or that the realm has not.
    let columns: [Int?]
    /// Which properties may hold links: they are set when all objects are made, whatever they are to hold, so that of several
    /// upserts of an object the last one counts.
    let isLinked: [Bool]
    /// Whether any property may.
    let hasLinks: Bool
    /// The stored column of the primary key.
    let primaryKeyColumn: Int?
    /// The value of each stored column in a new object where nothing is given.
    let initialValues: [Value]

    private let isStored: Bool

    init(_ index: Int, in view: RealmView, declared: Schema) {
        self.index = index
        let shown = view.schema.classes[index]
        let stored = view.workingClass(index)
        name = shown.name
        isStored = stored != nil
        let schema = stored?.schema ?? ObjectSchema(shown.name)
        columns = shown.properties.map { property in
            property.isComputed
                ? nil : schema.index(ofProperty: property.name)
        }
        isLinked = shown.properties.map { $0.isLink || $0.type == .mixed }
        hasLinks = isLinked.contains(true)
        primaryKeyColumn = shown.primaryKey.flatMap { name in
            schema.index(ofProperty: name)
        }
        let defaults = declared[shown.name]
        initialValues = schema.properties.map { property in
            defaults?.property(named: property.name)?.defaultValue ?? property.initialValue
        }
    }

    /// Refuses values of properties that the realm has not, or not yet.
    ///
    /// - Throws: `ChangeError.notStored`.
    func requireStored(_ members: [ChangeBatch.Member], in schema: Schema) throws {
        for member in members where columns[member.property] == nil {
            let shown = schema.classes[index]
            throw ChangeError.notStored(
                className: shown.name, property: isStored ? shown.properties[member.property].publicName : nil)
        }
    }
}
