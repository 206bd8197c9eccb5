/// Finds the name that a mistyped one was probably meant to be.
public enum NearestName {
    /// The longest name that is compared, in UTF-8 bytes; what is longer is near to nothing.
    private static let longest = 128

    /// The name among some that takes the fewest edits to come from another, upper and lower case being alike.
    ///
    /// An edit inserts, removes or replaces one Unicode scalar, or swaps two neighbours. A third of the longer name may
    /// be edited, and one scalar where both names have two.
    ///
    /// - Returns: the first of those that are equally near; nil where none is near.
    public static func find(_ name: String, among names: some Sequence<String>) -> String? {
        guard let wanted = folded(name) else { return nil }
        var best: (name: String, edits: Int)?
        for candidate in names {
            guard let other = folded(candidate) else { continue }
            let (longer, shorter) = (max(wanted.count, other.count), min(wanted.count, other.count))
            let limit = min(max(longer / 3, shorter > 1 ? 1 : 0), (best?.edits ?? .max) - 1)
            if let edits = edits(wanted, other, limit: limit) { best = (candidate, edits) }
        }
        return best?.name
    }

    /// A question whether the nearest name was meant; nil where none is near.
    public static func question(_ name: String, among names: some Sequence<String>) -> String? {
        find(name, among: names).map { "Did you mean '\($0)'?" }
    }

    private static func folded(_ name: String) -> [Unicode.Scalar]? {
        name.utf8.count <= longest ? Array(name.lowercased().unicodeScalars) : nil
    }

    /// The edits between two texts; nil where there are more than a limit.
    private static func edits(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], limit: Int) -> Int? {
        guard limit >= 0, abs(a.count - b.count) <= limit else { return nil }
        var twoBack: [Int] = []
        var back = Array(0...b.count)
        for row in a.indices {
            var current = [row + 1]
            for column in b.indices {
                var edits = min(
                    back[column] + (a[row] == b[column] ? 0 : 1), back[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
                    edits = min(edits, twoBack[column - 1] + 1)
                }
                current.append(edits)
            }
            guard current.contains(where: { $0 <= limit }) else { return nil }
            (twoBack, back) = (back, current)
        }
        return back[b.count] <= limit ? back[b.count] : nil
    }
}
