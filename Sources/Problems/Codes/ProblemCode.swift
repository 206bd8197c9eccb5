/// The stable name of a kind of problem: the `code` of a problem document, with what is said of it everywhere.
///
/// `docs/errors.md` and `/openapi.json` have the same table. Documents that are read from a service may have other codes,
/// since it may be of another version.
public enum ProblemCode: String, CaseIterable, Hashable, Sendable {
    // MARK: Requests: the HTTP message, its path, fields, parameters and body.

    case malformedRequest = "malformed_request"
    case malformedTarget = "malformed_target"
    case requestTimeout = "request_timeout"
    case contentTooLarge = "content_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case unsupportedContentEncoding = "unsupported_content_encoding"
    case malformedContentEncoding = "malformed_content_encoding"
    case expectationFailed = "expectation_failed"
    case requestHeadTooLarge = "request_head_too_large"
    case unsupportedTransferCoding = "unsupported_transfer_coding"
    case httpVersionNotSupported = "http_version_not_supported"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case notAcceptable = "not_acceptable"
    case invalidHeader = "invalid_header"
    case invalidParameter = "invalid_parameter"
    case unknownParameter = "unknown_parameter"
    case invalidCursor = "invalid_cursor"
    case idempotencyInFlight = "idempotency_in_flight"
    case idempotencyMismatch = "idempotency_mismatch"
    case preconditionFailed = "precondition_failed"
    case requestLimitExceeded = "request_limit_exceeded"
    case rateLimited = "rate_limited"
    case checksumMismatch = "checksum_mismatch"
    case tusVersionUnsupported = "tus_version_unsupported"
    case uploadOffset = "upload_offset"
    case uploadExpired = "upload_expired"

    // MARK: Keys, tokens and sessions; what a path names and is not there.

    case unauthorized
    case sessionEnded = "session_ended"
    case foreignOrigin = "foreign_origin"
    case sessionNeedsHTTPS = "session_needs_https"
    case scopeMissing = "scope_missing"
    case notForTokens = "not_for_tokens"
    case appNotFound = "app_not_found"
    case realmNotFound = "realm_not_found"
    case schemaVersionNotFound = "schema_version_not_found"
    case snapshotNotFound = "snapshot_not_found"
    case jobNotFound = "job_not_found"
    case fleetNotFound = "fleet_not_found"
    case classNotFound = "class_not_found"
    case objectNotFound = "object_not_found"
    case apiKeyNotFound = "api_key_not_found"
    case tokenNotFound = "token_not_found"
    case sessionNotFound = "session_not_found"
    case uploadNotFound = "upload_not_found"
    case recoveryNotFound = "recovery_not_found"
    case partnerNotFound = "partner_not_found"
    case webhookNotFound = "webhook_not_found"
    case deliveryNotFound = "delivery_not_found"
    case exportPolicyMissing = "export_policy_missing"
    case snapshotGone = "snapshot_gone"

    // MARK: Input: files, documents, schemas and values.

    case notARealm = "not_a_realm"
    case truncated
    case damaged
    case unsupportedFormat = "unsupported_format"
    case wrongEncryptionKey = "wrong_encryption_key"
    case malformedJSON = "malformed_json"
    case malformedDocument = "malformed_document"
    case unknownMember = "unknown_member"
    case scriptLanguageUnsupported = "script_language_unsupported"
    case schemaInvalid = "schema_invalid"
    case unknownClass = "unknown_class"
    case unknownProperty = "unknown_property"
    case typeMismatch = "type_mismatch"
    case missingValue = "missing_value"
    case duplicateKey = "duplicate_key"
    case brokenLink = "broken_link"
    case notInFormat = "not_in_format"
    case tooLarge = "too_large"
    case invalidName = "invalid_name"
    case webhookURLRefused = "webhook_url_refused"

    // MARK: Migrations: schemas, scripts, and what Realm refuses.

    case schemaVersionUnknown = "schema_version_unknown"
    case schemaMismatch = "schema_mismatch"
    case invalidSchemaVersion = "invalid_schema_version"
    case invalidSchemaChange = "invalid_schema_change"
    case migrationRefused = "migration_refused"
    case migrationFailed = "migration_failed"
    case migrationNeverRuns = "migration_never_runs"
    case renameUnknown = "rename_unknown"
    case scriptInvalid = "script_invalid"
    case scriptSyntaxError = "script_syntax_error"
    case scriptFailed = "script_failed"
    case scriptNotIndependent = "script_not_independent"
    case scriptTimeout = "script_timeout"
    case scriptMemoryExceeded = "script_memory_exceeded"
    case scriptOutputExceeded = "script_output_exceeded"
    case scriptHostCrashed = "script_host_crashed"
    case scriptHostUnavailable = "script_host_unavailable"
    case cancelled
    case rehearsalFailed = "rehearsal_failed"
    case illegalOperation = "illegal_operation"
    case invalidProperty = "invalid_property"
    case missingPropertyValue = "missing_property_value"
    case propertyNotNullable = "property_not_nullable"
    case readOnlyProperty = "read_only_property"
    case invalidatedObject = "invalidated_object"
    case noSuchTable = "no_such_table"
    case crossTableLinkTarget = "cross_table_link_target"
    case wrongTransactionState = "wrong_transaction_state"
    case objectAlreadyExists = "object_already_exists"
    case modifyPrimaryKey = "modify_primary_key"
    case outOfBounds = "out_of_bounds"
    case invalidArgument = "invalid_argument"
    case limitExceeded = "limit_exceeded"
    case invalidDictionaryKey = "invalid_dictionary_key"

    // MARK: States: not now, or not in this state.

    case schemaVersionInUse = "schema_version_in_use"
    case realmKindInUse = "realm_kind_in_use"
    case realmIsSynced = "realm_is_synced"
    case realmNotSynced = "realm_not_synced"
    case syncNotTerminated = "sync_not_terminated"
    case syncTerminateRequired = "sync_terminate_required"
    case syncTerminated = "sync_terminated"
    case developmentModeOff = "development_mode_off"
    case clientResetRequired = "client_reset_required"
    case syncedScriptNotAllowed = "synced_script_not_allowed"
    case syncedModeNotAllowed = "synced_mode_not_allowed"
    case syncedBreakingChange = "synced_breaking_change"
    case partnerInvalid = "partner_invalid"
    case partnerState = "partner_state"
    case partnerContradiction = "partner_contradiction"
    case neverLacking = "never_lacking"
    case linksNotFilled = "links_not_filled"
    case objectsUnsynced = "objects_unsynced"
    case changeConflict = "change_conflict"
    case migrationActive = "migration_active"
    case realmChanged = "realm_changed"
    case realmWithoutSnapshot = "realm_without_snapshot"
    case noRealmSelected = "no_realm_selected"
    case nothingQuarantined = "nothing_quarantined"
    case jobNotRehearsed = "job_not_rehearsed"
    case previewExpired = "preview_expired"
    case jobState = "job_state"
    case webhookDisabled = "webhook_disabled"
    case jobOfFleet = "job_of_fleet"
    case jobCancelled = "job_cancelled"
    case fleetState = "fleet_state"
    case leaseLost = "lease_lost"
    case snapshotInUse = "snapshot_in_use"
    case exportOfAnotherVersion = "export_of_another_version"

    // MARK: The service, its database and its machines; the command line.

    case internalError = "internal_error"
    case snapshotDamaged = "snapshot_damaged"
    case notReady = "not_ready"
    case overloaded
    case spoolFull = "spool_full"
    case databaseUnavailable = "database_unavailable"
    case databaseReadOnly = "database_read_only"
    case insufficientStorage = "insufficient_storage"
    case quotaExceeded = "quota_exceeded"
    case tokensFull = "tokens_full"
    case uploadsFull = "uploads_full"
    case webhooksFull = "webhooks_full"
    case workerLost = "worker_lost"
    case workerStopped = "worker_stopped"
    case serviceUnreachable = "service_unreachable"
    case unexpectedAnswer = "unexpected_answer"
    case fileError = "file_error"
    case hostFailed = "host_failed"
    case databaseError = "database_error"
    case failed
}

extension ProblemCode {
    /// A row of the table.
    struct Row: Sendable {
        /// The statuses that it comes with, 400…599, the usual one first.
        let statuses: [Int]
        let meaning: String
        let remedy: String

        init(_ statuses: Int..., meaning: String, remedy: String) {
            self.statuses = statuses
            self.meaning = meaning
            self.remedy = remedy
        }
    }

    /// The kinds of problems by topic, in the order of documents.
    public enum Topic: String, CaseIterable, Sendable {
        case requests = "Requests"
        case access = "Keys, and things that are not there"
        case input = "Files, documents, schemas, values"
        case migrations = "Migrations and scripts"
        case states = "States"
        case service = "The service and the command line"

        var rows: KeyValuePairs<ProblemCode, Row> {
            switch self {
            case .requests: ProblemCode.requests
            case .access: ProblemCode.access
            case .input: ProblemCode.input
            case .migrations: ProblemCode.migrations
            case .states: ProblemCode.states
            case .service: ProblemCode.service
            }
        }

        /// The codes of the topic.
        public var codes: [ProblemCode] { rows.map(\.key) }
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: Topic.allCases.flatMap { $0.rows.map { ($0.key, $0.value) } })

    private var row: Row { Self.table[self] ?? Row(500, meaning: title + ".", remedy: "") }

    /// The statuses that answers have with it, 400…599, the usual one first.
    public var statuses: [Int] { row.statuses }
    /// The usual status.
    public var status: Int { statuses[0] }
    /// What happened, in a sentence.
    public var meaning: String { row.meaning }
    /// What the client, or the person who asks, can do about it.
    public var remedy: String { row.remedy }

    /// The code in words: the same for every problem of its type (RFC 9457, section 3.1.3).
    public var title: String { Self.title(of: rawValue) }

    /// The words of a code, which may be one of another version.
    static func title(of code: String) -> String {
        let words = code.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
