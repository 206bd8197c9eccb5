import Postgres
import RealmModel
import StoreCore

/// The order of a job that migrates some realms of a fleet: those whose turn it is when it begins.
public struct FleetOrder: Hashable, Sendable {
    /// The fleet.
    public var fleet: RealmModel.UUID
}

extension FleetOrder: JobOrderContent {
    static let kind = JobKind.fleet
    static let order: StaticString? = nil

    init(row: PostgresRow) throws {
        self.init(fleet: try row.value("fleet_id"))
    }

    /// Fleets make their jobs themselves, with the state of the fleet: `queueSlices`.
    func insert(_ job: NewJob, _ connection: PostgresConnection) throws -> Job {
        throw StoreError.damaged("a job of a fleet that the fleet did not make")
    }

    /// Its realms are another job's by now: the fleet goes on by itself.
    func requireRetriable(_ job: Job, _ connection: PostgresConnection) throws {
        throw StoreError.jobOfFleet(fleet)
    }
}
