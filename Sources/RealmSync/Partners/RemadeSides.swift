import RealmModel

/// The sides of partners that were made again under their names, with other functions: changes of what was there before them mean
/// something else.
package struct RemadeSides: Hashable, Sendable {
    /// A partner's class, or a property of a class.
    private struct Side: Hashable {
        let className: NameKey
        var property: NameKey?
    }

    private let sides: Set<Side>

    /// Finds them.
    ///
    /// - Parameters:
    ///   - before: the partners by the time that changes were made in, the first one first.
    ///   - since: those that were made later, likewise.
    package init(before: [PartnerDefinition], since: [PartnerDefinition]) {
        let (known, now) = (Self.latest(before), Self.latest(since))
        sides = Set(now.filter { side, definition in known[side].map { !$0.leadsAs(definition) } ?? false }.keys)
    }

    private static func latest(_ definitions: [PartnerDefinition]) -> [Side: PartnerDefinition] {
        var latest: [Side: PartnerDefinition] = [:]
        for definition in definitions {
            let name = NameKey(definition.partner.name)
            if definition.property == nil { latest[Side(className: name)] = definition }
            for property in definition.property == nil ? [] : definition.partner.properties {
                latest[Side(className: name, property: NameKey(property.name))] = definition
            }
        }
        return latest
    }

    /// Whether a class is one.
    package func has(_ className: String) -> Bool { sides.contains(Side(className: NameKey(className))) }

    /// Whether a property is one.
    package func has(_ property: String, of className: String) -> Bool {
        sides.contains(Side(className: NameKey(className), property: NameKey(property)))
    }
}

extension PartnerDefinition {
    /// Whether another one's functions are the same, from the same and to the same.
    fileprivate func leadsAs(_ other: PartnerDefinition) -> Bool {
        className.hasSameBytes(as: other.className) && (property ?? "").hasSameBytes(as: other.property ?? "")
            && forward.hasSameBytes(as: other.forward) && backward.hasSameBytes(as: other.backward)
    }
}
