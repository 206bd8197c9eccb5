import RealmModel

/// An upload that comes in parts.
public struct PartialUpload: Hashable, Sendable {
    /// A UUIDv7.
    public var id: RealmModel.UUID
    /// The realm that it is for.
    public var realm: String
    /// Bytes that it is going to have.
    public var length: Int
    /// Bytes that have come.
    public var received: Int
    /// Its media type, as the client gives it.
    public var mediaType: String
    /// The client's metadata for it.
    public var metadata: String
    /// The snapshot that it became; nil while it is not done.
    public var snapshot: RealmModel.UUID?
    /// When it is given up, unless more comes.
    public var expiresAt: Timestamp

    package let appID: RealmModel.UUID

    /// Whether all bytes have come.
    public var isWhole: Bool { received == length }

    /// Where the next part begins.
    ///
    /// Clients take an upload of which all bytes are there for done. So its last byte is asked for again until it is a snapshot: a realm
    /// that refuses it today may take it tomorrow.
    public var offset: Int { snapshot == nil ? min(received, length - 1) : received }
}
