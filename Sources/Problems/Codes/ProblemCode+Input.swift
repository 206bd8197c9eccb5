extension ProblemCode {
    /// Input: files, documents, schemas and values.
    static let input: KeyValuePairs<ProblemCode, Row> = [
        .notARealm: Row(
            400, meaning: "The bytes are not of the format that they are said to be.",
            remedy: "Look at the file by `realmshift inspect`; name its format by `--from` or `Content-Type`."),
        .truncated: Row(
            400, meaning: "The end of the file is missing.",
            remedy:
                "Copy the file again while no process writes to it; `realmshift rescue` reads what is there of a realm."
        ),
        .damaged: Row(
            400, meaning: "Something inside contradicts the format.",
            remedy: "Read what is whole of a realm file by `realmshift rescue`."),
        .unsupportedFormat: Row(
            422, meaning: "The file is of a format or version that is not read.",
            remedy: "Open it once with a Realm SDK of the last years, which upgrades it."),
        .wrongEncryptionKey: Row(
            422, meaning: "The file is encrypted, and no key was given or another one.",
            remedy: "Give the 64 bytes of the app's key: `--key-file`, or the field `Realm-Encryption-Key`."),
        .malformedJSON: Row(
            400, meaning: "The text is not JSON (RFC 8259).",
            remedy: "Correct the place that line, column and byte name."),
        .malformedDocument: Row(
            422, meaning: "A member is missing, or is not of the kind that it has to be.",
            remedy: "Correct the member that `pointer` names."),
        .unknownMember: Row(
            400, meaning: "The document has a member that means nothing there.",
            remedy: "Use the nearest name, which the detail says, or one of those that it lists."),
        .scriptLanguageUnsupported: Row(
            422, meaning: "The script is in a language that nothing runs.",
            remedy: "Write it in `javascript` or `swift`; migrations in Kotlin, Java and Objective-C can be translated."
        ),
        .schemaInvalid: Row(
            422, meaning: "Realm does not accept the schema.",
            remedy: "Correct each class and property that `errors` lists; a `hint` names what was probably meant."),
        .unknownClass: Row(
            422, meaning: "The schema has no class of this name.",
            remedy: "Use the nearest name, or add the class to the schema."),
        .unknownProperty: Row(
            422, meaning: "The class has no property of this name.",
            remedy: "Use the nearest name, or add the property to the class."),
        .typeMismatch: Row(
            422, meaning: "A value is not of its property's type.",
            remedy: "Write the value as its type is written in Realm JSON."),
        .missingValue: Row(
            422, meaning: "A required value is missing or null.",
            remedy: "Give the value, or declare the property optional."),
        .duplicateKey: Row(
            422, meaning: "Two objects of a class have one key or primary key.",
            remedy: "Remove one of them, or give it another key."),
        .brokenLink: Row(
            422, meaning: "A link leads to an object that is not there.",
            remedy: "Add the object, or set the link to null."),
        .notInFormat: Row(
            406, meaning: "The format that was asked for has no place for something in the realm.",
            remedy: "Take Realm JSON or a `.realm` file, which hold everything."),
        .tooLarge: Row(
            422, meaning: "Something is larger than Realm or this service allows.",
            remedy: "Make it smaller; the detail says what, and how large it may be."),
        .invalidName: Row(
            422, meaning: "A name has characters that it can't have, or is too long.",
            remedy:
                "Take letters, digits, `.`, `_` and `-`, 128 at most; for classes and properties Realm's rules hold."),
        .webhookURLRefused: Row(
            422, meaning: "Nothing is sent to this address: it is inside the network, or no https address.",
            remedy: "Take an https address outside, or have the operator permit it by `--webhook-allow`."),
    ]
}
