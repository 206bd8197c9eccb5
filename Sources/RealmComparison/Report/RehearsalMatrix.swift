import RealmJSON
import RealmModel

/// The effects of migrations to one schema version on realms of all versions that there are or may be: a report for each
/// way there.
public struct RehearsalMatrix: Hashable, Sendable {
    /// The way from one version.
    public struct Hop: Hashable, Sendable {
        /// The data that were migrated.
        public var data: Data
        /// The realms that stand at the version.
        public var realmCount: Int
        /// The report.
        public var report: RehearsalReport

        /// The data that a migration was tried on.
        public enum Data: Hashable, Sendable {
            /// A snapshot of a realm.
            case snapshot(UUID, realm: String)
            /// Objects that were made up, because no realm stands at the version.
            case madeUp
        }

        /// Describes a hop.
        public init(data: Data, realmCount: Int, report: RehearsalReport) {
            self.data = data
            self.realmCount = realmCount
            self.report = report
        }
    }

    /// The outcome of a hop, the gravest first.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The migration fails.
        case fails
        /// It can be done, and loses values, or an assertion does not hold.
        case loses
        /// Values are carried over a version between that had removed or changed their property.
        case carriesOver
        /// Nothing is lost.
        case clean
    }

    /// The schema version that all lead to.
    public var toVersion: UInt64
    /// The hops, ascending by version.
    public var hops: [Hop] = []
    /// Versions that were not tried, because there are too many; they are the lowest ones.
    public var leftOut = 0
    /// How long it took.
    public var seconds: Double?

    /// A matrix without hops.
    public init(toVersion: UInt64) { self.toVersion = toVersion }

    /// The matrix without any values of objects that were lost.
    public var withoutValues: RehearsalMatrix {
        var matrix = self
        for index in hops.indices { matrix.hops[index].report = hops[index].report.withoutValues }
        return matrix
    }

    /// Whether nothing is found that fails whoever asked.
    public var hasPassed: Bool { hops.allSatisfy(\.report.hasPassed) }

    /// Has each report say how many of the realms of its version were tried.
    public mutating func nameSamples() {
        let tried = Dictionary(grouping: hops.filter { $0.data != .madeUp }, by: \.report.fromVersion).mapValues(
            \.count)
        for index in hops.indices {
            let hop = hops[index]
            let version = hop.report.fromVersion.map { "of version \($0)" } ?? "without a version"
            let count = tried[hop.report.fromVersion] ?? 0
            // A sample of an older snapshot may be of a version that no realm stands at any more.
            let total = max(count, hop.realmCount)
            hops[index].report.sample =
                hop.data == .madeUp
                ? "no realm \(version) to try: made-up objects are"
                : "\(count) of \(total) \(total == 1 ? "realm" : "realms") \(version) tried"
        }
    }

    /// The reports by what they are of, as the forms of a rehearsal's report take them.
    public var reports: [(name: String, report: RehearsalReport)] { hops.map { ($0.name, $0.report) } }
}

extension RehearsalMatrix.Hop {
    /// The outcome of the hop.
    public var outcome: RehearsalMatrix.Outcome {
        if report.error != nil { return .fails }
        if !report.isClean { return .loses }
        return report.carried.isEmpty ? .clean : .carriesOver
    }

    /// The version and what stands for it, in words.
    public var name: String {
        let version = report.fromVersion.map { "version \($0)" } ?? "no version"
        return switch data {
        case .snapshot(_, let realm): "\(version) (\(realm))"
        case .madeUp: "\(version) (made up)"
        }
    }
}

extension RehearsalMatrix {
    /// The matrix as clients see it.
    public var json: JSONValue {
        .object(
            [
                JSONMember("toVersion", JSONValue(toVersion)), JSONMember("hops", .array(hops.map(\.json))),
                JSONMember("leftOut", .int(Int64(leftOut))), JSONMember("passed", .bool(hasPassed)),
            ] + [seconds.map { JSONMember("durationSeconds", .double($0)) }].compactMap(\.self))
    }

    /// Reads a matrix back; nil where it is none.
    public init?(json: JSONValue) {
        guard let version = json["toVersion"]?.unsigned, let hops = json["hops"]?.elements else { return nil }
        self.init(toVersion: version)
        self.hops = hops.compactMap(Hop.init(json:))
        leftOut = Int(json["leftOut"]?.int ?? 0)
        seconds = json["durationSeconds"]?.double
    }
}

extension RehearsalMatrix.Hop {
    fileprivate var json: JSONValue {
        var (realm, snapshot) = (JSONValue.null, JSONValue.null)
        if case .snapshot(let id, let name) = data { (realm, snapshot) = (.string(name), .string("\(id)")) }
        return [
            "fromVersion": report.fromVersion.map { JSONValue($0) } ?? .null, "outcome": .string(outcome.rawValue),
            "data": data == .madeUp ? "madeUp" : "realm", "realm": realm, "snapshot": snapshot,
            "realmCount": .int(Int64(realmCount)), "report": report.json,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let report = json["report"].map(RehearsalReport.init(json:)) else { return nil }
        var data = Data.madeUp
        if let id = json["snapshot"]?.string.flatMap({ UUID($0) }), let realm = json["realm"]?.string {
            data = .snapshot(id, realm: realm)
        }
        self.init(data: data, realmCount: Int(json["realmCount"]?.int ?? 0), report: report)
    }
}
