import Problems
import RealmMigration
import RealmModel
import SnapshotStore

/// What a path can name.
enum MissingThing: String, Hashable, Sendable {
    case app
    case schemaVersion = "schema version"
    case realm
    case snapshot
    case job
    case objectClass = "class"
    case object
    case apiKey = "API key"
    case token
    case upload
    case fleet
}

/// Why the API itself refuses a request.
enum APIError: Error, Hashable, Sendable {
    /// No key was given, or none that is known.
    case unauthorized(isKeyGiven: Bool)
    /// The key does not permit the operation.
    case scopeMissing(KeyScope)
    /// The operation is about more than realms, and a token has nothing else.
    case notForTokens
    /// The key gives access to some apps, and the operation is about all of them.
    case allAppsMissing
    /// The key sends more requests than it may; another is answered after a time.
    case rateLimited(untilNext: Duration)
    /// The same request is being answered, on another connection.
    case idempotencyInFlight
    /// Another request was sent under the same name.
    case idempotencyMismatch
    /// The thing is in another state than the client asks for (`If-Match`).
    case preconditionFailed
    /// The client speaks another version of tus, or does not say which.
    case tusVersion
    /// The bytes are not those that their checksum is of.
    case checksumMismatch
    /// The program has not come up yet.
    case notReady
    /// No operation has the path.
    case routeNotFound
    /// The path has operations, but not of this method.
    case methodNotAllowed(allowed: [String])
    /// There is no such thing.
    case notFound(MissingThing, String)
    /// Nothing that the client accepts can be given.
    case notAcceptable(offered: [String])
    /// The body is of a type that the operation does not take.
    case unsupportedMediaType(accepted: [String])
    /// A header field is not what it has to be; its value is never repeated.
    case invalidField(name: String, message: String)
    /// A query parameter is not what it has to be.
    case invalidParameter(name: String, message: String)
    /// Query parameters that the operation has not, and those that it has.
    case unknownParameters([String], known: [String])
    /// A query parameter that stands twice.
    case repeatedParameter(String)
    /// A member of the body is not what it has to be.
    case invalidMember(pointer: String, message: String)
    /// A schema that Realm does not accept.
    case schemaInvalid([SchemaValidationError], pointer: String)
    /// A script in a language that is not run here.
    case scriptLanguageUnsupported(pointer: String)
    /// A script that no migration can run.
    case scriptInvalid(MigrationError, pointer: String)
    /// A rename of a class or a property that no version has.
    case renameUnknown(String, pointer: String)
    /// A migration to version 0, which no realm is below.
    case migrationNeverRuns(pointer: String)
    /// A schema version that the app has not declared.
    case schemaVersionUnknown(UInt64)
    /// Objects that lack a required value, which a format has no way to say.
    case objectsUnsynced(Int, format: String)
    /// A development mode of a realm that is not synced.
    case developmentModeOfLocalRealm
    /// A schema version that a client names and the app has not declared.
    case clientVersionUnknown(UInt64)
    /// A realm that was never uploaded has nothing to migrate or to change.
    case realmWithoutSnapshot
    /// The app does not say what its realms are given back as.
    case exportPolicyMissing
    /// A realm that is to be migrated before it is given back, with its version.
    case exportOfAnotherVersion(UInt64?, wanted: UInt64)
    /// The migration before an export did not succeed.
    case exportFailed(ProblemDocument)
    /// Nobody knows any more what changed since a snapshot.
    case snapshotGone(String)
}
