import RealmComparison
import RealmJSON

extension JSONBody {
    /// The levels and rules of findings that fail a rehearsal; nil where none are given.
    func failOn() throws -> [String]? {
        guard let elements = try array("failOn") else { return nil }
        let names = elements.compactMap(\.string)
        guard names.count == elements.count, names.count <= FailurePolicy.known.count else {
            throw invalid("failOn", "failOn has to be an array of levels and rules of findings, each once.")
        }
        do throws(FailurePolicy.UnknownName) {
            return try FailurePolicy(names).names
        } catch {
            throw invalid("failOn", error.message)
        }
    }
}
