import RealmJSON
import RealmMigration
import RealmModel

/// The report of a rehearsal, with the names that clients know: the same in every form, and read back from its JSON.
public struct RehearsalReport: Hashable, Sendable {
    /// Values that are not there any more.
    public struct Loss: Hashable, Sendable {
        /// The class, as it was called before.
        public var className: String
        /// The property; nil where the class is gone with all its objects.
        public var property: String?
        /// How they were lost.
        public var kind: Rehearsal.Loss.Kind
        /// The objects that had them.
        public var objects: NamedObjects
        /// The empty value that is there instead; nil where there is none.
        public var to: EmptyValue?
        /// How many objects had a value before; nil where that is not known.
        public var total: Int?
        /// Some of the objects.
        public var examples: [Example] = []

        /// An object that lost a value; the values are nil where they are not to be shown, and where there are none.
        public struct Example: Hashable, Sendable {
            /// Its object key.
            public var key: Int64
            /// The value before, in Realm JSON; a long one is cut.
            public var before: JSONValue?
            /// The value now.
            public var after: JSONValue?
        }

        /// The part of the values that is lost; nil where it is not known.
        public var share: Double? {
            guard let total, total > 0 else { return nil }
            return Double(objects.count) / Double(total)
        }
    }

    /// Objects of one primary key.
    public struct Collision: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The primary key's name.
        public var property: String
        /// Its value, in Realm JSON.
        public var value: JSONValue
        /// The object of the least key that has the value.
        public var first: Int64
        /// Another one.
        public var second: Int64
        /// All objects of the class whose value another one has.
        public var count: Int
    }

    /// Objects of a class that becomes embedded, which have not exactly one owner.
    public struct Owners: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The objects.
        public var objects: NamedObjects
    }

    /// A property whose values a direct migration carries over a version that had it not.
    public struct Carried: Hashable, Sendable {
        /// The class.
        public var className: String
        /// The property.
        public var property: String
        /// The version between in which the values would have been lost.
        public var removedIn: UInt64
    }

    /// A regular expression that took long for one text.
    public struct SlowExpression: Hashable, Sendable {
        /// As the script has it.
        public var source: String
        /// Milliseconds of the processor.
        public var milliseconds: Int
        /// The line of the script, from 1.
        public var line: Int?
    }

    /// The schema version before; nil where the realm was never given one.
    public var fromVersion: UInt64?
    /// The schema version after.
    public var toVersion: UInt64?
    /// Objects that differ, that are there after the migration alone, and before it alone.
    public var objects = (touched: 0, created: 0, deleted: 0)
    /// The changes of the schema, as JSON.
    public var schema: [JSONValue] = []
    /// The differences in the objects by class, as JSON.
    public var classes: [JSONValue] = []
    /// The values that are not there any more.
    public var losses: [Loss] = []
    /// Values and objects that are gone, and of which no loss could be told.
    public var untold = Rehearsal.Untold()
    /// Objects that share a primary key.
    public var collisions: [Collision] = []
    /// Objects without an owner, of classes that become embedded.
    public var orphans: [Owners] = []
    /// Objects with several owners, of classes that become embedded.
    public var owners: [Owners] = []
    /// Old versions at which the script does nothing, although it does something at a later one.
    public var missingBranches: [UInt64] = []
    /// Versions between whose own migrations are not run.
    public var skippedVersions: [UInt64] = []
    /// Properties whose values are carried over a version that had them not.
    public var carried: [Carried] = []
    /// Regular expressions that took long.
    public var slowExpressions: [SlowExpression] = []
    /// Findings that are told of as they are, and by no member of their own.
    public var others: [RehearsalFinding] = []
    /// The results of the assertions.
    public var checks: [RealmCheckResult] = []
    /// Why the migration fails, as a problem document; nil where it does not.
    public var error: JSONValue?
    /// The file of the script that failed; nil where it is in none, or no script failed.
    public var errorFile: String?
    /// The file of the script, in which findings with a line are; nil where it is in none.
    public var scriptFile: String?
    /// How long it took.
    public var seconds: Double?
    /// How many realms it stands for, and how many of them were tried, in words; nil where it stands for one.
    public var sample: String?
    /// Which findings fail whoever asked for the report.
    public var policy = FailurePolicy.errors

    /// A report that says nothing yet.
    public init(fromVersion: UInt64?, toVersion: UInt64?) {
        self.fromVersion = fromVersion
        self.toVersion = toVersion
    }

    /// Whether the migration can be done, and nothing is found that is an error.
    public var isClean: Bool { !findings.contains { $0.level == .error } }

    /// The findings that fail whoever asked.
    public var failures: [RehearsalFinding] { findings.filter(policy.isFailed) }

    /// Whether nothing is found that fails whoever asked.
    public var hasPassed: Bool { failures.isEmpty }

    /// The words of a clean report about losses.
    public var cleanVerdict: String {
        let count = findings.filter { $0.level == .warning }.count
        guard count > 0 else { return Self.words(of: untold) }
        return ["no error, but \(count == 1 ? "1 warning" : "\(count) warnings")", wordsBesideFindings].compactMap(
            \.self
        )
        .joined(separator: "; ")
    }

    /// The words about values of which no finding tells; nil where there are none.
    ///
    /// Objects that are gone may be those of a finding.
    public var wordsBesideFindings: String? {
        let words = [
            Self.words(untold.few, "value was", "values were", Self.fewWords),
            Self.words(
                untold.replaced, "value was", "values were", "replaced by others: look at the properties that changed"),
        ].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", and ")
    }

    private static let fewWords = "lost, too few to count as a finding"

    private static func words(_ count: Int, _ one: String, _ several: String, _ end: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? one : several) \(end)"
    }

    private static func words(of untold: Rehearsal.Untold) -> String {
        let few = words(untold.few, "value was", "values were", fewWords)
        let others = [
            words(untold.replaced, "value was", "values were", "replaced by others"),
            words(untold.gone, "object is", "objects are", "gone, and others have the values"),
        ].compactMap(\.self)
        var verdict = untold.isNone ? "nothing is lost" : few ?? "no value was dropped or emptied"
        if !others.isEmpty { verdict += ", \(few == nil ? "but" : "and") \(others.joined(separator: ", and "))" }
        // Whether the others say the same is known to people alone.
        if untold.replaced > 0 { verdict += ": look at the properties that changed" }
        let filled = words(untold.filled, "value was", "values were", "filled in where there was none")
        return [verdict, filled].compactMap(\.self).joined(separator: "; ")
    }

    /// The report without any values of objects that were lost.
    public var withoutValues: RehearsalReport {
        var report = self
        for index in report.losses.indices {
            report.losses[index].examples = losses[index].examples.map { Loss.Example(key: $0.key) }
        }
        return report
    }

    /// Both reports of one rehearsal are the same.
    public static func == (lhs: RehearsalReport, rhs: RehearsalReport) -> Bool { lhs.json == rhs.json }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension RehearsalReport {
    /// Takes what a comparison found.
    ///
    /// - Parameters:
    ///   - from: the schema before; has the names that its properties have for clients.
    ///   - to: the schema after.
    public mutating func add(_ rehearsal: Rehearsal, from: Schema, to: Schema) {
        let counts = rehearsal.objectCounts
        objects = (counts.touched, counts.created, counts.deleted)
        schema = rehearsal.schema.map(\.json)
        classes = rehearsal.classes.map { $0.json(in: to) }
        untold = rehearsal.untold
        losses = rehearsal.losses.map { loss in
            let names = PublicNames(of: loss.className, in: from)
            return Loss(
                className: loss.className,
                property: loss.property.map { name in
                    // A property that was added is one of the schema after.
                    loss.kind == .unfilled ? PublicNames(of: loss.className, in: to)[name] : names[name]
                }, kind: loss.kind, objects: loss.objects, to: loss.to, total: loss.total,
                examples: loss.examples.map { example in
                    Loss.Example(
                        key: example.key, before: ExampleValue.json(example.before),
                        after: example.after.map(ExampleValue.json))
                })
        }
    }

    /// Takes what was noticed while the migration ran.
    ///
    /// - Parameter target: the schema that it leads to.
    public mutating func add(_ findings: [MigrationFinding], target: Schema) {
        for finding in findings {
            switch finding {
            case .collisions(let className, let property, let count, let pairs):
                let name = PublicNames(of: className, in: target)[property]
                collisions += pairs.map { pair in
                    Collision(
                        className: className, property: name, value: DefaultJSON.encode(pair.value),
                        first: pair.first.value, second: pair.second.value, count: count)
                }
            case .orphans(let className, let objects):
                orphans.append(Owners(className: className, objects: objects))
            case .sharedObjects(let className, let objects):
                owners.append(Owners(className: className, objects: objects))
            case .slowExpression(let source, let milliseconds, let line):
                slowExpressions.append(SlowExpression(source: source, milliseconds: milliseconds, line: line))
            case .unknownClass(let name, let nearest, let line):
                others.append(
                    RehearsalFinding(
                        // A realm of another version may have it.
                        .unknownClass, .warning,
                        "The script enumerates objects of “\(name)”, and neither schema has such a class."
                            + (nearest.map { " " + $0 } ?? ""), className: name, line: line))
            case .untriedIndependence:
                others.append(
                    RehearsalFinding(
                        .untriedIndependence, .note,
                        "All objects of independent classes are in one part, so that nothing shows whether the script is "
                            + "independent: try a larger realm, or a file by realmshift rehearse --row-groups N."))
            }
        }
    }

    /// Takes the warnings of a migration that ran no script.
    public mutating func add(unrun warnings: [String]) {
        others += warnings.map { RehearsalFinding(.scriptNotRun, .warning, $0) }
    }

    /// Makes classes that the script enumerates an error where no version has them.
    ///
    /// - Parameter known: the classes of all versions.
    public mutating func judgeUnknownClasses(known: Set<NameKey>) {
        for index in others.indices where others[index].rule == .unknownClass {
            guard let name = others[index].className, !known.contains(NameKey(name)) else { continue }
            others[index].level = .error
        }
    }

    /// Takes the properties that are carried over versions that had them not.
    ///
    /// - Parameter target: the schema that the migration leads to.
    public mutating func add(_ carried: [CarriedProperty], target: Schema) {
        self.carried += carried.map { property in
            Carried(
                className: property.className,
                property: PublicNames(of: property.className, in: target)[property.property],
                removedIn: property.removedIn)
        }
    }
}
