extension ProblemCode {
    /// States: not now, or not in this state.
    static let states: KeyValuePairs<ProblemCode, Row> = [
        .schemaVersionInUse: Row(
            409, meaning: "Realms or jobs use the schema version.",
            remedy: "Declare a higher version."),
        .realmKindInUse: Row(
            409, meaning: "The app has realms of the other kind, local or synced.",
            remedy: "Use another app, or delete the realms."),
        .realmIsSynced: Row(
            409, meaning: "The operation is for local realms, and the realm is synced.",
            remedy: "Change it by batches, a backfill or a partner class."),
        .realmNotSynced: Row(
            409, 422, meaning: "The operation is for synced realms, and the realm is local.",
            remedy: "Migrate it, or enable sync for it."),
        .syncNotTerminated: Row(
            409, meaning: "Sync of the realm has not been terminated.",
            remedy: "Terminate it first."),
        .syncTerminateRequired: Row(
            409, meaning: "Sync has to be terminated and enabled anew.",
            remedy: "Terminate sync, and enable it with the new schema."),
        .syncTerminated: Row(
            409, meaning: "Sync of the realm is terminated.",
            remedy: "Enable it first."),
        .developmentModeOff: Row(
            409, meaning: "A client's model has more than the realm's schema.",
            remedy: "Declare the schema, or set the realm's development mode."),
        .clientResetRequired: Row(
            409, meaning: "The realm's schema does not serve the client's version any more.",
            remedy: "Start the client over with a version that fits; `recovery` takes its changes."),
        .syncedScriptNotAllowed: Row(
            422, meaning: "A synced realm takes no migration script.",
            remedy: "Fill new properties by a backfill; make other changes by a partner class."),
        .syncedModeNotAllowed: Row(
            422, meaning: "A synced realm has no schema modes.",
            remedy: "Leave the mode out."),
        .syncedBreakingChange: Row(
            422, meaning: "The change of the schema would break clients of a synced realm.",
            remedy: "Add instead of changing, or use a partner class."),
        .partnerInvalid: Row(
            422, meaning: "A partner class does not fit the realm's schema.",
            remedy: "Correct the member that `errors` names."),
        .partnerState: Row(
            409, meaning: "The partner is not in a state in which this can be done.",
            remedy: "Look at its state; the detail says what comes first."),
        .partnerContradiction: Row(
            422, meaning: "A batch gives an object and its partner values that contradict each other.",
            remedy: "Give one side's value alone, or send each side in a batch of its own."),
        .neverLacking: Row(
            422, meaning: "Every object has a value of the property, and a backfill would fill none.",
            remedy: "Change the objects by a batch."),
        .linksNotFilled: Row(
            422, meaning: "A backfill can't give links.",
            remedy: "Change the objects by a batch that names them."),
        .objectsUnsynced: Row(
            409, meaning: "Objects lack a required value, which the format can't say.",
            remedy: "Fill them by `POST …/backfills`, or take Realm JSON."),
        .changeConflict: Row(
            409, meaning: "Objects of the batch were changed since its base.",
            remedy: "Read the objects that `errors` names, and send the batch again."),
        .migrationActive: Row(
            409, meaning: "A migration has the realm, or one of the app's realms, or a job of a fleet waits or runs.",
            remedy: "Wait for its end, or cancel it."),
        .realmChanged: Row(
            409, meaning: "The realm has changed meanwhile.",
            remedy: "Read it again, and decide with what it is now."),
        .realmWithoutSnapshot: Row(
            422, meaning: "The realm has never been uploaded.",
            remedy: "Upload it first."),
        .noRealmSelected: Row(
            422, meaning: "No realm is what `select` asks for.",
            remedy: "Look at the realms' versions and labels, and select others."),
        .nothingQuarantined: Row(
            409, meaning: "The job has put no object aside.",
            remedy: "There is nothing to do."),
        .jobNotRehearsed: Row(
            409, meaning: "The job is no rehearsal that succeeded.",
            remedy: "Wait for its end, or rehearse again."),
        .previewExpired: Row(
            410, meaning: "The rehearsal's preview has been removed.",
            remedy: "Rehearse again."),
        .jobState: Row(
            409, meaning: "The job is not in a state in which this can be done.",
            remedy: "Read the job; one that has ended can be retried, one that runs cancelled."),
        .webhookDisabled: Row(
            409, meaning: "The webhook is disabled, and nothing is sent to it.",
            remedy: "Enable it first."),
        .jobOfFleet: Row(
            409, meaning: "The job belongs to a fleet, which decides about it.",
            remedy: "Ask the fleet."),
        .jobCancelled: Row(
            409, meaning: "The migration before an export was cancelled.",
            remedy: "Start it again."),
        .fleetState: Row(
            409, meaning: "The fleet is not in a state in which this can be done.",
            remedy: "Read the fleet; the detail says what it is."),
        .leaseLost: Row(
            409, meaning: "Another worker has the job now.",
            remedy: "Nothing: the other worker finishes it."),
        .snapshotInUse: Row(
            409, meaning: "A realm, a job or a fleet needs the snapshot.",
            remedy: "Delete it when they have ended."),
        .exportOfAnotherVersion: Row(
            409, meaning: "The realm is of another version than it is given back as.",
            remedy: "Migrate it first, or upload it with `Prefer: wait`."),
    ]
}
