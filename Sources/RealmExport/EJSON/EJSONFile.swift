import Columns
import RealmJSON
import RealmModel

/// MongoDB's Extended JSON, canonical: a document an object, a line each, as `mongoimport` takes them.
///
/// `_id` is the object's own property of that name, or its primary key, or its object key.
final class EJSONFile: ClassFile {
    private let source: ClassSource
    private let documents: EJSONDocuments
    private(set) var losses: [NameKey: Losses] = [:]

    init(_ context: ClassFileContext) {
        source = context.source
        documents = EJSONDocuments(context.snapshot.declared)
    }

    var names: [NameKey: PlaceName] {
        zip(source.schema.persistedProperties, documents.names(of: source.schema)).reduce(into: [:]) { names, member in
            let (property, name) = member
            names[NameKey(property.name)] = PlaceName(.member, name, insteadOf: property.publicName)
        }
    }

    func begin() -> [UInt8] { [] }

    func write(group: Int, _ text: RowGroupText) throws -> [UInt8] {
        var out: [UInt8] = []
        var object: [UInt8] = []
        for row in source.liveRows(inGroup: group) {
            object.removeAll(keepingCapacity: true)
            try text.append(row: row, to: &object)
            out += documents.document(of: try JSONValue.parse(object), source.schema, losses: &losses).encoded()
            out.append(UInt8(ascii: "\n"))
        }
        return out
    }

    func finish() -> [UInt8] { [] }
}
