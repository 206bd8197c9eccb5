import RealmModel

/// Where and why bytes are not JSON, before the place is known in the whole input.
struct JSONSyntaxError: Error, Hashable {
    /// The reason, a clause without its place.
    let reason: String
    /// Bytes from the start of the parsed run.
    let offset: Int
}

extension InputError {
    /// Bytes that are not JSON, as the problem document names them.
    static func malformedJSON(_ reason: String, at place: TextPlace) -> InputError {
        InputError(.malformedJSON, place.item("Malformed JSON: \(reason), at \(place)."))
    }
}
