import HTTPServer

extension HTTPRequestHead {
    /// The value of a query parameter that is `true` or `false`; false where it is left out.
    ///
    /// - Throws: `invalidParameter` for any other.
    func flag(_ name: String) throws(APIError) -> Bool {
        switch queryValue(name) {
        case nil, "false": return false
        case "true": return true
        default: throw .invalidParameter(name: name, message: "is true or false.")
        }
    }

    /// The value of a query parameter that is one of a few words; nil where it is left out.
    ///
    /// - Throws: `invalidParameter` for any other.
    func choice(_ name: String, of words: [String]) throws(APIError) -> String? {
        guard let value = queryValue(name) else { return nil }
        guard words.contains(value) else {
            throw .invalidParameter(name: name, message: "has to be one of \(words.joined(separator: ", ")).")
        }
        return value
    }

    /// The value of a query parameter that is one of a few words; nil where it is left out.
    ///
    /// - Throws: `invalidParameter` for any other.
    func choice<Choice: RawRepresentable<String>>(_ name: String, of choices: [Choice]) throws(APIError) -> Choice? {
        let word = try choice(name, of: choices.map(\.rawValue))
        return choices.first { $0.rawValue == word }
    }
}
