import RealmJSON
import StoreCore

/// How far a job is; its JSON is that of the API.
public struct JobProgress: Hashable, Sendable {
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
}

extension JobProgress: StoredDocument {
    package init(json: JSONValue) throws(StoreError) {
        self.init(
            phase: try json.stored("phase", \.string), className: try json.storedIfAny("class", \.string),
            objectsDone: Int(try json.stored("objectsDone", \.int)),
            objectsTotal: Int(try json.stored("objectsTotal", \.int)),
            objectsPerSecond: try json.storedIfAny("objectsPerSecond", \.double),
            etaSeconds: try json.storedIfAny("etaSeconds", \.double))
    }

    /// The progress as clients see it.
    public var json: JSONValue {
        [
            "phase": .string(phase), "class": className.map { .string($0) } ?? .null,
            "objectsDone": .int(Int64(objectsDone)), "objectsTotal": .int(Int64(objectsTotal)),
            "objectsPerSecond": objectsPerSecond.map { .double($0) } ?? .null,
            "etaSeconds": etaSeconds.map { .double($0) } ?? .null,
        ]
    }
}
