import Columns
import RealmEditing
import RealmJSON
import RealmMigration
import RealmModel

/// Makes what a function answered a batch of changes of the other side.
///
/// A link to an object that has no partner yet is null until that is there: whoever fills in the rest comes by again.
final class DerivedBatch {
    private let application: ChangeApplication
    private let classIndex: Int
    /// The function's properties as the class stores them, by their indexes there.
    private let targets: [(index: Int, property: Property)]
    private let shown: [Property]
    /// The primary keys of objects that the batch is sure to make or change.
    private let own: Set<Value>
    private var batch = ChangeBatch()
    /// The properties with links that lead nowhere, and the classes of what is not there, by the places of the objects.
    private(set) var broken: [Int: [NameKey: String]] = [:]
    /// The class of an object that is not there and that the property links to which is read.
    private var missing: String?

    init(_ application: ChangeApplication, className: String, properties: [Property], own: Set<Value>) throws {
        self.application = application
        self.own = own
        let view = application.editor.view
        guard let classIndex = view.index(of: className) else {
            throw ChangeError.notStored(className: className, property: nil)
        }
        self.classIndex = classIndex
        shown = properties
        let stored = view.schema.classes[classIndex].properties
        targets = try properties.map { property in
            guard let index = stored.firstIndex(where: { $0.name.hasSameBytes(as: property.name) }) else {
                throw ChangeError.notStored(className: className, property: property.name)
            }
            return (index, stored[index])
        }
    }

    /// The columns of the answers beside the held objects, the primary key left out; nil where a property is not stored, or
    /// not as functions see it.
    ///
    /// - Parameters:
    ///   - held: the objects of the side, one a row of the answers.
    ///   - side: as what they are seen.
    func columns(
        of answers: FunctionAnswers, beside held: FunctionObjects, seenAs side: FunctionRows
    ) -> [ChangeApplication.ChangedColumn]? {
        let schema = application.editor.view.schema.classes[classIndex]
        var columns: [ChangeApplication.ChangedColumn] = []
        for (place, (index, stored)) in targets.enumerated() where !schema.isPrimaryKey(stored) {
            let own = side.properties.firstIndex { $0.name.hasSameBytes(as: stored.name) }
            guard application.changesByColumns(index, of: classIndex), stored.type == shown[place].type, let own else {
                return nil
            }
            columns.append(
                .init(
                    property: index, type: ColumnType(shown[place]), cells: answers.columns[place],
                    held: held.columns[own]))
        }
        return columns
    }

    /// Adds the object of a row.
    ///
    /// - Throws: `EditingError` where a value does not fit an embedded object.
    func add(_ answers: FunctionAnswers, row: Int, primaryKey: Value) throws {
        let schema = application.editor.view.schema.classes[classIndex]
        var members: [ChangeBatch.Member] = []
        var broken: [NameKey: String] = [:]
        for (place, target) in targets.enumerated() where answers.columns[place].isGiven(row) {
            guard !schema.isPrimaryKey(target.property) else { continue }
            let value = try answers.columns[place].values.value(at: row, as: ColumnType(shown[place]))
            missing = nil
            members.append(
                ChangeBatch.Member(property: target.index, value: try given(value, for: target.property)))
            broken[NameKey(target.property.name)] = missing
        }
        if !broken.isEmpty { self.broken[batch.upserts.count] = broken }
        batch.upserts.append(
            ChangeBatch.Upsert(classIndex: classIndex, primaryKey: primaryKey, members: members))
    }

    /// The batch.
    func finish() -> ChangeBatch { batch }

    private func given(_ value: Value, for property: Property) throws -> ChangeBatch.Given {
        let view = application.editor.view
        guard property.type == .object, let name = property.objectType, let target = view.index(of: name) else {
            return .value(value)
        }
        guard view.schema.classes[target].isEmbedded else {
            return .links(try linked(value, target, property))
        }
        switch (property.collection, value) {
        case (.list, .list(let elements)):
            return .objects(try elements.map { try members($0, of: target, property) })
        case (.dictionary, .dictionary(let entries)):
            return .entries(
                try entries.map { ($0.key, $0.value.isNull ? nil : try members($0.value, of: target, property)) })
        case (_, .null): return .value(.null)
        default: return .object(try members(value, of: target, property))
        }
    }

    // MARK: Links

    /// A value of primary keys as one of references.
    private func linked(_ value: Value, _ target: Int, _ property: Property) throws -> Value {
        switch value {
        case .null: return .null
        case .list(let elements):
            return .list(try elements.map { try linked($0, target, property) }.filter { !$0.isNull })
        case .dictionary(let entries):
            return .dictionary(
                try entries.map { DictionaryEntry($0.key, try linked($0.value, target, property)) })
        default:
            let isOwn = target == classIndex && own.contains(value)
            guard try isOwn || application.editor.object(in: target, of: value) != nil else {
                missing = application.editor.view.schema.classes[target].name
                return .null
            }
            batch.references.append(
                ChangeBatch.Reference(
                    classIndex: target, target: .primaryKey(value), upsert: batch.upserts.count))
            return .link(ObjectKey(Int64(batch.references.count - 1)))
        }
    }

    // MARK: Embedded objects

    private func members(_ value: Value, of target: Int, _ owner: Property) throws -> [ChangeBatch.Member] {
        let shown = application.editor.view.schema.classes[target]
        guard case .dictionary(let entries) = value else {
            throw EditingError(.typeMismatch, "Expected '\(owner.publicName)' to be an object of \(shown.name)")
        }
        return try entries.map { entry in
            guard let index = shown.properties.firstIndex(where: { $0.publicName.hasSameBytes(as: entry.key) }) else {
                throw EditingError(
                    .invalidProperty, "Property '\(shown.name).\(entry.key)' does not exist.",
                    details: [
                        ProblemItem("There is no such property.", className: shown.name, property: entry.key)
                    ])
            }
            let property = shown.properties[index]
            guard property.type == .object else {
                let value = try application.editor.coerce(entry.value.asInput, to: property, of: shown.name)
                return ChangeBatch.Member(property: index, value: .value(value))
            }
            return ChangeBatch.Member(property: index, value: try given(entry.value, for: property))
        }
    }
}

extension Value {
    /// The value as somebody would give it, without its type.
    fileprivate var asInput: ObjectInput {
        switch self {
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        case .float(let number): .double(Double(number))
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .date(let date): .date(date)
        case .decimal128(let number): .decimal128(number)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        case .link, .typedLink: .value(self)
        case .list(let elements): .array(elements.map(\.asInput))
        case .dictionary(let entries): .members(entries.map { ($0.key, $0.value.asInput) })
        }
    }
}
