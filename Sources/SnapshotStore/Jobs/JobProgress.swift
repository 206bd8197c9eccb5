/// How far a job is; its JSON is that of the API.
public struct JobProgress: Hashable, Sendable, Codable {
    /// `prepare`, `script`, `finish` or `commit`.
    public var phase: String
    /// The class that is worked on, where there is one.
    public var className: String?
    /// Objects done in this phase and class.
    public var objectsDone: Int
    /// All objects of this phase and class.
    public var objectsTotal: Int
    /// How fast it goes; nil before that is known.
    public var objectsPerSecond: Double?
    /// When this phase and class will be done at that speed; nil before that is known.
    public var etaSeconds: Double?

    /// Describes progress.
    public init(
        phase: String, className: String? = nil, objectsDone: Int = 0, objectsTotal: Int = 0,
        objectsPerSecond: Double? = nil, etaSeconds: Double? = nil
    ) {
        self.phase = phase
        self.className = className
        self.objectsDone = objectsDone
        self.objectsTotal = objectsTotal
        self.objectsPerSecond = objectsPerSecond
        self.etaSeconds = etaSeconds
    }

    private enum CodingKeys: String, CodingKey {
        case phase
        case className = "class"
        case objectsDone
        case objectsTotal
        case objectsPerSecond
        case etaSeconds
    }
}
