import RealmModel

/// The names that classes and properties had before they were renamed.
struct RenamedNames {
    private struct Property: Hashable {
        var className: NameKey
        var name: NameKey
    }

    /// The new names of renamed classes, by their old ones.
    private(set) var newClasses: [NameKey: String] = [:]
    private var oldClasses: [NameKey: String] = [:]
    private var oldProperties: [Property: String] = [:]

    /// - Parameter renames: each from the first snapshot's name to the second's; of a property with either name of its class.
    init(_ renames: [SchemaRename]) {
        for case .objectType(let from, let to) in renames {
            newClasses[NameKey(from)] = to
            oldClasses[NameKey(to)] = from
        }
        for case .property(let className, let from, let to) in renames {
            let name = newClasses[NameKey(className)] ?? className
            oldProperties[Property(className: NameKey(name), name: NameKey(to))] = from
        }
    }

    func oldClass(_ name: String) -> String { oldClasses[NameKey(name)] ?? name }

    /// - Parameter className: the class's new name.
    func oldProperty(_ name: String, of className: String) -> String {
        oldProperties[Property(className: NameKey(className), name: NameKey(name))] ?? name
    }

    /// The new name of a property that was renamed; nil where it was not.
    func newProperty(_ name: String, of className: String) -> String? {
        oldProperties.first { property, old in
            property.className == NameKey(className) && old.hasSameBytes(as: name)
        }?.key.name.name
    }
}
