import RealmComparison
import RealmModel

/// A rehearsal's report as a person reads it.
struct RehearsalText {
    private let rehearsal: Rehearsal
    private let name: String
    private let source: Schema
    private let warnings: [String]

    /// - Parameter source: the schema before; has the names that its properties have for people.
    init(_ rehearsal: Rehearsal, of name: String, source: Schema, _ warnings: [String]) {
        self.rehearsal = rehearsal
        self.name = name
        self.source = source
        self.warnings = warnings
    }

    /// The lines, the last with its end.
    var text: String {
        var lines = [head]
        lines += rehearsal.schema.map { "  schema: \($0.message)" }
        for difference in rehearsal.classes {
            lines.append(
                "  \(difference.className): \(Quantity.count(difference.changed, "object", "objects")) changed, \(difference.added) created, "
                    + "\(difference.removed) deleted")
            lines += difference.properties.map { property in
                let lost = property.toNull > 0 ? ", \(property.toNull) of them to null" : ""
                return "    \(publicName(property.name, in: difference.className)): \(property.changed) changed\(lost)"
            }
        }
        lines += warnings.map { "  warning: \($0)" }
        lines += rehearsal.losses.map { "  \($0.isDeclared ? "dropped" : "LOST"): \(sentence($0))" }
        if rehearsal.losses.allSatisfy(\.isDeclared) { lines.append("  nothing is lost") }
        return lines.map { $0 + "\n" }.joined()
    }

    private var head: String {
        let versions = [rehearsal.fromVersion, rehearsal.toVersion].map { $0.map(String.init) ?? "none" }
        return "\(name): schema version \(versions[0]) → \(versions[1])"
    }

    private func sentence(_ loss: Rehearsal.Loss) -> String {
        let place = ([loss.className] + [loss.property.map { publicName($0, in: loss.className) }].compactMap(\.self))
            .joined(separator: ".")
        let objects = Quantity.count(loss.objects.count, "object", "objects")
        let keys = loss.objects.keys.map(String.init).joined(separator: ", ")
        let named = loss.objects.count > loss.objects.keys.count ? "object keys \(keys), …" : "object keys \(keys)"
        let what =
            switch loss.kind {
            case .dropped where loss.property == nil: "the class with \(objects)"
            case .dropped: "values of \(objects)"
            case .null: "values of \(objects) become null"
            case .link: "links of \(objects) become null"
            case .zero: "values of \(objects) become zero or empty by conversion"
            case .inexact: "numbers of \(objects) become others by conversion"
            }
        return "\(place): \(what) (\(named))"
    }

    private func publicName(_ property: String, in className: String) -> String {
        source[className]?.properties.first { $0.name.hasSameBytes(as: property) }?.publicName ?? property
    }
}
