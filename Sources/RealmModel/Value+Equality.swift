/// Equality is of what is stored: numbers of one type by their bits, strings by their bytes.
///
/// Swift's own equality would take `é` and `e` with an accent for one string, which Realm does not, and a NaN for
/// different from itself. `ValueOrder` compares by value.
extension Value {
    /// Whether both values are stored alike.
    public static func == (lhs: Value, rhs: Value) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.int(let lhs), .int(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.float(let lhs), .float(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.double(let lhs), .double(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
        case (.data(let lhs), .data(let rhs)): lhs == rhs
        case (.date(let lhs), .date(let rhs)): lhs == rhs
        case (.decimal128(let lhs), .decimal128(let rhs)): lhs == rhs
        case (.objectId(let lhs), .objectId(let rhs)): lhs == rhs
        case (.uuid(let lhs), .uuid(let rhs)): lhs == rhs
        case (.link(let lhs), .link(let rhs)): lhs == rhs
        case (.typedLink(let lhsClass, let lhs), .typedLink(let rhsClass, let rhs)):
            lhs == rhs && lhsClass.hasSameBytes(as: rhsClass)
        case (.list(let lhs), .list(let rhs)): lhs == rhs
        case (.dictionary(let lhs), .dictionary(let rhs)): lhs == rhs
        default: false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .int(let number): hasher.combine(number)
        case .bool(let flag): hasher.combine(flag)
        case .float(let number): hasher.combine(number.bitPattern)
        case .double(let number): hasher.combine(number.bitPattern)
        case .string(let text): text.hashBytes(into: &hasher)
        case .data(let bytes): hasher.combine(bytes)
        case .date(let date): hasher.combine(date)
        case .decimal128(let number): hasher.combine(number)
        case .objectId(let id): hasher.combine(id)
        case .uuid(let id): hasher.combine(id)
        case .link(let key): hasher.combine(key)
        case .typedLink(let name, let key):
            name.hashBytes(into: &hasher)
            hasher.combine(key)
        case .list(let elements): hasher.combine(elements)
        case .dictionary(let entries): hasher.combine(entries)
        }
    }
}

extension DictionaryEntry {
    /// Whether both entries are stored alike.
    public static func == (lhs: DictionaryEntry, rhs: DictionaryEntry) -> Bool {
        lhs.key.hasSameBytes(as: rhs.key) && lhs.value == rhs.value
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        key.hashBytes(into: &hasher)
        hasher.combine(value)
    }
}
