import Columns
import RealmModel

/// One class while its objects are read: where members go, which keys came, and the columns that are being written.
final class ClassIntake {
    /// The class, linking objects left out.
    let schema: ObjectSchema
    /// A property and its column, in the order of `schema`.
    let properties: [PropertyIntake]
    /// The properties again, for what is done for every object: there, to retain each would take longer than its work.
    let unretainedProperties: [Unmanaged<PropertyIntake>]
    /// The public names of the properties, which objects are written in.
    let names: NameTable
    let writer: ClassWriter
    /// Whether objects may say their key: those of classes that are not embedded and have no primary key.
    let takesKeys: Bool
    /// The index of the primary key property.
    let primaryKey: Int?
    /// The indexes of the properties that hold embedded objects.
    let embedding: [Int]
    @exclusivity(unchecked) var keys: KeyIntake
    @exclusivity(unchecked) var primaryKeys = PrimaryKeyTable()
    /// The property that the member of a place was in the object before: objects of a class are written alike.
    @exclusivity(unchecked) var guesses: [Int]

    init(_ objectSchema: ObjectSchema, in schema: Schema, store: any SegmentStore, limits: RowGroupLimits) {
        // A schema may ask for indexes that no realm has: what is stored has none of them.
        var storable = objectSchema
        for (index, property) in objectSchema.properties.enumerated() where !property.supports(property.index) {
            storable.properties[index].index = .none
        }
        writer = ClassWriter(schema: storable, store: store, limits: limits)
        let stored = writer.schema
        self.schema = stored
        properties = zip(stored.properties, writer.columns).map { PropertyIntake($0, builder: $1, in: schema) }
        unretainedProperties = properties.map { .passUnretained($0) }
        names = NameTable(stored.properties.map(\.publicName))
        primaryKey = stored.properties.firstIndex { stored.primaryKey.hasSameBytes(as: $0.name) }
        takesKeys =
            primaryKey == nil && !stored.isEmbedded
            && !stored.properties.contains { $0.publicName.hasSameBytes(as: "_key") }
        embedding = properties.indices.filter { [properties] in properties[$0].isEmbedding }
        keys = KeyIntake(hasPrimaryKey: primaryKey != nil)
        guesses = Array(stored.properties.indices)
    }
}

/// One property while objects are read.
final class PropertyIntake {
    let property: Property
    let builder: ColumnBuilder
    /// The number of the class that links lead to.
    let target: Int?
    /// Whether the target's objects stand in line.
    let isEmbedding: Bool
    /// Whether a link was taken whose target had not come yet.
    var hasForwardLinks = false

    init(_ property: Property, builder: ColumnBuilder, in schema: Schema) {
        self.property = property
        self.builder = builder
        target =
            property.type == .object ? schema.classes.firstIndex { property.objectType.hasSameBytes(as: $0.name) } : nil
        isEmbedding = target.map { schema.classes[$0].isEmbedded } ?? false
    }
}
