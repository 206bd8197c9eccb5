import Problems
import RealmModel

extension ProblemDocument {
    /// The problem of what the store refused; what is the operator's business is `internal_error` without a word of it.
    public init(_ error: StoreError) {
        switch error {
        case .notFound(let thing, _): self.init(Self.code(thing), error.description)
        case .schemaVersionInUse: self.init(.schemaVersionInUse, error.description)
        case .realmKindInUse: self.init(.realmKindInUse, error.description)
        case .realmIsSynced: self.init(.realmIsSynced, error.description)
        case .syncedSchemaInvalid(let errors): self.init(invalidInSyncedRealm: errors)
        case .syncNotTerminated: self.init(.syncNotTerminated, error.description)
        case .realmNotSynced: self.init(.realmNotSynced, error.description)
        case .syncNotEnabled(.terminateRequired): self.init(.syncTerminateRequired, error.description)
        case .syncNotEnabled: self.init(.syncTerminated, error.description)
        case .migrationActive, .appActive: self.init(.migrationActive, error.description)
        case .realmChanged: self.init(.realmChanged, error.description)
        case .nothingQuarantined: self.init(.nothingQuarantined, error.description)
        case .quarantineOutdated: self.init(.realmChanged, error.description)
        case .notRehearsed: self.init(.jobNotRehearsed, error.description)
        case .previewExpired: self.init(.previewExpired, error.description)
        case .leaseLost: self.init(.leaseLost, error.description)
        case .draftExpired: self.init(.uploadExpired, error.description)
        case .jobActive: self.init(.jobState, error.description)
        case .jobState: self.init(.jobState, error.description)
        case .jobOfFleet: self.init(.jobOfFleet, error.description)
        case .partnerState, .partnerActive: self.init(.partnerState, error.description)
        case .fleetState: self.init(.fleetState, error.description)
        case .noRealmSelected:
            self.init(
                .noRealmSelected, error.description,
                errors: [ProblemItem(error.description, pointer: "/select")])
        case .uploadOffset: self.init(.uploadOffset, error.description)
        case .quotaExceeded: self.init(.quotaExceeded, error.description)
        case .tokensFull: self.init(.tokensFull, error.description)
        case .webhooksFull: self.init(.webhooksFull, error.description)
        case .webhookDisabled: self.init(.webhookDisabled, error.description)
        case .uploadsFull: self.init(.uploadsFull, error.description)
        case .snapshotInUse: self.init(.snapshotInUse, error.description)
        case .invalidCursor: self.init(.invalidCursor, error.description)
        case .invalidName: self.init(.invalidName, error.description)
        case .databaseTooNew: self = .databaseUnavailable
        case .databaseTooOld, .databaseForeign, .damaged: self = .internalError
        }
    }

    /// The problem of a schema that no synced realm can have.
    public init(invalidInSyncedRealm errors: [SchemaValidationError]) {
        self.init(
            .schemaInvalid, SchemaValidationError.text(errors),
            realmCode: RealmErrorCode.schemaValidationFailed.rawValue,
            errors: errors.map {
                ProblemItem($0.message, className: $0.className, property: $0.property, hint: $0.hint)
            })
    }

    private static func code(_ thing: StoreError.Thing) -> ProblemCode {
        switch thing {
        case .app: .appNotFound
        case .schemaVersion: .schemaVersionNotFound
        case .realm: .realmNotFound
        case .snapshot: .snapshotNotFound
        case .job: .jobNotFound
        case .apiKey: .apiKeyNotFound
        case .token: .tokenNotFound
        case .session: .sessionNotFound
        case .recovery: .recoveryNotFound
        case .partner: .partnerNotFound
        case .upload: .uploadNotFound
        case .fleet: .fleetNotFound
        case .webhook: .webhookNotFound
        case .webhookDelivery: .deliveryNotFound
        }
    }
}
