import RealmModel

/// Something in an object that can't be taken, before its place in the input is known.
struct Refusal: Error {
    let code: InputError.Code
    /// A clause whose subject is the property or the class.
    let clause: String
    /// The value's word in the tape.
    let word: Int
    /// A question about a name that was probably meant.
    var hint: String?

    /// A value of another type than it has to be.
    static func mismatch(_ expected: String, at word: Int) -> Refusal {
        Refusal(code: .typeMismatch, clause: "has to be \(expected)", word: word)
    }
}
