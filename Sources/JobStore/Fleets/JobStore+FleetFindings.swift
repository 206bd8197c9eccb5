import Postgres
import RealmFleet
import RealmModel
import StoreCore

/// Something that was found in realms of a fleet that commits nothing.
public struct FoundInFleet: Hashable, Sendable {
    /// The finding that the realms share.
    public var finding: FleetFinding
    /// Realms in which it was found.
    public var realmCount: Int
    /// Objects of all of them that it is about; 0 where it is about none.
    public var objectCount: Int
    /// The names of some of the realms.
    public var sample: [String]
}

extension JobStore.Fleets {
    /// Names that are kept of the realms that a finding is of.
    private static let findingSampleSize = 5

    /// The findings in the realms of a fleet that commits nothing, and in those that fail for their findings: errors first,
    /// then those that most realms have.
    ///
    /// - Parameter limit: findings at most.
    public func findings(of fleet: Fleet, limit: Int = 1_000) throws -> [FoundInFleet] {
        guard fleet.request.dryRun || fleet.request.failOn != nil else { return [] }
        return try pool.withConnection { connection in
            try connection.query(
                """
                SELECT level, rule, class, property, message, realm_count, object_count, sample FROM fleet_finding
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id)
                ORDER BY array_position(ARRAY['error', 'warning', 'note'], level), realm_count DESC, rule, class, property, message
                LIMIT \(limit)
                """
            ).map(FoundInFleet.init(row:))
        }
    }

    /// Objects of the realms of a fleet that were set aside.
    public func quarantinedCount(of fleet: Fleet) throws -> Int {
        guard fleet.request.onError == .quarantine else { return 0 }
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT coalesce(sum(quarantined_count), 0) AS count FROM fleet_member
                WHERE app_id = \(fleet.appID) AND fleet_id = \(fleet.id) AND quarantined_count > 0
                """)
            return try rows[0].value("count")
        }
    }

    /// Counts what was found in some more realms.
    static func keep(
        _ found: [(realm: String, findings: [FleetOutcome.Finding])], of fleet: Fleet, _ connection: PostgresConnection
    ) throws {
        var counted: [FleetFinding: FoundInFleet] = [:]
        for (realm, findings) in found {
            for (finding, objects) in Dictionary(grouping: findings, by: { $0.finding }) {
                var whole =
                    counted[finding] ?? FoundInFleet(finding: finding, realmCount: 0, objectCount: 0, sample: [])
                whole.realmCount += 1
                whole.objectCount += objects.reduce(0) { $0 + $1.objects }
                if whole.sample.count < findingSampleSize { whole.sample.append(realm) }
                counted[finding] = whole
            }
        }
        guard !counted.isEmpty else { return }
        // In one order, so that no two jobs of the fleet wait for one another.
        let all = counted.values.sorted {
            ($0.finding.place, $0.finding.message) < ($1.finding.place, $1.finding.message)
        }
        try connection.execute(
            """
            INSERT INTO fleet_finding AS f
                (app_id, fleet_id, level, rule, class, property, message, realm_count, object_count, sample)
            SELECT \(fleet.appID), \(fleet.id), level, rule, class, property, message, realms, objects,
                string_to_array(sample, ' ')
            FROM unnest(\(PostgresArray(all.map(\.finding.level.rawValue))), \(PostgresArray(all.map(\.finding.rule))),
                \(PostgresArray(all.map { $0.finding.className ?? "" })),
                \(PostgresArray(all.map { $0.finding.property ?? "" })), \(PostgresArray(all.map(\.finding.message))),
                \(PostgresArray(all.map { Int32($0.realmCount) })), \(PostgresArray(all.map { Int($0.objectCount) })),
                \(PostgresArray(all.map { $0.sample.joined(separator: " ") })))
                AS new (level, rule, class, property, message, realms, objects, sample)
            ON CONFLICT (app_id, fleet_id, level, rule, class, property, message) DO UPDATE SET
                realm_count = f.realm_count + excluded.realm_count, object_count = f.object_count + excluded.object_count,
                sample = (f.sample || excluded.sample)[1:\(findingSampleSize)]
            """)
    }
}

extension FleetFinding {
    fileprivate var place: String { [level.rawValue, rule, className ?? "", property ?? ""].joined(separator: "\0") }
}

extension FoundInFleet {
    init(row: PostgresRow) throws {
        guard let level = FleetFinding.Level(rawValue: try row.value("level")) else {
            throw StoreError.damaged("the level of a finding")
        }
        let (className, property) = (
            try row.value("class", as: String.self), try row.value("property", as: String.self)
        )
        self.init(
            finding: FleetFinding(
                level, try row.value("rule"), try row.value("message"), className: className.isEmpty ? nil : className,
                property: property.isEmpty ? nil : property),
            realmCount: try row.value("realm_count"), objectCount: try row.value("object_count"),
            sample: try row.value("sample", as: PostgresArray<String>.self).elements)
    }
}
