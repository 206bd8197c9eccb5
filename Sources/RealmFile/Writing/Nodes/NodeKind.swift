/// The flags of a node's header, REALM_FORMAT section 2.
struct NodeKind: OptionSet {
    let rawValue: UInt8

    static let inner = NodeKind(rawValue: 0x80)
    static let hasRefs = NodeKind(rawValue: 0x40)
    static let context = NodeKind(rawValue: 0x20)
}
