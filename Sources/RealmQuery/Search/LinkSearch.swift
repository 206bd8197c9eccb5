import Columns
import RealmModel

/// Finds who links to an object, in one pass over the columns that may.
public struct LinkSearch {
    /// The links of one property to the object.
    public struct Origin: Hashable, Sendable {
        /// The class of the objects that link.
        public let className: String
        /// The property of theirs.
        public let property: String
        /// How many objects of the class link by the property.
        public var count = 0
        /// The keys of the first of them, ascending.
        public var keys: [ObjectKey] = []
    }

    let snapshot: Snapshot
    let store: any SegmentStore
    /// The most keys that are told of a property.
    private let keyLimit: Int

    /// Opens a snapshot.
    public init(_ snapshot: Snapshot, from store: any SegmentStore, keyLimit: Int = 100) {
        self.snapshot = snapshot
        self.store = store
        self.keyLimit = keyLimit
    }

    /// The properties by which objects link to one, in the order of classes and properties.
    ///
    /// - Parameters:
    ///   - key: the object's key.
    ///   - name: its class.
    public func origins(of key: ObjectKey, ofClass name: String) throws -> [Origin] {
        var origins: [Origin] = []
        for declared in snapshot.declared.classes {
            guard let stored = snapshot[declared.name] else { continue }
            let reader = try ClassReader(stored, store: store)
            for property in declared.properties where Self.mayLink(property, to: name) {
                let column = stored.schema.index(ofProperty: property.name)
                guard let column else { continue }
                var origin = Origin(className: declared.name, property: property.name)
                try forEachOrigin(column, of: reader, to: { $0 == key.value }, name) { object, _ in
                    origin.count += 1
                    if origin.keys.count < keyLimit { origin.keys.append(object) }
                }
                if origin.count > 0 { origins.append(origin) }
            }
        }
        return origins
    }

    private static func mayLink(_ property: Property, to name: String) -> Bool {
        switch property.type {
        case .object: property.objectType?.hasSameBytes(as: name) ?? false
        case .mixed: true
        default: false
        }
    }

    /// Tells of the objects that link to wanted ones of a class, ascending, with each wanted one that they link to.
    func forEachOrigin(
        _ column: Int, of reader: ClassReader, to isWanted: (Int64) -> Bool, _ name: String,
        _ body: (_ origin: ObjectKey, _ target: Int64) -> Void
    ) throws {
        let type = ColumnType(reader.stored.schema.properties[column])
        var peakBytes = 0
        for (number, group) in reader.rowGroups.enumerated() {
            if case .constant(.null)? = try reader.segment(column, inGroup: number)?.content { continue }
            let array = try reader.column(column, inGroup: number)
            var found: [(row: Int, target: Int64)] = []
            for row in group.liveRows {
                if type.element == .mixed {
                    try WorkBudget.current?.hold(array.valueByteCount(at: row, as: type), peak: &peakBytes)
                }
                try array.forEachLinkedKey(at: row, as: type, ofClass: name) { key in
                    guard isWanted(key), found.last.map({ $0 == (row, key) }) != true else { return }
                    found.append((row, key))
                }
            }
            guard !found.isEmpty else { continue }
            let keys = try reader.keys(inGroup: number)
            for (row, target) in found { body(ObjectKey(keys[row]), target) }
        }
    }
}
