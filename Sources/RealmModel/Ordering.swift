/// How one thing stands to another in an order.
public enum Ordering: Int, Hashable, Sendable {
    /// The first comes before the second.
    case ascending = -1
    /// Neither comes before the other.
    case same = 0
    /// The first comes after the second.
    case descending = 1

    /// Compares two things that have an order of their own.
    public init<T: Comparable>(_ lhs: T, _ rhs: T) {
        self = lhs < rhs ? .ascending : lhs > rhs ? .descending : .same
    }

    /// Compares two runs byte by byte, unsigned; where one begins with the other, the shorter comes first.
    public init(bytes lhs: some Sequence<UInt8>, _ rhs: some Sequence<UInt8>) {
        var rest = rhs.makeIterator()
        for byte in lhs {
            guard let other = rest.next() else {
                self = .descending
                return
            }
            if byte != other {
                self = byte < other ? .ascending : .descending
                return
            }
        }
        self = rest.next() == nil ? .same : .ascending
    }

    /// The order of the second to the first.
    public var reversed: Ordering {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }

    /// This order, or where it is the same, that of something less significant.
    public func then(_ next: @autoclosure () -> Ordering) -> Ordering {
        self == .same ? next() : self
    }
}
