import RealmModel

/// The links of one property, to be asked who links to an object; 16 bytes a link.
public struct LinkTable: Sendable {
    private let links: [(target: Int64, origin: Int64)]

    /// Takes the links in any order, by the keys of the objects that they lead to and come from.
    public init(_ links: [(target: Int64, origin: Int64)]) {
        self.links = links.sorted { ($0.target, $0.origin) < ($1.target, $1.origin) }
    }

    /// The keys of the objects that link to a key, ascending, each as often as it does.
    public func origins(of key: Int64) -> [Int64] {
        links[links.partitioningIndex { $0.target >= key }...].prefix { $0.target == key }.map(\.origin)
    }
}
