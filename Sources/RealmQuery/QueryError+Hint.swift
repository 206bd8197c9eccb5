import RealmModel

extension QueryError {
    /// The word that was probably meant, or what to do; nil where the description says it.
    ///
    /// It is no part of the description, which is Realm's.
    public var hint: String? {
        // The query comes first and is quoted: only what follows it is looked at.
        let problem = description.split(separator: "': ", omittingEmptySubsequences: false).last ?? ""
        if problem.hasPrefix(Self.unexpected) {
            return hint(unexpected: problem.dropFirst(Self.unexpected.count).filter { $0 != "'" })
        }
        return Self.advice.first { problem.contains($0.part) }?.hint
    }

    private static let unexpected = "syntax error, unexpected "

    private func hint(unexpected word: String) -> String {
        if word == "end of query" { return "Something is missing at its end: a value, or a closing parenthesis." }
        if word.uppercased() == "NOT" { return "NOT stands before a whole comparison: NOT (age IN {1, 2})." }
        if word.uppercased() == "TEXT" {
            return "Full-text search (TEXT) is not supported: CONTAINS[c] finds a part of a text."
        }
        if word.lowercased().hasPrefix("geo") { return "Searches by place (GEOWITHIN) are not supported." }
        if let question = NearestName.question(word, among: Self.words) { return question }
        if ["=", "==", "!=", "<", ">", "<=", ">="].contains(word) { return "One operator stands between two sides." }
        return "docs/queries.md shows what a query consists of."
    }

    /// The words that stand between the sides and the parts of a query.
    private static let words = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "ANY", "ALL", "NONE",
        "SOME", "SORT", "DISTINCT", "LIMIT", "ASC", "DESC", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY",
    ]

    private static let advice: [(part: String, hint: String)] = [
        ("invalid character: \"", "Close the text with the quotation mark that begins it."),
        ("invalid character: '", "Close the text with the quotation mark that begins it."),
        ("Unsupported comparison between type", "A text stands in quotation marks, a number does not."),
        ("Cannot convert", "Write the value as its property's type is written: docs/queries.md has a list."),
        ("must contain a list", "Leave ANY, ALL or NONE out, or name a list."),
        ("Request for argument at index", "Write the value itself in place of $0: no arguments are given here."),
        ("Cannot compare two constants", "One side is a property: its name stands without quotation marks."),
        ("which links to type", "Name a class and a property of it that links here, as @links.Dog.owner."),
        ("Invalid timestamp format", "Write dates as 2024-01-31@10:00:00:0."),
    ]
}
