extension ProblemCode {
    /// The service, its database and its machines; the command line.
    static let service: KeyValuePairs<ProblemCode, Row> = [
        .internalError: Row(
            500, meaning: "The service failed.",
            remedy: "Give the operator the field `X-Request-Id`: the log says why."),
        .snapshotDamaged: Row(
            500, meaning: "Stored columns can't be read.",
            remedy: "Restore the database from a backup; upload the realm again."),
        .notReady: Row(
            503, meaning: "The service is coming up, or going down.",
            remedy: "Send it again after `Retry-After` seconds."),
        .overloaded: Row(
            503, meaning: "The service has as much to do as it can.",
            remedy: "Send it again after `Retry-After` seconds."),
        .spoolFull: Row(
            503, meaning: "Other uploads take the room that this one needs.",
            remedy: "Send it again after `Retry-After` seconds."),
        .databaseUnavailable: Row(
            503, meaning: "The database can't be reached.",
            remedy: "Send it again after `Retry-After` seconds; the operator looks at `/readyz`."),
        .databaseReadOnly: Row(
            503, meaning: "The database takes no changes.",
            remedy: "The operator connects the service to the primary."),
        .insufficientStorage: Row(
            503, 507, meaning: "A disk is full.",
            remedy: "Make room on it, or have the operator do so; then send it again."),
        .quotaExceeded: Row(
            507, meaning: "The app has as many snapshots or bytes as it may.",
            remedy: "Delete snapshots, shorten retention, or raise the quota."),
        .tokensFull: Row(
            507, meaning: "The app has as many tokens as it may.",
            remedy: "Revoke some, or let them expire sooner."),
        .uploadsFull: Row(
            507, meaning: "The app has as many uploads in parts as it may.",
            remedy: "Finish or delete some."),
        .webhooksFull: Row(
            507, meaning: "The app has as many webhooks as it may.",
            remedy: "Remove some."),
        .workerLost: Row(
            500, meaning: "The worker that ran the job was lost.",
            remedy: "Nothing: another one takes the job."),
        .workerStopped: Row(
            503, meaning: "The worker that ran the job was stopped.",
            remedy: "Nothing: another one takes the job."),
        .serviceUnreachable: Row(
            503, meaning: "The command line does not reach the service.",
            remedy: "Look at the address, at `--ca-file`, and whether the service runs."),
        .unexpectedAnswer: Row(
            502, meaning: "The server answered, and not as realmshift does.",
            remedy: "Look at the address: a proxy or another program may answer there."),
        .fileError: Row(
            500, meaning: "A file can't be read or written.",
            remedy: "Look at the file that `file` names, and at its permissions."),
        .hostFailed: Row(
            500, meaning: "The process that reads a file could not be started, or ended.",
            remedy: "Run the command again; look at the limits of the machine's memory."),
        .databaseError: Row(
            500, meaning: "A database that the command line asked refused.",
            remedy: "Look at the URL and at PostgreSQL's message."),
        .failed: Row(
            500, meaning: "The command failed for another reason.",
            remedy: "Look at the detail."),
    ]
}
