import RealmModel

/// Changes of a realm that are made together or not at all: objects to be there, and objects to be gone.
///
/// Classes and properties are those of the schema that the batch was read with, by their indexes. Links are told from other
/// values, because what they lead to may be made by the same batch: their keys are numbers of `references`.
public struct ChangeBatch: Sendable {
    /// Objects that are made, or changed in the properties that are given; in the order in which they were given.
    public var upserts: [Upsert] = []
    /// Objects that are deleted, after all that is made and changed; one that is not there is passed over.
    public var deletes: [Delete] = []
    /// The targets of links; each is looked up once all objects are made.
    public var references: [Reference] = []
    /// The snapshot since which no object of the batch may have changed, as it was given.
    public var base: String?

    /// A batch of nothing.
    public init() {}

    /// A batch that deletes objects of a class, by their primary keys.
    public init(deleting primaryKeys: [Value], of classIndex: Int) {
        deletes = primaryKeys.map { Delete(classIndex: classIndex, primaryKey: $0) }
    }

    /// How many operations it has.
    public var count: Int { upserts.count + deletes.count }

    /// One object that is to be there.
    public struct Upsert: Sendable {
        /// The index of its class.
        public var classIndex: Int
        /// Which object it is.
        public var primaryKey: Value
        /// The properties that are set, but for the primary key; no other one of an object that is there changes.
        public var members: [Member]

        /// Describes an object.
        public init(classIndex: Int, primaryKey: Value, members: [Member]) {
            self.classIndex = classIndex
            self.primaryKey = primaryKey
            self.members = members
        }
    }

    /// One object that is to be gone.
    public struct Delete: Hashable, Sendable {
        /// The index of its class.
        public var classIndex: Int
        /// Which object it is.
        public var primaryKey: Value

        /// Names an object.
        public init(classIndex: Int, primaryKey: Value) {
            self.classIndex = classIndex
            self.primaryKey = primaryKey
        }
    }

    /// One property and what it is to hold.
    public struct Member: Sendable {
        /// The property's index in its class, computed ones counted.
        public var property: Int
        /// The value that it is to hold.
        public var value: Given

        /// Sets a property.
        public init(property: Int, value: Given) {
            self.property = property
            self.value = value
        }
    }

    /// The value that a property is to hold.
    public enum Given: Sendable {
        /// A value of the property's type, without links.
        case value(Value)
        /// A value with links, whose keys are numbers of `references`.
        case links(Value)
        /// An embedded object.
        case object([Member])
        /// A list of embedded objects.
        case objects([[Member]])
        /// A dictionary of embedded objects, in bytewise order of its keys.
        case entries([(key: String, object: [Member]?)])
    }

    /// The target of a link.
    public struct Reference: Hashable, Sendable {
        /// The index of its class.
        public var classIndex: Int
        /// How it is named.
        public var target: Target
        /// The upsert that has the link, by its index.
        public var upsert: Int

        /// How an object is named.
        public enum Target: Hashable, Sendable {
            /// By primary key, in a class that has one.
            case primaryKey(Value)
            /// By object key, in a class without primary key.
            case key(ObjectKey)
        }

        /// Names the target of a link.
        public init(classIndex: Int, target: Target, upsert: Int) {
            self.classIndex = classIndex
            self.target = target
            self.upsert = upsert
        }
    }
}
