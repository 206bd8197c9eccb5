import RealmModel

/// A single value of an object, or a collection of such, by its place: a property, and the properties, keys and elements below it.
struct PlacedValue {
    /// A hash of the place, and one without the numbers of elements.
    var place: UInt64
    var family: UInt64
    /// The name of the last property or key.
    var name: String
    var value: Value
    /// Whether elements have no order.
    var isSet = false
    /// Whether it is in an embedded object.
    var isPart = false
    /// The column, before or after.
    var column: Int
    /// The element of a list that it is, or that it is in.
    var spot: ElementSpot?
    /// The place of the embedded object or dictionary that it is in, without the numbers of elements, or its class.
    var parent: UInt64 = 0
    /// The name of that object in what has it.
    var whole: PlaceName?
}

/// The values of one object in some columns, place by place: embedded objects are taken apart.
struct PlacedValues {
    private(set) var all: [PlacedValue] = []
    private let contents: ObjectContents

    /// - Parameter contents: has the classes of embedded objects.
    init(_ contents: ObjectContents) { self.contents = contents }

    /// Adds the values of a column.
    ///
    /// - Parameters:
    ///   - value: with embedded objects in it.
    ///   - root: the same for the columns before and after of one property.
    ///   - spot: of the object itself, where that is linked by a list.
    ///   - parent: the same for all columns of a class that is linked.
    ///   - name: that of the linked object.
    mutating func add(
        _ value: Value, _ property: Property, column: Int, root: Int, spot: ElementSpot? = nil, parent: UInt64 = 0,
        whole name: PlaceName? = nil
    ) {
        let place = Self.place(ofRoot: root)
        let whole = PlacedValue(
            place: place, family: place, name: property.name, value: value, isSet: property.collection == .set,
            column: column, spot: spot, parent: parent, whole: name)
        add(value, property, at: whole)
    }

    /// The place of a property of the object itself.
    static func place(ofRoot root: Int) -> UInt64 {
        var hash = ByteHash()
        hash.add(UInt64(bitPattern: Int64(root)))
        return hash.value
    }

    private mutating func add(_ value: Value, _ property: Property, at whole: PlacedValue) {
        let target = property.linkTarget.flatMap(contents.schema)
        guard let target, value.hasObjects(property) || contents.isPart(target.name) else {
            var placed = whole
            (placed.name, placed.isSet) = (property.name, property.collection == .set)
            placed.value = value.linking(to: property.linkTarget)
            all.append(placed)
            return
        }
        switch value {
        case .list(let elements):
            for (number, element) in elements.enumerated() {
                var placed = whole
                placed.place = Self.below(whole.place, UInt64(number))
                placed.spot = ElementSpot(number, in: whole.family)
                addParts(of: element, target, at: placed)
            }
        case .dictionary(let entries) where property.collection == .dictionary:
            for entry in entries { addParts(of: entry.value, target, at: Self.below(whole, entry.key)) }
        default: addParts(of: value, target, at: whole)
        }
    }

    private mutating func addParts(of value: Value, _ schema: ObjectSchema, at whole: PlacedValue) {
        guard case .dictionary(let entries) = value else { return }
        for (entry, property) in zip(entries, schema.properties) {
            add(entry.value, property, at: Self.below(whole, entry.key))
        }
    }

    static func below(_ hash: UInt64, _ number: UInt64) -> UInt64 {
        let mixed = (hash ^ (number &+ 0x9e37_79b9_7f4a_7c15)) &* 0xff51_afd7_ed55_8ccd
        return mixed ^ mixed >> 33
    }

    static func below(_ place: UInt64, _ name: String) -> UInt64 {
        var hash = ByteHash()
        for byte in name.utf8 { hash.add(byte) }
        return below(place, hash.value)
    }

    fileprivate static func below(_ whole: PlacedValue, _ name: String) -> PlacedValue {
        var placed = whole
        placed.place = below(whole.place, name)
        placed.family = below(whole.family, name)
        placed.name = name
        placed.parent = whole.family
        placed.whole = whole.placeName
        placed.isPart = true
        return placed
    }
}

extension PlacedValue {
    /// The entries of a dictionary, each at a place of its own; any other value is one.
    var entriesApart: [PlacedValue] {
        guard case .dictionary(let entries) = value else { return [self] }
        return entries.map { entry in
            var placed = PlacedValues.below(self, entry.key)
            placed.value = entry.value
            return placed
        }
    }
}

/// Lists of embedded objects, each element of which has the number of the one that it was: they have no other name.
enum PairedElements {
    /// Elements of which each is compared with each other one.
    private static let limit = 64

    /// The elements that differ, in the order of those before.
    static func of(_ old: Value, _ new: Value) -> (old: Value, new: Value) {
        guard case .list(let elements) = old, case .list(let others) = new else { return (old, new) }
        let (left, rest) = (elements.without(others), others.without(elements))
        guard left.count <= limit, rest.count <= limit, left.count > 1 else { return (.list(left), .list(rest)) }
        var unpaired = Array(rest.indices)
        var paired: [Value] = []
        for (number, element) in left.enumerated() where !unpaired.isEmpty {
            let entries = Set(element.filledEntries)
            func likeness(_ index: Int) -> Int {
                let same = rest[index].filledEntries.reduce(0) { $0 + (entries.contains($1) ? 2 : 0) }
                return same + (index == number ? 1 : 0)
            }
            guard let best = unpaired.max(by: { likeness($0) < likeness($1) }) else { break }
            paired.append(rest[best])
            unpaired.removeAll { $0 == best }
        }
        return (.list(left), .list(paired + unpaired.map { rest[$0] }))
    }
}

extension Value {
    /// Whether objects are in it in the place of links.
    fileprivate func hasObjects(_ property: Property) -> Bool {
        switch self {
        case .list(let elements): elements.first?.entries != nil
        case .dictionary(let entries): property.collection != .dictionary || entries.first?.value.entries != nil
        default: false
        }
    }

    /// The properties of an embedded object that are not empty.
    fileprivate var filledEntries: [DictionaryEntry] {
        guard case .dictionary(let entries) = self else { return [] }
        return entries.filter { !$0.value.isHollow }
    }
}
