import SwiftSyntax

/// Attributes that change what a declaration does: the code that is written for them is not lowered.
extension Lowering {
    /// Those that leave values and calls what they are.
    private static let plainAttributes: Set<String> = [
        "GKInspectable", "IBAction", "IBInspectable", "IBOutlet", "MainActor", "NSManaged", "ObservationIgnored",
        "Persisted", "Published", "Sendable", "autoclosure", "available", "backDeployed", "concurrent", "convention",
        "discardableResult", "escaping", "frozen", "inlinable", "inline", "nonobjc", "objc", "preconcurrency",
        "unchecked", "usableFromInline", "warn_unqualified_access",
    ]

    /// Refuses property wrappers, result builders and macros.
    func mustBePlain(_ attributes: AttributeListSyntax) throws {
        for element in attributes {
            guard let attribute = element.as(AttributeSyntax.self) else { continue }
            let path = attribute.attributeName.pathNames
            guard let name = path.last, !Self.plainAttributes.contains(name) else { continue }
            let own = path.count == 1 ? nominal(named: name) : declarations.nominal(path: path)
            // An actor's says where the code runs, and no more.
            if own?.attributes.contains(where: { $0.as(AttributeSyntax.self)?.attributeName.spelling == "globalActor" })
                ?? false
            {
                continue
            }
            throw Refusal(
                "‘@\(name)’ may change what this does, and is not understood: write what it does.", at: attribute)
        }
    }
}
