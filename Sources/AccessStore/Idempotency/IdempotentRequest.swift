import RealmModel

/// A request that its client may repeat.
public struct IdempotentRequest: Hashable, Sendable {
    /// With which key it was sent: what others call theirs has nothing to do with it.
    public var key: RealmModel.UUID
    /// The client's name for it, 1 to 255 characters of ASCII.
    public var name: String
    /// SHA-256 of what it asks for.
    public var fingerprint: [UInt8]

    /// Names a request.
    public init(key: RealmModel.UUID, name: String, fingerprint: [UInt8]) {
        self.key = key
        self.name = name
        self.fingerprint = fingerprint
    }
}

/// The answer to a request, as it is kept.
public struct KeptAnswer: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The fields' names and values in turn.
    public var fields: [String]
    /// The body.
    public var body: [UInt8]

    /// Puts an answer together.
    public init(status: Int, fields: [String], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// How a request stands that somebody wants to be answered.
public enum IdempotentRequestState: Hashable, Sendable {
    /// Nobody has answered it: whoever asks does, and holds it meanwhile under the id of this turn. The job that it makes, where it makes
    /// one, has the other id, in this turn as in every other.
    case taken(turn: RealmModel.UUID, job: RealmModel.UUID)
    /// Somebody is answering it.
    case inFlight
    /// It was answered.
    case answered(KeptAnswer)
    /// Something else was asked for under its name.
    case mismatch
}
