import RealmJSON
import RealmModel

extension JSONBody {
    /// Labels that a realm has at most, and characters of a name and of a value.
    private static let labelLimits = (count: 64, name: 64, value: 256)

    /// Labels of a realm: strings by names.
    func labels(_ name: String) throws(InputError) -> [String: String]? {
        guard let member = member(name) else { return nil }
        guard let members = member.members else { throw invalid(name, "\(name) has to be an object of strings.") }
        guard members.count <= Self.labelLimits.count else {
            throw invalid(name, "\(name) has \(Self.labelLimits.count) members at most.")
        }
        var labels: [String: String] = [:]
        for member in members {
            let limits = Self.labelLimits
            guard let value = member.value.string, let label = Self.label(member.name, value) else {
                throw invalid(
                    name,
                    "\(name) has strings of \(limits.value) characters at most, by names of 1 to \(limits.name), without control "
                        + "characters.")
            }
            labels.merge(label) { $1 }
        }
        return labels
    }

    /// One label by its name; nil where no realm can have it.
    static func label(_ name: String, _ value: String) -> [String: String]? {
        guard !name.isEmpty, isText(name, upTo: labelLimits.name), isText(value, upTo: labelLimits.value) else {
            return nil
        }
        return [name: value]
    }

    private static func isText(_ text: String, upTo limit: Int) -> Bool {
        text.count <= limit && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
}
