import HTTPServer
import MigrationJobs
import RealmModel
import StoreCore

/// A request that was matched to a route.
struct APIRequest: Sendable {
    let head: HTTPRequestHead
    /// The parameters of the path, decoded.
    let parameters: [String: String]
    /// The things that the sender may see and do.
    let access: Access
    /// The whole request; nil while its body is not read.
    let whole: HTTPRequest?
    /// Fields that every answer to it has beside its own.
    var answerFields: HTTPFields = [:]
    /// Tells answers that go on when the key is gone.
    var keyWatch: KeyWatch?
    /// The id of the job that it makes, where it makes one, of a request that may be repeated: its repeats have the same.
    var newJobID: RealmModel.UUID?

    /// The same, with what its key gives access to.
    func with(_ access: Access, answerFields: HTTPFields) -> APIRequest {
        APIRequest(
            head: head, parameters: parameters, access: access, whole: whole, answerFields: answerFields,
            keyWatch: keyWatch)
    }

    /// The same, with its body.
    func with(_ whole: HTTPRequest) -> APIRequest {
        APIRequest(
            head: head, parameters: parameters, access: access, whole: whole, answerFields: answerFields,
            keyWatch: keyWatch)
    }

    /// A parameter that the route's path has.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// A parameter that is a schema version.
    func schemaVersion(_ name: String) throws(APIError) -> UInt64 {
        guard let version = SchemaVersionNumber.parse(parameter(name)) else {
            throw .notFound(.schemaVersion, parameter(name))
        }
        return version
    }

    /// A name that is about to be given to an app or a realm.
    func newName(_ thing: StoreError.Thing) throws -> String {
        let name = parameter(thing.rawValue)
        guard ResourceName.isValid(name, of: thing) else { throw StoreError.invalidName(thing) }
        return name
    }

    /// Whether nothing is gained by waiting on.
    var shouldStopWaiting: Bool { whole?.shouldStopWaiting ?? false }

    /// Who waits for a turn is woken when that has come, and looks again after this at the latest.
    private static let longestSleep = Duration.seconds(60)

    /// Does something when a turn has come, and takes no thread until then.
    ///
    /// - Throws: `unauthorized` where the key or token has ended meanwhile; `HTTPError.overloaded` where nothing is gained by
    ///   waiting on; what the body throws.
    func wait(for turn: Slots.Turn, _ body: @escaping () throws -> APIAnswer) throws -> APIAnswer {
        guard !turn.hasCome else { return try body() }
        return try wait(for: turn, holding: holdKey(), body)
    }

    private func wait(
        for turn: Slots.Turn, holding key: KeyWatch.Hold?, _ body: @escaping () throws -> APIAnswer
    ) throws -> APIAnswer {
        guard key?.hasEnded != true else { throw APIError.unauthorized(isKeyGiven: true) }
        guard !turn.hasCome else { return try body() }
        guard !shouldStopWaiting else { throw HTTPError.overloaded }
        return .later(until: .now + Self.longestSleep) { try wait(for: turn, holding: key, body) }
    }
}

extension JobQueue {
    /// The queue for what a request asks for.
    func asked(by request: APIRequest) -> JobQueue {
        asked(by: request.head.id, in: request.head.traceParent?.text, as: request.newJobID)
    }
}
