import RealmFormats
import SnapshotStore
import Webhooks

/// The settings of an installation for its API.
public struct APIConfiguration: Hashable, Sendable {
    /// The program's version, as `/v1/version` says it.
    public var version: String
    /// The most bytes of an uploaded realm, decoded.
    public var uploadLimitBytes: Int
    /// The most bytes that uploads in parts may announce together that are not done.
    public var unfinishedLimitBytes: Int
    /// The most bytes of a JSON document in a request.
    public var documentLimitBytes: Int
    /// The quota of an app.
    public var quota: AppQuota
    /// The most bytes that all spooled uploads have together.
    public var spoolLimitBytes: Int
    /// The directory that uploads are spooled in, in files without a name.
    public var spoolDirectory: String
    /// Uploads that are decoded at once, at least 1; others wait for their turn.
    public var concurrentUploads: Int
    /// The limits for decoding an upload.
    public var decodingLimits: DecodingLimits
    /// How much one request may take.
    public var requestLimits: RequestLimits
    /// The longest that `Prefer: wait` makes an answer wait, in seconds.
    public var longestWaitSeconds: Int
    /// Requests that one key may send this process in a minute; nil for any number.
    public var requestsPerMinute: Int?
    /// The origin by which browsers know the service, as `https://realms.example.com`; nil for that which requests name.
    public var publicOrigin: String?
    /// Origins of other pages whose scripts may ask the service, with keys.
    public var allowedOrigins: [String]
    /// Whether the service itself speaks TLS.
    public var speaksTLS: Bool
    /// The directory of the audit log's journals; nil for a service without an audit log.
    public var auditDirectory: String?
    /// How long entries of the audit log are kept.
    public var auditAge: Duration
    /// The addresses that webhooks may have.
    public var webhookAddresses: AddressPolicy

    /// 8 GiB for realms, 16 MiB for documents, five minutes of waiting.
    public init(
        version: String = "0.0.0", uploadLimitBytes: Int = 8 << 30, unfinishedLimitBytes: Int = 64 << 30,
        documentLimitBytes: Int = 16 << 20,
        spoolDirectory: String = "/tmp", concurrentUploads: Int = 4,
        decodingLimits: DecodingLimits = DecodingLimits(memoryBytes: 1 << 30),
        requestLimits: RequestLimits = RequestLimits(), longestWaitSeconds: Int = 300,
        requestsPerMinute: Int? = nil, auditDirectory: String? = nil, auditAge: Duration = .seconds(365 * 86_400),
        quota: AppQuota = AppQuota(), spoolLimitBytes: Int = 64 << 30, publicOrigin: String? = nil,
        allowedOrigins: [String] = [], speaksTLS: Bool = false, webhookAddresses: AddressPolicy = AddressPolicy()
    ) {
        self.version = version
        self.uploadLimitBytes = uploadLimitBytes
        self.unfinishedLimitBytes = unfinishedLimitBytes
        self.documentLimitBytes = documentLimitBytes
        self.spoolDirectory = spoolDirectory
        self.concurrentUploads = concurrentUploads
        self.decodingLimits = decodingLimits
        self.requestLimits = requestLimits
        self.longestWaitSeconds = longestWaitSeconds
        self.requestsPerMinute = requestsPerMinute
        self.publicOrigin = publicOrigin
        self.allowedOrigins = allowedOrigins
        self.speaksTLS = speaksTLS
        self.auditDirectory = auditDirectory
        self.auditAge = auditAge
        self.quota = quota
        self.spoolLimitBytes = spoolLimitBytes
        self.webhookAddresses = webhookAddresses
    }
}
