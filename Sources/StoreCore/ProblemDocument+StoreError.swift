import Problems
import RealmModel

extension ProblemDocument {
    /// The problem of what the store refused; what is the operator's business is `internal_error` without a word of it.
    public init(_ error: StoreError) {
        switch error {
        case .notFound(let thing, _): self.init(404, Self.code(thing), error.description)
        case .schemaVersionInUse: self.init(409, "schema_version_in_use", error.description)
        case .realmKindInUse: self.init(409, "realm_kind_in_use", error.description)
        case .realmIsSynced: self.init(409, "realm_is_synced", error.description)
        case .syncedSchemaInvalid(let errors): self.init(invalidInSyncedRealm: errors)
        case .syncNotTerminated: self.init(409, "sync_not_terminated", error.description)
        case .realmNotSynced: self.init(409, "realm_not_synced", error.description)
        case .syncNotEnabled(.terminateRequired): self.init(409, "sync_terminate_required", error.description)
        case .syncNotEnabled: self.init(409, "sync_terminated", error.description)
        case .migrationActive: self.init(409, "migration_active", error.description)
        case .realmChanged: self.init(409, "realm_changed", error.description)
        case .nothingQuarantined: self.init(409, "nothing_quarantined", error.description)
        case .quarantineOutdated: self.init(409, "realm_changed", error.description)
        case .notRehearsed: self.init(409, "job_not_rehearsed", error.description)
        case .previewExpired: self.init(410, "preview_expired", error.description)
        case .leaseLost: self.init(409, "lease_lost", error.description)
        case .draftExpired: self.init(409, "upload_expired", error.description)
        case .jobActive: self.init(409, "job_state", error.description)
        case .jobState: self.init(409, "job_state", error.description)
        case .jobOfFleet: self.init(409, "job_of_fleet", error.description)
        case .partnerState, .partnerActive: self.init(409, "partner_state", error.description)
        case .fleetState: self.init(409, "fleet_state", error.description)
        case .noRealmSelected:
            self.init(
                422, "no_realm_selected", error.description,
                errors: [ProblemItem(error.description, pointer: "/select")])
        case .uploadOffset: self.init(409, "upload_offset", error.description)
        case .quotaExceeded: self.init(507, "quota_exceeded", error.description)
        case .tokensFull: self.init(507, "tokens_full", error.description)
        case .uploadsFull: self.init(507, "uploads_full", error.description)
        case .snapshotInUse: self.init(409, "snapshot_in_use", error.description)
        case .invalidCursor: self.init(400, "invalid_cursor", error.description)
        case .invalidName: self.init(422, "invalid_name", error.description)
        case .databaseTooNew: self = .databaseUnavailable
        case .databaseTooOld, .databaseForeign, .damaged: self = .internalError
        }
    }

    /// The problem of a schema that no synced realm can have.
    public init(invalidInSyncedRealm errors: [SchemaValidationError]) {
        self.init(
            422, "schema_invalid", SchemaValidationError.text(errors),
            realmCode: RealmErrorCode.schemaValidationFailed.rawValue,
            errors: errors.map {
                ProblemItem($0.message, className: $0.className, property: $0.property, hint: $0.hint)
            })
    }

    private static func code(_ thing: StoreError.Thing) -> String {
        switch thing {
        case .app: "app_not_found"
        case .schemaVersion: "schema_version_not_found"
        case .realm: "realm_not_found"
        case .snapshot: "snapshot_not_found"
        case .job: "job_not_found"
        case .apiKey: "api_key_not_found"
        case .token: "token_not_found"
        case .session: "session_not_found"
        case .recovery: "recovery_not_found"
        case .partner: "partner_not_found"
        case .upload: "upload_not_found"
        case .fleet: "fleet_not_found"
        }
    }
}
