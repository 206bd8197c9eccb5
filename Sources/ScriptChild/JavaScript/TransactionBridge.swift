import CJavaScriptCore
import Columns
import Glibc
import RealmEditing
import RealmMigration
import RealmModel

/// The functions of a migration's transaction, as the prelude calls them.
///
/// Sides, classes and properties are the numbers that `SchemaDescription` gave; keys are numbers or BigInts. The
/// prelude is not trusted either: what is out of range is an error, never a trap.
final class TransactionBridge {
    let context: JavaScriptContext
    let transaction: MigrationTransaction
    private let makers: [ScriptValueMaker]
    private var enumerations: [MigrationTransaction.Enumeration] = []
    private let slots = CallSlots()
    private let output: Output
    /// The classes that were enumerated in vain.
    private var unknownClasses: Set<String> = []

    /// The bytes of row groups that links lead to which the prelude may keep.
    private let cacheBytes: Int

    /// How often the script asked for objects or changed anything.
    private(set) var operationCount = 0

    /// Where a run's progress, its warnings and what is noticed of it go.
    struct Output {
        var progressed: (MigrationProgress) -> Void
        /// Hears of which independent class an enumeration begins; nil where one has ended.
        var enumerating: (String?) -> Void
        var warned: (String) -> Void
        var found: (MigrationFinding) -> Void
        /// Makes an item of what the prelude's `describe` says of an error; throws one that is not the object's.
        var quarantined: (JSValueRef, String, ObjectKey) throws -> ProblemItem
    }

    init(_ transaction: MigrationTransaction, context: JavaScriptContext, memoryBytes: Int, output: Output) {
        self.output = output
        self.transaction = transaction
        cacheBytes = min(memoryBytes / 10, transaction.rowGroupLimits.bytes * 4)
        self.context = context
        makers = [
            ScriptValueMaker(context: context, side: .old, schema: transaction.oldSchema),
            ScriptValueMaker(context: context, side: .new, schema: transaction.newSchema),
        ]
    }

    /// An object with all the functions, each of which is made when the prelude first asks for it.
    func makeNative(raise: @escaping (any Error) -> JSValueRef?) throws -> JSObjectRef {
        let native = try context.checked(JSObjectMake(context.reference, nil, nil), nil)
        slots.note(deletionCount: transaction.deletionCount)
        try context.set("slots", of: native, to: try slots.makeTypedArray(in: context))
        try context.set("clock", of: native, to: try ProcessorClock.makeTypedArray(in: context))
        try context.set("cacheBytes", of: native, to: context.make(cacheBytes))
        let runRows = max(transaction.rowGroupLimits.rows / 32, 1)
        try context.set("runShift", of: native, to: context.make(runRows.bitWidth - 1 - runRows.leadingZeroBitCount))
        try context.set("waitingBytes", of: native, to: context.make(transaction.rowGroupLimits.bytes * 2))
        try context.set("quarantines", of: native, to: context.make(transaction.quarantines))
        try context.set("isIndependent", of: native, to: context.make(transaction.isIndependent))
        try context.set("isRetry", of: native, to: context.make(transaction.isRetry))
        try LazyFunctions.define(on: native, in: context, raise: raise, body: body(of:))
        return native
    }

    /// The body of a function; nil where there is none of that name.
    private func body(of name: String) -> NativeFunction.Body? {
        switch name {
        case "enumeration": counted(enumeration)
        case "batch": counted(batch)
        case "progress": progress
        case "enumerating": enumerating
        case "slowExpression": slowExpression
        case "keyRunCount": counted(keyRunCount)
        case "keys": counted(keys)
        case "count": counted(count)
        case "find": counted(find)
        case "initialKey": initialKey
        case "filter": counted(filter)
        case "sort": counted(sort)
        case "isValid": counted(isValid)
        case "value": counted(value)
        case "set": writing(set)
        case "linkingObjects": counted(linkingObjects)
        case "append": writing(append)
        case "splice": writing(splice)
        case "setElement": writing(setElement)
        case "setEntry": writing(setEntry)
        case "remove": writing(remove)
        case "create": writing(create)
        case "delete": writing(delete)
        case "deleteData": writing(deleteData)
        case "deleteModel": writing(deleteModel)
        case "renameProperty": counted(renameProperty)
        case "renameClass": counted(renameClass)
        case "quarantine": quarantine
        case "restore": writing(restore)
        case "duplicates": duplicates
        case "replaceObjects": writing(replaceObjects)
        case "newName": newName
        case "column": counted(column)
        case "replaceText": counted(replaceText)
        case "replaceCells": counted(replaceCells)
        case "replaceData": counted(replaceData)
        case "replaceMixed": counted(replaceMixed)
        case "mayCopy": counted(mayCopy)
        case "copyRows": counted(copyRows)
        case "replaceLists": counted(replaceLists)
        case "rowGroups": counted(rowGroups)
        case "groupKeys": counted(groupKeys)
        default: nil
        }
    }

    private func counted(_ body: @escaping NativeFunction.Body) -> NativeFunction.Body {
        { [unowned self] arguments in
            operationCount += 1
            return try body(arguments)
        }
    }

    /// A call that may delete objects tells how many there were, embedded ones included.
    private func writing(_ body: @escaping NativeFunction.Body) -> NativeFunction.Body {
        counted { [slots, transaction] arguments in
            defer { slots.note(deletionCount: transaction.deletionCount) }
            return try body(arguments)
        }
    }

    // MARK: Arguments

    typealias Arguments = NativeFunction.Arguments

    func side(_ arguments: Arguments) throws -> RealmSide {
        try arguments.int(0) == ScriptValueTag.oldSide ? .old : .new
    }

    func classIndex(_ arguments: Arguments, side: RealmSide) throws -> Int {
        let index = try arguments.int(1)
        guard schema(side).classes.indices.contains(index) else {
            throw MigrationError(.noSuchTable, "There is no such class.")
        }
        return index
    }

    /// The object that the slots name.
    private func object() throws -> ObjectReference {
        let side: RealmSide = slots.side == ScriptValueTag.oldSide ? .old : .new
        guard schema(side).classes.indices.contains(slots.classIndex) else {
            throw MigrationError(.noSuchTable, "There is no such class.")
        }
        return ObjectReference(side: side, classIndex: slots.classIndex, key: ObjectKey(slots.key))
    }

    private func schema(_ side: RealmSide) -> Schema {
        side == .old ? transaction.oldSchema : transaction.newSchema
    }

    func property(_ index: Int, classIndex: Int, side: RealmSide) throws -> Property {
        let properties = schema(side).classes[classIndex].properties
        guard properties.indices.contains(index) else {
            throw MigrationError(.invalidProperty, "There is no such property.")
        }
        return properties[index]
    }

    /// The object and the property that the slots name.
    private func cell() throws -> (ObjectReference, Int, Property) {
        let object = try object()
        let index = slots.property
        return (object, index, try property(index, classIndex: object.classIndex, side: object.side))
    }

    /// The value of an argument, or the number that the slots hold in its place.
    private func input(_ arguments: Arguments, _ index: Int) throws -> ObjectInput {
        try slots.number.map { context.input($0) } ?? context.input(arguments[index])
    }

    private func maker(_ side: RealmSide) -> ScriptValueMaker {
        makers[side == .old ? ScriptValueTag.oldSide : ScriptValueTag.newSide]
    }

    // MARK: Enumerating

    private func enumeration(_ arguments: Arguments) throws -> JSValueRef {
        let className = try arguments.string(0)
        guard let enumeration = try transaction.enumeration(of: className) else {
            warnIfUnknown(className)
            return context.null
        }
        enumerations.append(enumeration)
        let answer = try context.makeArray()
        let numbers = [
            enumerations.count - 1, enumeration.oldClass ?? -1, enumeration.newClass ?? -1,
            enumeration.batches.lowerBound, enumeration.batches.upperBound, enumeration.objectsBefore,
            enumeration.objectCount,
        ]
        for (index, number) in numbers.enumerated() { try context.set(index, of: answer, to: context.make(number)) }
        return answer
    }

    /// Realm passes over a class that neither schema has, which is more often a slip than meant.
    private func warnIfUnknown(_ className: String) {
        let names = (transaction.oldSchema.classes + transaction.newSchema.classes).map(\.name)
        guard !names.contains(where: { $0.hasSameBytes(as: className) }), unknownClasses.count < 100,
            unknownClasses.insert(className).inserted
        else { return }
        let nearest = NearestName.question(className, among: names)
        output.found(.unknownClass(className, nearest: nearest, line: ScriptPlace.line(in: context.reference)))
        output.warned("enumerateObjects: no schema has a class '\(className)'.\(nearest.map { " " + $0 } ?? "")")
    }

    /// Tells how far the script is; arguments: side, class, objects done, all objects.
    private func progress(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        output.progressed(
            MigrationProgress(
                phase: "script", className: schema(side).classes[try classIndex(arguments, side: side)].name,
                objectsDone: max(try arguments.int(2) - sharedBefore, 0), objectsTotal: max(try arguments.int(3), 0)))
        return context.undefined
    }

    /// The objects of other shares before those that a share visits: it tells of its own.
    private var sharedBefore: Int { transaction.isIndependent ? enumerations.last?.objectsBefore ?? 0 : 0 }

    /// Tells that an enumeration of an independent class begins, or has ended; arguments: whether it begins.
    private func enumerating(_ arguments: Arguments) throws -> JSValueRef {
        let className = enumerations.last.flatMap { last in
            last.oldClass.map { schema(.old).classes[$0].name } ?? last.newClass.map { schema(.new).classes[$0].name }
        }
        output.enumerating(try arguments.int(0) != 0 ? className ?? "" : nil)
        return context.undefined
    }

    /// Tells of a regular expression that took long; arguments: its source, milliseconds, the line of the script or 0.
    private func slowExpression(_ arguments: Arguments) throws -> JSValueRef {
        let line = try arguments.int(2)
        output.found(
            .slowExpression(
                try arguments.string(0), milliseconds: max(try arguments.int(1), 0), line: line > 0 ? line : nil))
        return context.undefined
    }

    private func batch(_ arguments: Arguments) throws -> JSValueRef {
        let handle = try arguments.int(0)
        let index = try arguments.int(1)
        guard enumerations.indices.contains(handle), enumerations[handle].batches.contains(index) else {
            throw MigrationError(.outOfBounds, "There is no such batch.")
        }
        let batch = try transaction.batch(index, of: enumerations[handle])
        let visited = try remaining(batch, newClass: enumerations[handle].newClass)
        let answer = try context.makeArray()
        try context.set(0, of: answer, to: try context.makeIntegers(visited.map { batch.keys[$0] }))
        try context.set(1, of: answer, to: context.make(batch.rowGroup ?? -1))
        let rows = visited.map { Int32(truncatingIfNeeded: batch.rows[$0]) }
        try context.set(2, of: answer, to: try context.makeTypedArray(rows, as: kJSTypedArrayTypeInt32Array))
        return answer
    }

    /// The places in a batch whose new object was not deleted; those that go later are left out by the prelude.
    private func remaining(_ batch: MigrationTransaction.Batch, newClass: Int?) throws -> [Int] {
        guard let newClass, transaction.deletionCount > 0 else { return Array(batch.keys.indices) }
        return try batch.keys.indices.filter {
            try transaction.isValid(
                ObjectReference(side: .new, classIndex: newClass, key: ObjectKey(batch.keys[$0])))
        }
    }

    private func keyRunCount(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        return context.make(try transaction.keyRunCount(of: try classIndex(arguments, side: side), side: side))
    }

    private func keys(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        let classIndex = try classIndex(arguments, side: side)
        let run = try arguments.int(2)
        guard try (0..<transaction.keyRunCount(of: classIndex, side: side)).contains(run) else {
            throw MigrationError(.outOfBounds, "There is no such run of keys.")
        }
        let keys = try transaction.keys(inRun: run, of: classIndex, side: side)
        let rows = try transaction.rows(inRun: run, of: classIndex, side: side).map { Int32(truncatingIfNeeded: $0) }
        let answer = try context.makeArray()
        try context.set(0, of: answer, to: try context.makeIntegers(keys))
        try context.set(1, of: answer, to: try context.makeTypedArray(rows, as: kJSTypedArrayTypeInt32Array))
        return answer
    }

    private func count(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        return context.make(transaction.objectCount(of: try classIndex(arguments, side: side), side: side))
    }

    private func find(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        let found = try transaction.object(
            in: try classIndex(arguments, side: side), side: side, primaryKey: try context.input(arguments[2]))
        return try found.map { try maker(side).makeObject($0) } ?? context.null
    }

    /// The primary key that a new object of a class has by itself; null where it has none.
    private func initialKey(_ arguments: Arguments) throws -> JSValueRef {
        guard let property = transaction.newSchema.classes[try arguments.int(0)].primaryKeyProperty else {
            return context.null
        }
        return try maker(.new).make(property.defaultValue ?? .null, of: property)
    }

    // MARK: Values

    private func isValid(_ arguments: Arguments) throws -> JSValueRef {
        context.make(try transaction.isValid(try object()))
    }

    private func value(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, property) = try cell()
        return try maker(object.side).make(try transaction.value(index, of: object), of: property)
    }

    private func set(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        try transaction.set(index, of: object, to: try input(arguments, 0))
        return context.undefined
    }

    private func linkingObjects(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        return try maker(object.side).make(objects: try transaction.linkingObjects(index, of: object))
    }

    private func append(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        return context.make(try transaction.append(try input(arguments, 0), to: index, of: object))
    }

    private func splice(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, property) = try cell()
        guard case .array(let inserted) = try context.input(arguments[2]) else {
            throw MigrationError(.invalidArgument, "An array was expected.")
        }
        let removed = try transaction.splice(
            index, of: object, at: try arguments.int(0), removeCount: try arguments.int(1), inserting: inserted)
        return try maker(object.side).make(removed, of: property)
    }

    private func setElement(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        try transaction.setElement(
            try arguments.int(0), of: index, of: object, to: try context.input(arguments[1]))
        return context.undefined
    }

    private func setEntry(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        try transaction.setEntry(
            try arguments.string(0), of: index, of: object, to: try context.input(arguments[1]))
        return context.undefined
    }

    private func remove(_ arguments: Arguments) throws -> JSValueRef {
        let (object, index, _) = try cell()
        return context.make(try transaction.remove(try context.input(arguments[0]), from: index, of: object))
    }

    // MARK: Objects and classes

    private func create(_ arguments: Arguments) throws -> JSValueRef {
        let input = try context.input(arguments[1])
        return try maker(.new).makeObject(try transaction.create(in: try arguments.string(0), input))
    }

    private func delete(_ arguments: Arguments) throws -> JSValueRef {
        try transaction.delete(try object())
        return context.undefined
    }

    private func deleteData(_ arguments: Arguments) throws -> JSValueRef {
        context.make(try transaction.deleteData(of: try arguments.string(0)))
    }

    private func deleteModel(_ arguments: Arguments) throws -> JSValueRef {
        try transaction.deleteModel(try arguments.string(0))
        return context.undefined
    }

    /// The objects of a class that share a primary key: an array of their keys for each value.
    private func duplicates(_ arguments: Arguments) throws -> JSValueRef {
        let answer = try context.makeArray()
        for (index, keys) in try transaction.duplicates(of: try arguments.string(0)).enumerated() {
            try context.set(index, of: answer, to: try context.makeIntegers(keys))
        }
        return answer
    }

    /// Replaces objects by others; arguments: the class, the keys of those that go, and of those that stay.
    private func replaceObjects(_ arguments: Arguments) throws -> JSValueRef {
        let count = try context.length(of: arguments[1])
        var replacements: [Int64: Int64] = [:]
        for index in 0..<max(count, 0) {
            let keys = try [1, 2].map { try context.int64(try context.element(index, of: arguments[$0])) }
            guard let removed = keys[0], let kept = keys[1] else {
                throw MigrationError(.invalidArgument, "An object key was expected.")
            }
            replacements[removed] = kept
        }
        try transaction.replaceObjects(of: try arguments.string(0), by: replacements)
        return context.undefined
    }

    /// Sets an object aside; arguments: the side of its class, the class, its key, and what `describe` makes of the error.
    private func quarantine(_ arguments: Arguments) throws -> JSValueRef {
        let side = try side(arguments)
        let className = schema(side).classes[try classIndex(arguments, side: side)].name
        guard let key = try context.int64(arguments[2]) else {
            throw MigrationError(.invalidArgument, "An object key was expected.")
        }
        try transaction.quarantine(try output.quarantined(arguments[3], className, ObjectKey(key)))
        return context.undefined
    }

    /// Gives objects what they had before the script; arguments: the class, their keys.
    private func restore(_ arguments: Arguments) throws -> JSValueRef {
        let keys = try (0..<max(try context.length(of: arguments[1]), 0)).compactMap {
            try context.int64(try context.element($0, of: arguments[1]))
        }
        try transaction.restore(keys, of: try arguments.string(0))
        return context.undefined
    }

    private func renameClass(_ arguments: Arguments) throws -> JSValueRef {
        try transaction.renameClass(try arguments.string(0), to: try arguments.string(1))
        return context.undefined
    }

    /// The name that a class has now; null where it was not renamed.
    private func newName(_ arguments: Arguments) throws -> JSValueRef {
        transaction.newName(of: try arguments.string(0)).map { context.make($0) } ?? context.null
    }

    private func renameProperty(_ arguments: Arguments) throws -> JSValueRef {
        try transaction.renameProperty(
            of: try arguments.string(0), from: try arguments.string(1), to: try arguments.string(2))
        return context.undefined
    }
}
