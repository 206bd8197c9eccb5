import Postgres
import RealmFleet
import RealmModel

/// A fleet, for those who ask about many at once.
public struct FleetIdentity: Hashable, Sendable {
    let appID: RealmModel.UUID
    let fleetID: RealmModel.UUID
}

extension Fleet {
    /// Which fleet it is.
    public var identity: FleetIdentity { FleetIdentity(appID: appID, fleetID: id) }

    /// Where it stands, as one word: another whenever its state, the reason of its pause or one of its counts is another.
    public var revision: String {
        let counts = FleetMemberState.allCases.map { "\(machine.counts[$0])" }
        return ([machine.state.rawValue, machine.pause?.rawValue ?? ""] + counts).joined(separator: "-")
    }

    /// Whether nothing happens to it any more unless somebody asks for it.
    public var isOver: Bool {
        switch machine.state {
        case .canary, .paused, .running, .undoing: false
        case .succeeded, .failed, .cancelled, .undone: machine.counts[.running] == 0
        }
    }
}

extension JobStore.Fleets {
    /// A text for each fleet that is there, which is another whenever where it stands is another.
    public func revisions(_ fleets: [FleetIdentity]) throws -> [FleetIdentity: String] {
        let (apps, ids) = (PostgresArray(fleets.map(\.appID)), PostgresArray(fleets.map(\.fleetID)))
        return try pool.withConnection { connection in
            let rows = try connection.query(
                """
                SELECT app_id, fleet_id, concat_ws('-', state, coalesce(pause, ''), pending, running, succeeded, failed, unchanged,
                    undone, kept) AS revision
                FROM unnest(\(apps), \(ids)) AS asked (app_id, fleet_id) JOIN fleet USING (app_id, fleet_id)
                """)
            let pairs = try rows.map { row in
                let identity = FleetIdentity(appID: try row.value("app_id"), fleetID: try row.value("fleet_id"))
                return (identity, try row.value("revision", as: String.self))
            }
            return Dictionary(pairs) { $1 }
        }
    }
}
