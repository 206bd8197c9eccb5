import RealmModel

/// Why an object can't be read or changed as asked, in Realm's words where Realm has them.
package struct EditingError: Error, Hashable, Sendable {
    /// Realm's name of the error.
    package var code: RealmErrorCode
    /// The whole message, Realm's own text where Realm has one.
    package var message: String
    /// The single things that are wrong.
    package var details: [ProblemItem]

    /// Describes a failure.
    package init(_ code: RealmErrorCode, _ message: String, details: [ProblemItem] = []) {
        self.code = code
        self.message = message
        self.details = details
    }
}
