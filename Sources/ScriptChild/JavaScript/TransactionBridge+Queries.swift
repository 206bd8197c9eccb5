import CJavaScriptCore
import RealmEditing
import RealmMigration
import RealmModel
import RealmQuery

/// Queries and orders of objects.
extension TransactionBridge {
    /// Chooses objects by a query.
    ///
    /// Arguments: side, class, the keys as a BigInt64Array or null for all objects, the query, its arguments as the
    /// prelude codes an array. Answers the keys.
    func filter(_ arguments: Arguments) throws -> JSValueRef {
        let (source, objects) = try queried(arguments)
        guard case .array(let values) = try context.input(arguments[4]) else {
            throw MigrationError(.invalidArgument, "An array was expected.")
        }
        let schema = source.schema
        return try asking {
            let query = try Query(
                try arguments.string(3), arguments: try values.map { try value(of: $0) },
                on: schema.classes[source.classIndex].name, in: schema)
            return try query.ordered(try objects.filter { try query.matches($0, in: source) }, in: source)
        }
    }

    /// Brings objects into an order.
    ///
    /// Arguments: side, class, the keys as `filter` takes them, pairs of a path and whether it is reversed as the
    /// prelude codes an array. Answers the keys.
    func sort(_ arguments: Arguments) throws -> JSValueRef {
        let (source, objects) = try queried(arguments)
        guard case .array(let parts) = try context.input(arguments[3]) else {
            throw MigrationError(.invalidArgument, "An array was expected.")
        }
        let keys = stride(from: 0, to: parts.count - 1, by: 2).map { index in
            var path = ""
            if case .string(let text) = parts[index] { path = text }
            var isReversed = false
            if case .bool(let flag) = parts[index + 1] { isReversed = flag }
            return (path: path, isReversed: isReversed)
        }
        let schema = source.schema
        return try asking {
            try SortOrder(keys, on: schema.classes[source.classIndex].name, in: schema).sorted(objects, in: source)
        }
    }

    private func asking(_ objects: () throws -> [ObjectReference]) throws -> JSValueRef {
        do {
            return try context.makeIntegers(try objects().map(\.key.value))
        } catch let error as QueryError {
            throw MigrationError(.invalidArgument, error.description.bounded())
        }
    }

    private func queried(_ arguments: Arguments) throws -> (TransactionQuerySource, [ObjectReference]) {
        let side = try side(arguments)
        let classIndex = try classIndex(arguments, side: side)
        let source = TransactionQuerySource(transaction: transaction, side: side, classIndex: classIndex)
        guard context.type(of: arguments[2]) == kJSTypeNull else {
            let keys: [Int64] = try context.cells(arguments[2], as: kJSTypedArrayTypeBigInt64Array)
            let objects = keys.map { ObjectReference(side: side, classIndex: classIndex, key: ObjectKey($0)) }
            return (source, try objects.filter { try transaction.isValid($0) })
        }
        var objects: [ObjectReference] = []
        for run in 0..<(try transaction.keyRunCount(of: classIndex, side: side)) {
            for key in try transaction.keys(inRun: run, of: classIndex, side: side) {
                objects.append(ObjectReference(side: side, classIndex: classIndex, key: ObjectKey(key)))
            }
        }
        return (source, objects)
    }

    private func value(of input: ObjectInput) throws -> Value {
        switch input {
        case .undefined, .null: return .null
        case .bool(let flag): return .bool(flag)
        case .int(let number): return .int(number)
        case .double(let number): return .double(number)
        case .float(let number): return .double(Double(number))
        case .string(let text): return .string(text)
        case .data(let bytes): return .data(bytes)
        case .date(let date): return .date(date)
        case .decimal128(let number): return .decimal128(number)
        case .objectId(let id): return .objectId(id)
        case .uuid(let id): return .uuid(id)
        case .value(let value): return value
        case .array(let elements): return .list(try elements.map { try value(of: $0) })
        case .object(let object):
            let classes = (object.side == .old ? transaction.oldSchema : transaction.newSchema).classes
            guard classes.indices.contains(object.classIndex) else {
                throw MigrationError(.noSuchTable, "There is no such class.")
            }
            return .typedLink(className: classes[object.classIndex].name, object.key)
        case .members: throw MigrationError(.invalidArgument, "An argument of a query is no value of a property.")
        }
    }
}

/// The objects of one side of a migration, for queries.
private struct TransactionQuerySource: QuerySource {
    let transaction: MigrationTransaction
    let side: RealmSide
    let classIndex: Int

    var schema: Schema { side == .old ? transaction.oldSchema : transaction.newSchema }

    func key(of object: ObjectReference) -> ObjectKey { object.key }

    func value(_ property: Int, of object: ObjectReference) throws -> Value {
        try transaction.value(property, of: object)
    }

    func origins(of object: ObjectReference, from className: String, by property: String) throws -> [ObjectReference] {
        try transaction.linkingObjects(from: className, by: property, to: object)
    }

    func target(of link: Value, objectType: String?) -> ObjectReference? {
        let target: (className: String?, key: ObjectKey)
        switch link {
        case .link(let key): target = (objectType, key)
        case .typedLink(let className, let key): target = (className, key)
        default: return nil
        }
        guard let index = schema.classes.firstIndex(where: { $0.name == target.className }) else { return nil }
        return ObjectReference(side: side, classIndex: index, key: target.key)
    }
}
