import RealmFleet
import RealmJSON
import RealmModel
import SnapshotStore
import StoreCore

/// The request for a fleet; its migration, which may be mended, is kept beside it.
public struct FleetRequest: Hashable, Sendable {
    /// The schema version to reach, which is declared.
    public var targetVersion: UInt64
    /// Which realms of the app it is about.
    public var selection: FleetSelection
    /// How it goes about them.
    public var policy: FleetPolicy
    /// Whether everything is done but the commits.
    public var dryRun: Bool
    /// The levels and rules of findings that fail a realm, where any do.
    public var failOn: [String]?
    /// How objects whose callback throws are treated, in each realm.
    public var onError: MigrationOrder.Request.ErrorPolicy
    /// Realm's schema mode in the API's words.
    public var mode: String
    /// The limits that are asked for, for each realm.
    public var limits: MigrationOrder.Limits

    /// Describes a fleet.
    public init(
        targetVersion: UInt64, selection: FleetSelection = FleetSelection(), policy: FleetPolicy = FleetPolicy(),
        dryRun: Bool = false, failOn: [String]? = nil, onError: MigrationOrder.Request.ErrorPolicy = .abort,
        mode: String = "automatic",
        limits: MigrationOrder.Limits = MigrationOrder.Limits()
    ) {
        self.targetVersion = targetVersion
        self.selection = selection
        self.policy = policy
        self.dryRun = dryRun
        self.failOn = failOn
        self.onError = onError
        self.mode = mode
        self.limits = limits
    }
}

/// Which local realms of an app that have a snapshot a fleet is about: those that agree with everything that is set.
public struct FleetSelection: Hashable, Sendable {
    /// The schema version of the current snapshot.
    public var version: VersionCondition?
    /// Labels that they have.
    public var labels: [String: String]
    /// Names, or patterns of names, of which one has to fit; nil for all.
    public var names: [NamePattern]?

    /// All realms, unless something is set.
    public init(version: VersionCondition? = nil, labels: [String: String] = [:], names: [NamePattern]? = nil) {
        self.version = version
        self.labels = labels
        self.names = names
    }
}

extension FleetRequest: StoredDocument {
    /// Without the version and the migration, which have columns of their own.
    package init(json: JSONValue) throws(StoreError) {
        self.init(
            targetVersion: 0, selection: try FleetSelection(json: try json.stored("select") { $0 }),
            policy: try FleetPolicy(json: json), dryRun: try json.stored("dryRun", \.bool),
            failOn: try json.storedIfAny("failOn") { $0.elements?.compactMap(\.string) },
            onError: try json.storedIfAny("onError") {
                $0.string.flatMap(MigrationOrder.Request.ErrorPolicy.init)
            } ?? .abort,
            mode: try json.stored("mode", \.string), limits: try MigrationOrder.Limits(in: json))
    }

    /// The members by which clients know it, those of the limits among them.
    public var json: JSONValue {
        .object(
            [
                JSONMember("select", selection.json), JSONMember("mode", .string(mode)),
                JSONMember("dryRun", .bool(dryRun)),
                JSONMember("failOn", failOn.map { .array($0.map { .string($0) }) } ?? .null),
                JSONMember("onError", .string(onError.rawValue)),
            ] + policy.members + limits.members)
    }
}

extension FleetSelection {
    init(json: JSONValue) throws(StoreError) {
        var labels: [String: String] = [:]
        for member in try json.storedIfAny("labels", \.members) ?? [] { labels[member.name] = member.value.string }
        self.init(
            version: try json.storedIfAny("version") { $0.string.flatMap(VersionCondition.init) }, labels: labels,
            names: try json.storedIfAny("names", \.elements)?.compactMap { $0.string.map(NamePattern.init) })
    }

    /// The selection as clients write it.
    public var json: JSONValue {
        var members: [JSONMember] = []
        if let version { members.append(JSONMember("version", .string("\(version)"))) }
        if !labels.isEmpty { members.append(JSONMember("labels", RealmLabels.document(labels))) }
        if let names { members.append(JSONMember("names", .array(names.map { .string($0.text) }))) }
        return .object(members)
    }
}

extension FleetPolicy {
    init(json: JSONValue) throws(StoreError) {
        let canary = try json.storedIfAny("canary") { $0 }
        self.init(
            canary: try canary.map { canary throws(StoreError) in
                guard let size = try Amount(json: canary, count: "count") else { throw .damaged("a stored canary") }
                return Canary(size, pauseSeconds: try canary.storedIfAny("pauseSeconds", \.double))
            }, concurrency: try json.storedIfAny("concurrency", \.int).map { Int($0) },
            stopAfter: try json.storedIfAny("stopAfter") { $0 }.flatMap { (json) throws(StoreError) in
                try Amount(json: json, count: "failures")
            })
    }

    /// The members as clients write them; null where nothing was said.
    public var members: [JSONMember] {
        let canary = canary.map { canary in
            JSONValue.object(
                [canary.size.member(count: "count")]
                    + (canary.pauseSeconds.map { [JSONMember("pauseSeconds", .double($0))] } ?? []))
        }
        return [
            JSONMember("canary", canary ?? .null),
            JSONMember("concurrency", concurrency.map { .int(Int64($0)) } ?? .null),
            JSONMember("stopAfter", stopAfter.map { .object([$0.member(count: "failures")]) } ?? .null),
        ]
    }
}

extension FleetPolicy.Amount {
    /// - Parameter name: the member that has a number.
    fileprivate init?(json: JSONValue, count name: String) throws(StoreError) {
        if let count = try json.storedIfAny(name, \.int) {
            self = .count(Int(count))
        } else if let percent = try json.storedIfAny("percent", \.double) {
            self = .percent(percent)
        } else {
            return nil
        }
    }

    fileprivate func member(count name: String) -> JSONMember {
        switch self {
        case .count(let count): JSONMember(name, .int(Int64(count)))
        case .percent(let percent): JSONMember("percent", .double(percent))
        }
    }
}
