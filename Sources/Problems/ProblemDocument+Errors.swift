import Columns
import RealmEditing
import RealmMigration
import RealmModel
import RealmSync

extension ProblemDocument {
    /// The problem of bad input.
    public init(_ error: InputError) {
        let realmCode = error.code == .schemaInvalid ? RealmErrorCode.schemaValidationFailed.rawValue : nil
        let code = ProblemCode(error.code)
        var errors = error.details
        // The sentences of the other codes say themselves how the thing has to be.
        if Self.advised.contains(code), !errors.isEmpty, errors.allSatisfy({ $0.hint == nil }) {
            errors[0].hint = code.remedy
        }
        self.init(code, error.message, realmCode: realmCode, errors: errors)
    }

    /// Codes of bad input whose remedy is told with each.
    private static let advised: Set<ProblemCode> = [
        .notARealm, .truncated, .damaged, .unsupportedFormat, .wrongEncryptionKey, .unknownClass, .unknownProperty,
        .missingValue, .duplicateKey, .brokenLink, .notInFormat,
    ]

    /// The problem of a migration that was refused or failed.
    public init(_ error: MigrationError) {
        self.init(
            error.script.map { ProblemCode($0) } ?? error.code.map { ProblemCode($0) } ?? .migrationRefused,
            error.message, realmCode: error.code?.rawValue, errors: error.details, stack: error.stack,
            objectsDone: error.objectsDone)
    }

    /// The problem of a batch of changes that was refused.
    package init(_ error: ChangeError) {
        switch error {
        case .refused(let error, let pointer): self.init(error, pointer: pointer)
        case .brokenLink(let className, let pointer):
            let message = "A link leads to an object of \(className) that is neither in the realm nor in the batch."
            self.init(
                .brokenLink, message,
                errors: [ProblemItem(message, pointer: pointer, className: className)])
        case .linkWaits(let className, let property, let primaryKey, let pointer):
            let message =
                "\(className).\(property) leads to an object whose partner is still to be made: send the batch again in a moment, "
                + "or without this property."
            self.init(
                .brokenLink, message,
                errors: [
                    ProblemItem(
                        message, pointer: pointer, className: className, property: property, primaryKey: primaryKey)
                ])
        case .contradictions(let contradictions):
            var told: Set<ChangeError.GivenValue> = []
            let values = contradictions.joined().filter { told.insert($0).inserted }
            self.init(
                .partnerContradiction,
                "The batch gives an object and its partner values of which the functions can make no one object.",
                errors: values.prefix(Self.longestConflict).map {
                    ProblemItem(
                        "The other side of the object contradicts this value.",
                        pointer: "/upserts/\($0.upsert)/object", className: $0.className, property: $0.property,
                        primaryKey: $0.primaryKey)
                })
        case .notStored(let className, let property):
            let name = property.map { "property \(className).\($0)" } ?? "class \(className)"
            let message = "The server-side schema has no \(name) yet: a migration of the realm adds it."
            self.init(
                property == nil ? .unknownClass : .unknownProperty, message,
                errors: [ProblemItem(message, className: className, property: property)])
        case .conflict(let objects):
            let message = "Objects of the batch were changed since its base."
            self.init(
                .changeConflict, message,
                errors: objects.prefix(Self.longestConflict).map {
                    ProblemItem(
                        "The object was changed since.", className: $0.className, primaryKey: $0.primaryKey)
                })
        }
    }

    /// The most objects that a conflict names.
    private static let longestConflict = 1000

    private init(_ error: EditingError, pointer: String) {
        let details = error.details.isEmpty ? [ProblemItem(error.message)] : error.details
        self.init(
            ProblemCode(error.code), error.message, realmCode: error.code.rawValue,
            errors: details.map { item in
                var item = item
                item.pointer = item.pointer ?? pointer
                return item
            })
    }

    /// The problem of a snapshot whose columns can't be read.
    public init(_ error: ColumnError) {
        self.init(.snapshotDamaged, error.description)
    }
}
