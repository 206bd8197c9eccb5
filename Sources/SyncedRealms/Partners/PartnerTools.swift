import JobStore
import RealmMigration
import RealmSync
import SnapshotStore
import StoreCore

/// The tools of partners: where they are kept, who calls their functions, and the limits of these.
public struct PartnerTools: Sendable {
    package let jobs: JobStore
    let functions: any FunctionRunner
    package let limits: FunctionLimits

    /// Puts tools together.
    ///
    /// - Parameter limits: what a call of a function may use, of all objects of a batch.
    public init(_ jobs: JobStore, functions: any FunctionRunner, limits: FunctionLimits = FunctionLimits()) {
        self.jobs = jobs
        self.functions = functions
        self.limits = limits
    }

    /// Calls functions for a caller.
    func call(for caller: FunctionCaller) -> PartnerWriting.Call {
        { [functions] in try functions.call($0, andBack: $1, on: $2, policy: $3, for: caller, meanwhile: $4) }
    }

    /// The plan of a partner for the snapshot that a draft changes.
    ///
    /// - Throws: `StoreError.realmChanged` where the partner was made or taken back since one of them was read;
    ///   `PartnerRefusal.misfit` where it can't be for another reason, which stays.
    package func plan(of partner: Partner, in draft: ChangeDraft) throws -> PartnerPlan {
        guard let current = draft.current else { throw StoreError.realmChanged }
        do throws(PartnerError) {
            return try PartnerPlan(partner.definition, in: current.snapshot.declared)
        } catch {
            let (realm, app) = (partner.realm, partner.app)
            guard try jobs.store.realms.find(realm, in: app).currentSnapshot == current.info.id,
                try jobs.partners.find(partner.id, of: realm, in: app).state == partner.state
            else { throw StoreError.realmChanged }
            throw PartnerRefusal.misfit(className: partner.definition.className, error)
        }
    }
}
