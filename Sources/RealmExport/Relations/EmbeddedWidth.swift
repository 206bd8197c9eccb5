import RealmModel

/// How many columns the objects of classes have, those of embedded objects counted wherever they are held.
///
/// A few embedded classes, each held twice by the one before, have millions. Each class and property is looked at once, and
/// an export with too many is refused before anything is made of it.
struct EmbeddedWidth {
    /// The number of an object's columns, and their depth.
    private struct Extent {
        var columns = 0
        var depth = 0

        /// An extent that no limit admits.
        static let endless = Extent(columns: .max, depth: .max)

        mutating func add(columns own: Int, _ inner: Extent?, levels: Int) {
            let sum = columns.addingReportingOverflow(own)
            let all = sum.partialValue.addingReportingOverflow(inner?.columns ?? 0)
            columns = sum.overflow || all.overflow ? .max : all.partialValue
            let below = (inner?.depth ?? 0).addingReportingOverflow(levels)
            depth = max(depth, below.overflow ? .max : below.partialValue)
        }
    }

    /// The columns of one class.
    static let classLimit = 10_000
    /// The columns of all classes that are exported together.
    static let limit = SchemaLimit.propertyCount
    /// How deep embedded objects and collections may be in each other.
    static let depthLimit = 100

    private let embedded: [NameKey: ObjectSchema]
    /// The columns of a property beside those of the embedded object that it holds.
    private let own: (Property, _ holdsColumns: Bool) -> Int
    private var extents: [NameKey: Extent] = [:]
    /// How many properties were looked at.
    private(set) var work = 0

    /// - Parameter embedded: the classes whose columns are their owners'.
    init(_ embedded: [ObjectSchema], own: @escaping (Property, _ holdsColumns: Bool) -> Int) {
        self.embedded = Dictionary(
            embedded.map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        self.own = own
        measure()
    }

    /// Measures classes when all that they hold is measured; those that are never reached hold themselves.
    private mutating func measure() {
        var owners: [NameKey: [NameKey]] = [:]
        var waiting: [NameKey: Int] = [:]
        var ready: [NameKey] = []
        for (name, object) in embedded {
            let targets = object.persistedProperties.compactMap { target(of: $0) }
            for target in targets { owners[target, default: []].append(name) }
            waiting[name] = targets.count
            if targets.isEmpty { ready.append(name) }
        }
        while let name = ready.popLast() {
            if let object = embedded[name] { extents[name] = extent(of: object) }
            for owner in owners[name] ?? [] {
                waiting[owner, default: 0] -= 1
                if waiting[owner] == 0 { ready.append(owner) }
            }
        }
    }

    private func target(of property: Property) -> NameKey? {
        guard property.type == .object, let name = property.objectType.map({ NameKey($0) }), embedded[name] != nil
        else { return nil }
        return name
    }

    private mutating func extent(of object: ObjectSchema) -> Extent {
        var extent = Extent()
        for property in object.persistedProperties {
            work += 1
            let inner = target(of: property).map { extents[$0] ?? .endless }
            extent.add(
                columns: own(property, (inner?.columns ?? 0) > 0), inner, levels: property.isCollection ? 2 : 1)
        }
        return extent
    }

    /// Looks whether classes have no more columns than they may, each and together.
    ///
    /// - Parameter classLimit: the most columns of one class.
    /// - Throws: `tooLarge`.
    mutating func check(_ classes: [ObjectSchema], classLimit: Int = Self.classLimit) throws(InputError) {
        var all = 0
        for object in classes {
            let extent = extent(of: object)
            guard extent.columns <= classLimit else {
                throw Self.refusal(
                    "The class \(object.name) would have more than \(classLimit) columns, counting those of its embedded objects.",
                    object)
            }
            guard extent.depth <= Self.depthLimit else {
                throw Self.refusal(
                    "The embedded objects of the class \(object.name) nest deeper than \(Self.depthLimit) levels.",
                    object)
            }
            all += extent.columns
            guard all <= Self.limit else {
                throw Self.refusal(
                    "The classes would have more than \(Self.limit) columns together, counting those of embedded objects.",
                    object)
            }
        }
    }

    private static func refusal(_ message: String, _ object: ObjectSchema) -> InputError {
        InputError(.tooLarge, message, details: [ProblemItem(message, className: object.name)])
    }
}
