/// Which types of some files, and of the library, may have each other's members.
struct TypeRelations {
    private let declared: Set<String>
    private let inherited: [String: Set<String>]
    /// The types that have a member of a name.
    private let owners: [String: Set<String>]
    private let library = Library()

    /// Protocols of the library that give types many members.
    private static let rich: Set<String> = [
        "Sequence", "Collection", "BidirectionalCollection", "RandomAccessCollection", "MutableCollection",
        "RangeReplaceableCollection", "LazySequenceProtocol", "IteratorProtocol", "StringProtocol", "SetAlgebra",
        "OptionSet", "Strideable", "BinaryInteger", "FixedWidthInteger", "SignedInteger", "UnsignedInteger", "Numeric",
        "SignedNumeric", "AdditiveArithmetic", "FloatingPoint", "BinaryFloatingPoint",
    ]
    private static let generic: Set<String> = [
        "Array", "ArraySlice", "ContiguousArray", "Set", "Dictionary", "Optional", "Result", "Range", "ClosedRange",
        "List", "MutableSet", "Map",
    ]
    /// The members that others give, be it behind the colon of an enumeration.
    private static let plainMembers: Set<String> = [
        "description", "debugDescription", "hash", "hashValue", "rawValue", "allCases", "errorDescription", "id",
        "localizedDescription", "failureReason", "recoverySuggestion", "realm", "isInvalidated", "objectSchema",
        "isEqual", "stringValue", "intValue", "isFrozen", "observe", "value", "setValue",
    ]

    init(_ files: [FileNames]) {
        declared = files.reduce(into: []) { $0.formUnion($1.types) }
        inherited = files.reduce(into: [:]) { all, file in all.merge(file.inherited) { $0.union($1) } }
        owners = files.flatMap(\.members).reduce(into: [:]) { $0[$1.name, default: []].insert($1.type) }
    }

    func isDeclared(_ type: String) -> Bool { declared.contains(type) }

    /// Whether one of two types may have what the other one has: they are of the library, or one inherits the other.
    func areRelated(_ one: String, _ other: String) -> Bool {
        if one == other || !isDeclared(one) && !isDeclared(other) { return true }
        return above(one).contains(other) || above(other).contains(one)
    }

    /// Whether a type, as far as the files and the library say, has a member of a name.
    func hasMember(_ name: String, _ type: String) -> Bool {
        let types = above(type)
        if owners[name]?.contains(where: { owner in types.contains(owner) }) ?? false { return true }
        if types.contains(where: Self.rich.contains) || !isDeclared(type) && isKnown(type) {
            return libraryHasMember(name) || owners[name]?.contains { !isDeclared($0) } ?? false
        }
        return types.contains { !isDeclared($0) } && Self.plainMembers.contains(name)
    }

    private func isKnown(_ type: String) -> Bool { Self.generic.contains(type) || SwiftType.scalar(type) != nil }

    /// Whether a type of the library has a member of a name.
    func libraryHasMember(_ name: String) -> Bool {
        !library.properties(name).isEmpty || !library.methods(name).isEmpty || !library.statics(name).isEmpty
    }

    /// Whether the library has a function or a type of a name.
    func libraryHasName(_ name: String) -> Bool {
        library.hasFunction(name) || SwiftType.scalar(name) != nil
    }

    /// A type with all that it inherits.
    private func above(_ type: String) -> Set<String> {
        var (found, waiting): (Set<String>, [String]) = ([], [type])
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += inherited[next] ?? [] }
        }
        return found
    }
}
