import Columns
import RealmModel

/// Where each column of a file comes from that is made of another file's leaves.
struct CopyPlan {
    /// The origin of a column.
    enum Origin {
        /// A column of the class, by its place.
        case column(Int)
        /// Every object has this value.
        case constant(Value)
    }

    /// A class of the new file.
    struct Class {
        /// The class of the old file that has its objects, by its place; nil for one without objects.
        let source: Int?
        let columns: [Origin]
    }

    let classes: [Class]

    /// Finds where the parts of a snapshot come from.
    ///
    /// - Parameter result: what a migration made of the outline's snapshot.
    /// - Throws: `uncopied` where anything in it is neither the file's nor a constant.
    init(_ result: Snapshot, of outline: FileOutline) throws(InputError) {
        var classes: [Class] = []
        for stored in result.classes { classes.append(try Self.plan(stored, of: outline)) }
        let sources = classes.compactMap(\.source)
        guard Set(sources).count == sources.count else { throw .uncopied("two classes with the same objects") }
        self.classes = classes
    }

    private static func plan(_ stored: StoredClass, of outline: FileOutline) throws(InputError) -> Class {
        guard stored.schema.kind != .asymmetric, stored.patches.isEmpty, stored.unsyncedCount == 0,
            stored.columns.count == stored.schema.properties.count
        else { throw .uncopied("a class that is no local one") }
        let source = outline.classIndex(of: stored)
        if let source {
            let old = outline.snapshot.classes[source]
            // Links of mixed values name their classes.
            guard old.schema.name.hasSameBytes(as: stored.schema.name), old.rowGroups == stored.rowGroups,
                old.objectCount == stored.objectCount
            else { throw .uncopied("a class that is another") }
        } else {
            guard stored.objectCount == 0, stored.rowGroups == nil else { throw .uncopied("new objects") }
        }
        var columns: [Origin] = []
        for (property, column) in zip(stored.schema.properties, stored.columns) {
            switch column {
            case .constant(let value):
                guard !property.mayLink || value.isNothing else { throw .uncopied("a constant that may be a link") }
                columns.append(.constant(value))
            case .segments(let name):
                guard let place = outline.place(of: name), place.classIndex == source else {
                    throw .uncopied("a column that was written")
                }
                let old = outline.snapshot.classes[place.classIndex].schema.properties[place.columnIndex]
                guard old.keepsLeaves(as: property) else { throw .uncopied("a column of another type") }
                columns.append(.column(place.columnIndex))
            }
        }
        return Class(source: source, columns: columns)
    }
}

extension Value {
    /// Whether it is null, or a collection of nothing.
    fileprivate var isNothing: Bool {
        switch self {
        case .null, .list([]), .dictionary([]): true
        default: false
        }
    }
}

extension Property {
    fileprivate var mayLink: Bool { type == .object || type == .mixed }

    /// Whether values of the property are values of another one as they are; one that is required may become optional.
    fileprivate func keepsLeaves(as other: Property) -> Bool {
        guard type == other.type, collection == other.collection, !isOptional || other.isOptional else { return false }
        switch (objectType, other.objectType) {
        case (nil, nil): return true
        case (let name?, let otherName?): return name.hasSameBytes(as: otherName)
        default: return false
        }
    }
}
