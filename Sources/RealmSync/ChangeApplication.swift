import Columns
import RealmEditing
import RealmJSON
import RealmModel

/// Applies batches of changes to a snapshot.
///
/// Objects that a batch names are looked up by primary key, those that are not there are made, and links are set when all
/// of them are. The last writer wins; `conflicts` tells beforehand what others wrote. Belongs to one thread.
package final class ChangeApplication {
    /// Changes the objects; further changes that belong to the same snapshot go through it, too.
    package let editor: RealmEditor

    private let source: Snapshot
    /// Whether what is written is derived of what others wrote, and so is mostly there already.
    let isDerived: Bool
    let classes: [ChangedClass]
    var touched: [Int: TouchedObjects] = [:]
    /// The objects whose links led to what was deleted.
    private(set) var cleared = ClearedObjects()

    /// Starts at a snapshot.
    ///
    /// - Parameters:
    ///   - view: the batches are read with what it shows; what it hides gets its initial values in new objects.
    ///   - store: holds the snapshot's segments and takes the new ones.
    package init(
        to snapshot: Snapshot, as view: SchemaView? = nil, in store: any SegmentStore,
        limits: RowGroupLimits = .standard
    ) {
        let view = view ?? SchemaView(server: snapshot.declared)
        source = snapshot
        isDerived = false
        editor = RealmEditor(
            editing: snapshot, as: view.shown, in: store, limits: limits, memory: .changes, keepsPatches: true)
        classes = view.shown.classes.indices.map { [view = editor.view] index in
            ChangedClass(index, in: view, declared: snapshot.declared)
        }
    }

    /// Goes on with the objects of another application under another schema; what both change is one snapshot, which the other
    /// finishes.
    package init(beside other: ChangeApplication, as schema: Schema) {
        source = other.source
        isDerived = true
        let view = RealmView(other.editor.view.realm, as: schema, side: .new)
        view.sharePrimaryKeys(with: other.editor.view)
        editor = RealmEditor(view, takenPrimaryKeys: .refused)
        classes = schema.classes.indices.map { [declared = source.declared] index in
            ChangedClass(index, in: view, declared: declared)
        }
    }

    /// Makes the changes of a batch.
    ///
    /// - Parameter known: of each upsert the object that has its primary key; nil where nobody has looked them up.
    /// - Returns: the deletes of objects that were there, by their places in the batch.
    /// - Throws: `ChangeError`; the application is of no use then.
    package func apply(_ batch: ChangeBatch, knowing known: [ObjectReference?]? = nil) throws -> Set<Int> {
        if known == nil { try announce(batch) }
        _ = try makeAndChange(batch, areNew: false, knowing: known)
        var deleted: Set<Int> = []
        for (index, delete) in batch.deletes.enumerated() {
            try at("/deletes/\(index)") { if try self.delete(delete) { deleted.insert(index) } }
        }
        return deleted
    }

    /// Clears the links to what was deleted, by this application or by one that goes on with its objects.
    ///
    /// - Returns: whose links those were, of those that were cleared since the last call.
    package func clearLinks() throws -> ClearedObjects {
        let found = ClearedObjects(try editor.view.realm.clearLinksToDeleted())
        cleared.merge(found)
        return found
    }

    /// Makes and changes the objects of a batch, and deletes none.
    ///
    /// - Parameters:
    ///   - areNew: whether the caller knows all primary keys to be free.
    ///   - objects: of each upsert the object that has its primary key; nil where the caller has not looked them up.
    /// - Returns: the object keys, in the order of the upserts.
    /// - Throws: `ChangeError`; the application is of no use then.
    package func upsert(
        _ batch: ChangeBatch, areNew: Bool = false, knowing objects: [ObjectReference?]? = nil
    ) throws -> [Int64] {
        if !areNew { try announce(batch) }
        return try makeAndChange(batch, areNew: areNew, knowing: objects)
    }

    private func makeAndChange(
        _ batch: ChangeBatch, areNew: Bool, knowing known: [ObjectReference?]? = nil
    ) throws -> [Int64] {
        let objects = try makeOrChange(batch.upserts, areNew: areNew, knowing: known)
        let keys = try batch.references.map { try key(of: $0) }
        for (index, upsert) in batch.upserts.enumerated() where classes[upsert.classIndex].hasLinks {
            try at("/upserts/\(index)/object") { try link(upsert.members, of: objects[index], to: keys) }
        }
        return objects.map(\.key.value)
    }

    /// Makes objects whose primary keys the caller knows to be free, by columns.
    ///
    /// - Parameters:
    ///   - columns: of properties of the class that are neither links nor embedded objects, by their indexes, with a row an
    ///     object; the rest is as in every new object.
    ///   - count: how many objects.
    /// - Returns: their object keys, in the order of the rows.
    package func insert(
        _ columns: [(property: Int, values: ColumnArray)], count: Int, into classIndex: Int
    ) throws -> [Int64] {
        let changed = classes[classIndex]
        guard let stored = editor.view.workingClass(classIndex) else { return [] }
        var arrays: [ColumnArray?] = changed.initialValues.map { _ in nil }
        for (property, values) in columns {
            if let column = changed.columns[property] { arrays[column] = values }
        }
        let whole = try arrays.indices.map { index in
            try arrays[index]
                ?? ColumnArray(
                    repeating: changed.initialValues[index], count: count,
                    as: ColumnType(stored.columns[index].property))
        }
        let limit = editor.view.rowGroupLimits.rows
        var keys: [Int64] = []
        for start in stride(from: 0, to: count, by: limit) {
            let rows = start..<min(start + limit, count)
            keys += try editor.insert(rows.count == count ? whole : whole.rows(rows, of: stored), into: classIndex)
        }
        noteMade(keys, in: classIndex)
        return keys
    }

    /// The objects of a batch that a delta says were made, changed or deleted, each once.
    package func conflicts(_ batch: ChangeBatch, with delta: SnapshotDelta) throws -> [ChangeError.ChangedObject] {
        var found: [ChangeError.ChangedObject] = []
        var seen: Set<ChangeBatch.Delete> = []
        let gone = delta.classes.map { Set($0.deleted.map(\.primaryKey)) }
        let named = batch.upserts.map { ChangeBatch.Delete(of: $0) }
        for object in named + batch.deletes where seen.insert(object).inserted {
            let name = editor.view.schema.classes[object.classIndex].name
            guard let place = delta.classes.firstIndex(where: { $0.className.hasSameBytes(as: name) }) else { continue }
            let changed = delta.classes[place]
            let key = try editor.object(in: object.classIndex, of: object.primaryKey)?.key.value
            let isChanged =
                changed.isWhole && !changed.keepsValues || gone[place].contains(object.primaryKey)
                || key.map { changed.upserted.containsSorted($0) } == true
            if isChanged { found.append(ChangeError.ChangedObject(className: name, primaryKey: object.primaryKey)) }
        }
        return found
    }

    /// The upserts of a batch that link to what is neither in the realm nor made by the batch, by their places, and the classes
    /// of that; what they would make is not there, either.
    ///
    /// - Parameter isComing: whether an object is made for the batch, by its class and primary key.
    package func brokenLinks(
        in batch: ChangeBatch, unless isComing: (String, Value) throws -> Bool = { _, _ in false }
    ) throws -> [Int: String] {
        var makers: [ChangeBatch.Delete: Int] = [:]
        for upsert in batch.upserts { makers[ChangeBatch.Delete(of: upsert), default: 0] += 1 }
        var broken: [Int: String] = [:]
        // References to what the batch alone may make, by that.
        var waiting: [ChangeBatch.Delete: [ChangeBatch.Reference]] = [:]
        var leadNowhere: [ChangeBatch.Reference] = []
        for reference in batch.references {
            var isThere = try object(of: reference) != nil
            if case .primaryKey(let value) = reference.target {
                let className = editor.view.schema.classes[reference.classIndex].name
                isThere = try isThere || isComing(className, value)
                let target = ChangeBatch.Delete(classIndex: reference.classIndex, primaryKey: value)
                if makers[target] != nil {
                    waiting[target, default: []].append(reference)
                    continue
                }
            }
            if !isThere { leadNowhere.append(reference) }
        }
        var next = 0
        while next < leadNowhere.count {
            let reference = leadNowhere[next]
            next += 1
            guard broken[reference.upsert] == nil else { continue }
            broken[reference.upsert] = editor.view.schema.classes[reference.classIndex].name
            let left = ChangeBatch.Delete(of: batch.upserts[reference.upsert])
            makers[left, default: 1] -= 1
            guard makers[left] == 0 else { continue }
            for other in waiting.removeValue(forKey: left) ?? [] where try object(of: other) == nil {
                leadNowhere.append(other)
            }
        }
        return broken
    }

    /// The snapshot with all changes, and what it has otherwise than the one before.
    ///
    /// The other sides are changed by what was changed; that links were cleared is a change, too.
    ///
    /// - Parameters:
    ///   - others: the applications that went on with the objects.
    ///   - declared: what the snapshot declares; nil where that is what the one before does.
    package func finish(
        with others: [ChangeApplication] = [], declaring declared: Schema? = nil
    ) throws -> (snapshot: Snapshot, delta: SnapshotDelta) {
        _ = try clearLinks()
        let snapshot = try editor.view.realm.finish(
            schemaVersion: source.schemaVersion, declared: declared ?? source.declared)
        var delta = delta
        for other in others { delta.merge(other.delta) }
        // In classes that the view does not show as well.
        delta.merge(cleared.delta)
        delta.merge(try shownLinks())
        for index in delta.classes.indices where !delta.classes[index].deleted.isEmpty {
            // An object that came and went leaves nothing to be told.
            for application in [self] + others {
                guard let made = application.touched(delta.classes[index].className) else { continue }
                delta.classes[index].deleted.removeAll { made.hasMade($0.key) }
            }
        }
        return (snapshot, delta)
    }

    /// The snapshot that `finish` gave, where the one that it started at is kept otherwise by now: in other row groups and patches.
    ///
    /// - Returns: nil where the changes have to be made again.
    package func finished(on kept: Snapshot) throws -> Snapshot? {
        try editor.view.realm.finished(on: kept)
    }

    /// The changes so far.
    package var delta: SnapshotDelta {
        SnapshotDelta(
            classes: touched.sorted { $0.key < $1.key }.map { index, objects in
                SnapshotDelta.ClassDelta(
                    editor.view.schema.classes[index].name, upserted: objects.upserted,
                    deleted: objects.deletedOfOthers)
            })
    }

    private func touched(_ className: String) -> TouchedObjects? {
        editor.view.index(of: className).flatMap { touched[$0] }
    }

    /// The value of a new object's property where nothing is given; nil where the realm does not store the property.
    package func initialValue(of property: Int, in classIndex: Int) -> Value? {
        classes[classIndex].columns[property].map { classes[classIndex].initialValues[$0] }
    }

    /// The snapshot that it started at.
    package var before: Snapshot { source }

    // MARK: Objects

    /// Says what is going to be looked up, so that many objects are found by few questions.
    private func announce(_ batch: ChangeBatch) throws {
        var keys: [Int: [Value]] = [:]
        for upsert in batch.upserts { keys[upsert.classIndex, default: []].append(upsert.primaryKey) }
        for delete in batch.deletes { keys[delete.classIndex, default: []].append(delete.primaryKey) }
        for reference in batch.references {
            if case .primaryKey(let value) = reference.target { keys[reference.classIndex, default: []].append(value) }
        }
        for (classIndex, values) in keys { try editor.view.willLookUp(values, in: classIndex) }
    }

    private func delete(_ delete: ChangeBatch.Delete) throws -> Bool {
        guard let object = try editor.object(in: delete.classIndex, of: delete.primaryKey) else { return false }
        try editor.delete(object)
        touched[delete.classIndex, default: TouchedObjects()].noteDeleted(object.key.value, delete.primaryKey)
        return true
    }

    // MARK: Links

    private func key(of reference: ChangeBatch.Reference) throws -> ObjectKey {
        guard let found = try object(of: reference) else {
            throw ChangeError.brokenLink(
                className: editor.view.schema.classes[reference.classIndex].name,
                pointer: "/upserts/\(reference.upsert)/object")
        }
        return found.key
    }

    private func object(of reference: ChangeBatch.Reference) throws -> ObjectReference? {
        switch reference.target {
        case .primaryKey(let value): return try editor.object(in: reference.classIndex, of: value)
        case .key(let key):
            let named = ObjectReference(side: .new, classIndex: reference.classIndex, key: key)
            return try editor.view.isValid(named) ? named : nil
        }
    }

    /// Sets the links and the embedded objects of an object.
    private func link(_ members: [ChangeBatch.Member], of object: ObjectReference, to keys: [ObjectKey]) throws {
        for member in members {
            guard classes[object.classIndex].isLinked[member.property] else { continue }
            var value = try input(member.value, of: object.classIndex, member, keys)
            let property = editor.view.schema.classes[object.classIndex].properties[member.property]
            if let target = property.objectType.flatMap({ editor.view.schema[$0] }), target.isEmbedded {
                let held = try editor.view.value(member.property, of: object)
                let isWhole = editor.view.workingClass(object.classIndex)?.unsyncedCount == 0
                if try isWhole && holds(held, value, of: property) { continue }
                let made = try editor.coerce(value, to: property, of: classes[object.classIndex].name)
                try editor.keepHidden(of: held, in: made, of: target.name, declared: source.declared)
                value = .value(made)
            }
            try editor.set(member.property, of: object, to: value)
        }
    }

    private func input(
        _ given: ChangeBatch.Given, of classIndex: Int, _ member: ChangeBatch.Member, _ keys: [ObjectKey]
    ) throws -> ObjectInput {
        let property = editor.view.schema.classes[classIndex].properties[member.property]
        func embedded(_ members: [ChangeBatch.Member]) throws -> ObjectInput {
            guard let target = property.objectType.flatMap({ editor.view.index(of: $0) }) else { return .members([]) }
            try classes[target].requireStored(members, in: editor.view.schema)
            let shown = editor.view.schema.classes[target]
            let given = Dictionary(members.map { ($0.property, $0) }, uniquingKeysWith: { $1 })
            return .members(
                try shown.properties.indices.filter { !shown.properties[$0].isComputed }.map { index in
                    let value = try given[index].map { try input($0.value, of: target, $0, keys) }
                    let property = shown.properties[index]
                    return (property.name, value ?? .value(property.defaultValue ?? property.initialValue))
                })
        }
        switch given {
        case .value(let value): return .value(value)
        case .links(let value): return .value(Self.resolve(value, keys, of: property))
        case .object(let members): return try embedded(members)
        case .objects(let objects): return .array(try objects.map(embedded))
        case .entries(let entries):
            return .members(try entries.map { ($0.key, try $0.object.map(embedded) ?? .null) })
        }
    }

    /// A value whose links lead to objects rather than to numbers of references.
    private static func resolve(_ value: Value, _ keys: [ObjectKey], of property: Property) -> Value {
        switch value {
        case .link(let number): return .link(keys[Int(number.value)])
        case .typedLink(let name, let number): return .typedLink(className: name, keys[Int(number.value)])
        case .list(let elements):
            let resolved = elements.map { resolve($0, keys, of: property) }
            return .list(property.collection == .set ? ValueOrder.sortedUnique(resolved) : resolved)
        case .dictionary(let entries):
            return .dictionary(entries.map { DictionaryEntry($0.key, resolve($0.value, keys, of: property)) })
        default: return value
        }
    }

    func at<Result>(_ pointer: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as EditingError {
            throw ChangeError.refused(error, pointer: pointer())
        }
    }
}

extension [ColumnArray] {
    /// Some rows of the columns of a class.
    fileprivate func rows(_ rows: Range<Int>, of stored: WorkingClass) throws -> [ColumnArray] {
        try zip(self, stored.columns).map { array, column in
            let builder = ColumnBuilder(column.type)
            try builder.append(rows, of: array)
            return builder.finish()
        }
    }
}

extension ChangeBatch.Delete {
    /// Names the object of an upsert.
    fileprivate init(of upsert: ChangeBatch.Upsert) {
        self.init(classIndex: upsert.classIndex, primaryKey: upsert.primaryKey)
    }
}
