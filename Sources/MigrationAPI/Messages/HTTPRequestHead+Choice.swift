import HTTPServer
import RealmModel

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

    /// The values of a query parameter that has some of a few words, with commas between; nil where it is left out.
    ///
    /// - Throws: `invalidParameter` for any other.
    func choices<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice]
    ) throws(APIError) -> [Choice]? {
        guard let text = queryValue(name) else { return nil }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { word throws(APIError) in
            guard let choice = choices.first(where: { $0.rawValue == word }) else {
                let words = choices.map(\.rawValue).joined(separator: ", ")
                throw .invalidParameter(name: name, message: "has to be some of \(words), with commas between.")
            }
            return choice
        }
    }

    /// The value of a query parameter that is a time; nil where it is left out.
    ///
    /// - Throws: `invalidParameter` for what is none.
    func time(_ name: String) throws(APIError) -> Timestamp? {
        guard let text = queryValue(name) else { return nil }
        guard let moment = Timestamp(text), moment < .endOfYears else {
            throw .invalidParameter(name: name, message: "has to be a time as RFC 3339 writes it.")
        }
        return moment
    }
}
