import Columns
import RealmModel

/// Tells objects at the ends of links by what people know them by.
public struct LinkedObjects {
    /// An object at the end of a link.
    public struct Card: Hashable, Sendable {
        /// The object key.
        public let key: ObjectKey
        /// The primary key; nil where the class has none.
        public let primaryKey: Value?
        /// The beginning of the value of the class's first property of strings beside the primary key; nil where there is none.
        public let caption: String?
    }

    /// The objects that one property of an object links to.
    public struct Target: Hashable, Sendable {
        /// The property.
        public let property: String
        /// The class of the objects.
        public let className: String
        /// How many links there are.
        public var count: Int
        /// The first objects, in the order of the links.
        public var objects: [Card]
    }

    private static let captionLength = 80
    private let objects: SnapshotObjects
    /// The most objects that are told of a property.
    private let limit: Int

    /// Opens a snapshot.
    public init(_ snapshot: Snapshot, from store: any SegmentStore, limit: Int = 100) {
        objects = SnapshotObjects(snapshot, from: store)
        self.limit = limit
    }

    /// Some objects of a class.
    public func cards(_ keys: [ObjectKey], ofClass name: String) throws -> [Card] {
        guard let index = objects.classIndex(of: name) else { return [] }
        return try keys.map { try card(SnapshotObjects.Object(classIndex: index, key: $0)) }
    }

    /// The objects that an object links to, by its properties in their order; embedded ones are a part of it.
    public func targets(of key: ObjectKey, ofClass name: String) throws -> [Target] {
        guard let index = objects.classIndex(of: name) else { return [] }
        let object = SnapshotObjects.Object(classIndex: index, key: key)
        var targets: [Target] = []
        for (place, property) in objects.schema.classes[index].properties.enumerated() where Self.mayLink(property) {
            let found = try links(in: objects.value(place, of: object), of: property)
            for (className, keys) in found {
                targets.append(
                    Target(
                        property: property.name, className: className, count: keys.count,
                        objects: try cards(Array(keys.prefix(limit)), ofClass: className)))
            }
        }
        return targets
    }

    private static func mayLink(_ property: Property) -> Bool { property.type == .object || property.type == .mixed }

    /// The keys that a value links to, by their classes in the order of the first link to each.
    private func links(in value: Value, of property: Property) -> [(className: String, keys: [ObjectKey])] {
        var found: [(className: String, keys: [ObjectKey])] = []
        func add(_ value: Value) {
            switch value {
            case .link(let key): if let name = property.objectType { add(key, name) }
            case .typedLink(let name, let key): add(key, name)
            case .list(let elements): for element in elements { add(element) }
            case .dictionary(let entries): for entry in entries { add(entry.value) }
            default: break
            }
        }
        func add(_ key: ObjectKey, _ name: String) {
            guard objects.schema[name]?.isEmbedded == false else { return }
            guard let index = found.firstIndex(where: { $0.className.hasSameBytes(as: name) }) else {
                return found.append((name, [key]))
            }
            found[index].keys.append(key)
        }
        add(value)
        return found
    }

    private func card(_ object: SnapshotObjects.Object) throws -> Card {
        let declared = objects.schema.classes[object.classIndex]
        let primaryKey = declared.primaryKey.flatMap { declared.index(ofProperty: $0) }
        let text = declared.properties.indices.first { index in
            let property = declared.properties[index]
            return property.type == .string && !property.isCollection && index != primaryKey
        }
        var caption: String?
        if let text, case .string(let value) = try objects.value(text, of: object) {
            caption = value.count > Self.captionLength ? value.prefix(Self.captionLength) + "…" : value
        }
        return Card(
            key: object.key, primaryKey: try primaryKey.map { try objects.value($0, of: object) }, caption: caption)
    }
}
