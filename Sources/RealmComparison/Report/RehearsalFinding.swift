/// One thing that a rehearsal found.
public struct RehearsalFinding: Hashable, Sendable {
    /// How much it matters.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// The migration fails, or values are lost.
        case error
        /// It may be meant.
        case warning
        /// It is what the schema says.
        case note
    }

    /// The rule that it comes from.
    public var rule: RehearsalRule
    /// How much it matters.
    public var level: Level
    /// The finding in a sentence, without any object's values.
    public var message: String
    /// The class.
    public var className: String?
    /// The property.
    public var property: String?
    /// Object keys of the first objects that it is about.
    public var keys: [Int64]
    /// How many objects it is about; 0 where it is about none.
    public var count: Int
    /// The line of the script, from 1.
    public var line: Int?
    /// The file that the line is of, where it is known: of the script, or of a check.
    public var file: String?

    /// Describes a finding.
    public init(
        _ rule: RehearsalRule, _ level: Level, _ message: String, className: String? = nil, property: String? = nil,
        keys: [Int64] = [], count: Int = 0, line: Int? = nil,
        file: String? = nil
    ) {
        self.file = file
        self.rule = rule
        self.level = level
        self.message = message
        self.className = className
        self.property = property
        self.keys = keys
        self.count = count
        self.line = line
    }
}

/// The kinds of things that a rehearsal finds; the raw values are stable.
public enum RehearsalRule: String, Hashable, Sendable, CaseIterable {
    case valueToNull
    case linkToNull
    case valueToZero
    case valueToEmpty
    case oneValueForAll
    case exchangedValues
    case mergedValues
    case nullToZero
    case inexactNumber
    case roundedNumber
    case truncatedValue
    case wrongType
    case wrongTimeUnit
    case droppedValue
    case deletedObjects
    case unfilledProperty
    case duplicateKeys
    case orphan
    case severalOwners
    case missingBranch
    case skippedVersion
    case carriedOver
    case slowExpression
    case unknownClass
    case untriedIndependence
    case scriptNotRun
    case versionNotAsked
    case propertyComesBack
    case schemaDiffers
    case checkFailed
    case migrationFailed

    /// The rule in short, for those who meet it the first time.
    public var summary: String {
        switch self {
        case .valueToNull: "Values become null."
        case .linkToNull:
            "Links lead to nothing: they become null, or go from collections with the objects that they led to."
        case .valueToZero: "Values become zero or empty by a conversion."
        case .valueToEmpty: "Values become empty, zero, false or the epoch, and are in no other property."
        case .oneValueForAll: "All objects have one value where they had several."
        case .exchangedValues:
            "Values become those that other objects, or another property of theirs, had, or stand where its do in most objects."
        case .mergedValues: "Many different values become far fewer, and are in no other property."
        case .nullToZero: "Nulls become zero or empty, because their property is required now."
        case .inexactNumber: "Numbers become others by a conversion."
        case .roundedNumber: "Numbers have fewer digits."
        case .truncatedValue:
            "Only a part of a text, of data, of a collection, of an embedded object or of a date is left."
        case .wrongType:
            "Values are of the wrong type: the conversion fails, or writes what a script makes of such a value."
        case .wrongTimeUnit:
            "Dates of a property are in the first weeks of 1970 or after the year 5100: seconds and milliseconds were taken for each other."
        case .droppedValue: "The target schema has no place for values, and nothing has taken them over."
        case .deletedObjects: "Objects are gone, and no others have all values of one of them."
        case .unfilledProperty: "A property is added, and no object has a value of it."
        case .duplicateKeys: "Objects have the same primary key."
        case .orphan: "Objects of a class that becomes embedded have no owner."
        case .severalOwners: "Objects of a class that becomes embedded have more than one owner."
        case .missingBranch: "The script does nothing for an old version, although it does something for a later one."
        case .skippedVersion: "A version between has a migration of its own that a direct migration does not run."
        case .carriedOver: "A property that a version between removed or changed keeps its old values."
        case .slowExpression: "A regular expression takes long for one text."
        case .unknownClass: "The script enumerates a class that no schema has."
        case .untriedIndependence: "Nothing shows whether a script is independent: all objects were in one part."
        case .scriptNotRun: "The script was not run."
        case .versionNotAsked: "The script does the same to realms of every version, of which there are several."
        case .propertyComesBack: "A property comes back that a version between removed or changed."
        case .schemaDiffers: "A realm's schema is not the one that is declared for its version."
        case .checkFailed: "An assertion about the realm before and after the migration does not hold."
        case .migrationFailed: "The migration fails."
        }
    }

    /// Whether no member of a report tells of its findings but `others`.
    var isToldAsItIs: Bool {
        switch self {
        case .unknownClass, .untriedIndependence, .scriptNotRun, .versionNotAsked, .propertyComesBack, .schemaDiffers:
            true
        default: false
        }
    }

    /// Whether values or objects are gone that were there before.
    var isAboutLoss: Bool {
        switch self {
        case .valueToNull, .linkToNull, .valueToZero, .valueToEmpty, .oneValueForAll, .mergedValues, .inexactNumber,
            .roundedNumber, .truncatedValue, .wrongType, .droppedValue, .deletedObjects:
            true
        case .wrongTimeUnit, .exchangedValues, .nullToZero, .unfilledProperty, .duplicateKeys, .orphan, .severalOwners,
            .missingBranch,
            .skippedVersion, .carriedOver, .slowExpression, .unknownClass, .untriedIndependence, .scriptNotRun,
            .versionNotAsked, .propertyComesBack, .schemaDiffers, .checkFailed, .migrationFailed:
            false
        }
    }
}
