import RealmEditing
import RealmModel

/// Why a batch of changes is refused; nothing of it is done then.
package enum ChangeError: Error, Hashable, Sendable {
    /// Something in it can't be.
    ///
    /// - Parameter pointer: where in the batch, as a JSON pointer.
    case refused(EditingError, pointer: String)
    /// A link leads to an object that is neither in the realm nor in the batch.
    case brokenLink(className: String, pointer: String)
    /// A link of a partner is given as it is shown, while its object's own link still waits for another partner to be made: whether
    /// the client takes it away, or repeats what it was shown, can't be told.
    case linkWaits(className: String, property: String, primaryKey: Value, pointer: String)
    /// Both sides of objects are given values that the partner's functions can't bring together.
    ///
    /// - Parameter values: those that contradict each other, the old side's first.
    case contradictions([[GivenValue]])
    /// A value of what the client's schema version declares and the server-side schema has not, or not yet.
    case notStored(className: String, property: String?)
    /// Objects of the batch changed since the snapshot that it was made on.
    case conflict([ChangedObject])

    /// An object by its class and primary key.
    package struct ChangedObject: Hashable, Sendable {
        /// The class.
        package var className: String
        /// Its primary key.
        package var primaryKey: Value
    }

    /// A value of a batch by its place.
    package struct GivenValue: Hashable, Sendable {
        /// The class.
        package var className: String
        /// The property's public name.
        package var property: String
        /// The primary key of the object.
        package var primaryKey: Value
        /// The last upsert that gives it, by its place.
        package var upsert: Int
    }
}
