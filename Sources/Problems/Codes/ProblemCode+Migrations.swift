extension ProblemCode {
    /// Migrations: schemas, scripts, and what Realm refuses.
    static let migrations: KeyValuePairs<ProblemCode, Row> = [
        .schemaVersionUnknown: Row(
            422, meaning: "The app has not declared this schema version.",
            remedy: "Declare it by `PUT /v1/apps/{app}/schemas/{version}`, or send a `schema`."),
        .schemaMismatch: Row(
            422, meaning: "The realm's classes differ from the schema, and the version is the same.",
            remedy: "Raise the schema version, which makes it a migration."),
        .invalidSchemaVersion: Row(
            422, meaning: "The realm's schema version is above the one that is asked for.",
            remedy: "Migrate to a higher version; no migration leads down."),
        .invalidSchemaChange: Row(
            422, meaning: "The mode does not permit this change of the schema.",
            remedy: "Take the mode `automatic`, or make additions alone."),
        .migrationRefused: Row(
            422, meaning: "realmshift refuses what a migration is told to do.",
            remedy: "Change what the detail names."),
        .migrationFailed: Row(
            422, meaning: "The realm's objects do not fit the target schema.",
            remedy: "Fill, delete or change the objects that `errors` names in the script."),
        .migrationNeverRuns: Row(
            422, meaning: "A migration leads to version 0, which no realm is below.",
            remedy: "Leave its script and renames out, or take a higher version."),
        .renameUnknown: Row(
            422, meaning: "A rename names a class or a property that no version has.",
            remedy: "Use a name of the version before, and one of the new version."),
        .scriptInvalid: Row(
            422, meaning: "The script of a declaration can't be run.",
            remedy: "Correct the line that `errors` names."),
        .scriptSyntaxError: Row(
            422, meaning: "The script is no program, or has no migration function.",
            remedy: "Correct the line that `errors` names; in JavaScript the function's name is `migrate`."),
        .scriptFailed: Row(
            422, meaning: "The script threw, or called an operation that Realm refuses.",
            remedy: "Look at the line in `stack` and at the object in `errors`; rehearse the correction."),
        .scriptNotIndependent: Row(
            422, meaning: "The script did what `independent` does not let it.",
            remedy: "Correct the line that `errors` names, or leave the class out of `independent`."),
        .scriptTimeout: Row(
            422, meaning: "The script took longer than it may.",
            remedy:
                "Look at the loop that the line names; else raise `--timeout`, or the limit `timeoutSeconds` of the request."
        ),
        .scriptMemoryExceeded: Row(
            422, meaning: "The script took more memory than it may.",
            remedy: "Keep no objects from one enumeration to the next; else raise `--memory`."),
        .scriptOutputExceeded: Row(
            422, meaning: "The script made more objects, columns or lines of its log than it may.",
            remedy: "Make fewer; the detail names the limit."),
        .scriptHostCrashed: Row(
            500, meaning: "The process that ran the script ended without an answer.",
            remedy: "Run it again; if it happens again, send the script to the operator."),
        .scriptHostUnavailable: Row(
            503, meaning: "No process for the script could be started.",
            remedy: "Send it again in a moment; the operator finds the reason in the log."),
        .cancelled: Row(
            422, meaning: "The migration was cancelled.",
            remedy: "Start it again by `POST /v1/jobs/{job}/retry`."),
        .rehearsalFailed: Row(
            422, meaning: "The rehearsal found something that `failOn` names.",
            remedy: "Look at the findings; change the script, or what `failOn` names."),
        .illegalOperation: Row(
            422, meaning: "Realm does not permit the operation here.",
            remedy: "Use another operation; the message is Realm's."),
        .invalidProperty: Row(
            422, meaning: "The object's class has no such property.",
            remedy: "Use a name of the class's schema: that of the old version for old objects."),
        .missingPropertyValue: Row(
            422, meaning: "A new object lacks a required value.",
            remedy: "Give the value where the object is made."),
        .propertyNotNullable: Row(
            422, meaning: "A required property can't be null.",
            remedy: "Give a value, or declare the property optional."),
        .readOnlyProperty: Row(
            422, meaning: "The object is of the old realm, or the property is computed.",
            remedy: "Write to the new object."),
        .invalidatedObject: Row(
            422, meaning: "The object has been deleted.",
            remedy: "Read what you need of it before you delete it."),
        .noSuchTable: Row(
            422, meaning: "The realm has no class of this name.",
            remedy: "Use a name of the schema: that of the old version for old objects."),
        .crossTableLinkTarget: Row(
            422, meaning: "A link leads to an object of another class.",
            remedy: "Link to an object of the class that the property names."),
        .wrongTransactionState: Row(
            422, meaning: "The operation needs a transaction, or ends one.",
            remedy: "Leave transactions out: a migration is one."),
        .objectAlreadyExists: Row(
            422, meaning: "Another object has this primary key.",
            remedy: "Look it up and change it, or take another key."),
        .modifyPrimaryKey: Row(
            422, meaning: "A primary key can't be changed here.",
            remedy: "Make a new object with the other key, and delete the old one."),
        .outOfBounds: Row(
            422, meaning: "A list has no element at this place.",
            remedy: "Look at the list's length first."),
        .invalidArgument: Row(
            422, meaning: "A function got an argument that it does not take.",
            remedy: "Look the function up in docs/scripts.md."),
        .limitExceeded: Row(
            422, meaning: "A value or a name is larger than Realm stores.",
            remedy: "Make it smaller: texts and data have 16 MiB at most."),
        .invalidDictionaryKey: Row(
            422, meaning: "A dictionary can't have this key.",
            remedy: "Take a key without `.` and without `$` at its beginning."),
    ]
}
