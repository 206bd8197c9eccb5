import Columns
import JobStore
import Problems
import RealmJSON
import RealmMigration
import RealmModel
import SnapshotStore
import StoreCore

/// The kind of job that gives a property a value in every object of a synced realm that lacks one: of a required property, or of
/// one whose type changed.
struct BackfillJob: JobWork {
    let order: BackfillOrder

    // MARK: Check

    /// Makes the order of a backfill, after the checks that need no objects.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet), `realmNotSynced`; `syncNotEnabled`
    ///   where sync is terminated; `BackfillError`.
    static func check(_ request: BackfillRequest, realm: String, app: String, store: SnapshotStore) throws -> JobOrder {
        guard let sync = try store.realms.find(realm, in: app).sync else { throw StoreError.realmNotSynced }
        // Too many unsynced objects keep clients out, and are what a backfill is for.
        guard !sync.isTerminated else { throw StoreError.syncNotEnabled(.terminated) }
        let opened = try store.snapshots.openCurrent(of: realm, in: app)
        let property = try request.property(in: opened.snapshot)
        let fill: BackfillOrder.Fill
        switch request.fill {
        case .value(let json):
            _ = try BackfillError.value(json, of: property, in: request.className)
            fill = .value(json)
        case .script(let text): fill = .script(text)
        }
        return .backfill(
            BackfillOrder(realm: realm, className: request.className, property: property.name, fill: fill))
    }

    // MARK: Run

    /// As long as it takes: it holds nothing meanwhile, and what is filled is filled.
    func timeLimit(_ tools: JobTools) -> Duration { .seconds(1e8) }

    func run(
        _ attempt: JobAttempt, with tools: JobTools, until deadline: ContinuousClock.Instant
    ) throws -> BackfillOutcome {
        try BackfillRun(order, tools: tools, attempt: attempt).run()
        return BackfillOutcome()
    }

    // MARK: Describe

    func describe(_ job: Job, isWhole: Bool) -> [JSONMember] {
        var members = [
            JSONMember("realm", .string(order.realm)), JSONMember("class", .string(order.className)),
            JSONMember("property", .string(order.property)),
        ]
        switch order.fill {
        case .value(let json): members.append(JSONMember("value", json))
        case .script(let text): if isWhole { members.append(JSONMember("script", .string(text))) }
        }
        return members
    }
}

/// A client's request for a backfill.
public struct BackfillRequest: Hashable, Sendable {
    /// The values that the objects are given.
    public enum Fill: Hashable, Sendable {
        /// The same for all.
        case value(JSONValue)
        /// The answer of a function of the object.
        case script(String)
    }

    /// The class.
    public var className: String
    /// The property, by its stored name or the one that programs use.
    public var property: String
    /// The values that the objects are given.
    public var fill: Fill

    /// Describes a backfill.
    public init(className: String, property: String, fill: Fill) {
        self.className = className
        self.property = property
        self.fill = fill
    }

    /// The property, which has to be one that objects can lack.
    func property(in snapshot: Snapshot) throws(BackfillError) -> Property {
        guard let declared = snapshot.declared[className], let stored = snapshot[className]?.schema else {
            throw .noSuchClass(className)
        }
        let found =
            declared.property(named: property)
            ?? declared.properties.first { $0.publicName.hasSameBytes(as: property) }
        guard let found else { throw .noSuchProperty(className, property) }
        try BackfillError.requireLackable(found, of: stored)
        return found
    }
}

/// Why a backfill can't start.
public enum BackfillError: Error, Hashable, Sendable {
    /// The realm's schema has no such class.
    case noSuchClass(String)
    /// The class has no such property.
    case noSuchProperty(String, String)
    /// A property that is optional, a collection or a link, and of which no values of another type are kept: no object can lack it.
    case neverLacking(String, String)
    /// A property with links, or embedded objects: only a change by a client can make them.
    case linksObjects(String, String)
    /// The value is not of the property's type, or null.
    case wrongValue(String, String)

    /// Refuses a property that no object can lack, and one that no backfill can give.
    static func requireLackable(_ property: Property, of stored: ObjectSchema) throws(BackfillError) {
        let awaits = stored.keptProperties(of: property.name).contains { $0.isAwaiting }
        guard property.requiresValue || awaits else { throw .neverLacking(stored.name, property.publicName) }
        guard !property.isLink else { throw .linksObjects(stored.name, property.publicName) }
    }

    /// The value that Realm JSON stands for.
    static func value(_ json: JSONValue, of property: Property, in className: String) throws(BackfillError) -> Value {
        do {
            let value = try json.value(of: property, at: "/value")
            if !value.isNull || !property.requiresValue { return value }
        } catch {
            // A value of another type is refused as null is.
        }
        throw .wrongValue(className, property.publicName)
    }
}

extension ProblemDocument {
    /// The problem of a backfill that can't start.
    public init(_ error: BackfillError) {
        switch error {
        case .noSuchClass(let name):
            let message = "The realm's schema has no class “\(name)”."
            self.init(
                .unknownClass, message, errors: [ProblemItem(message, pointer: "/class", className: name)])
        case .noSuchProperty(let className, let name):
            self.init(
                .unknownProperty, "The class “\(className)” has no property “\(name)”.", "/property", className, name)
        case .neverLacking(let className, let name):
            self.init(
                .neverLacking, "Every object has a value of “\(className).\(name)”, if only null or nothing.",
                "/property",
                className, name)
        case .linksObjects(let className, let name):
            self.init(
                .linksNotFilled,
                "“\(className).\(name)” leads to objects, which a backfill can't give: change the objects by a batch that names it.",
                "/property", className, name)
        case .wrongValue(let className, let name):
            self.init(
                .typeMismatch, "The value is not one that “\(className).\(name)” can have in every object.", "/value",
                className, name)
        }
    }

    private init(
        _ code: ProblemCode, _ message: String, _ pointer: String, _ className: String, _ property: String
    ) {
        self.init(
            code, message,
            errors: [ProblemItem(message, pointer: pointer, className: className, property: property)])
    }
}

extension JobQueue {
    /// Queues a backfill of a synced realm.
    ///
    /// - Throws: `StoreError.notFound` (app, realm; snapshot where the realm has none yet); `BackfillError`; what the condition
    ///   throws.
    public func enqueue(
        _ request: BackfillRequest, realm: String, app: String, where condition: RealmCondition? = nil
    ) throws -> Job {
        try enqueue(in: app) {
            try condition?(try store.realms.find(realm, in: app))
            return try BackfillJob.check(request, realm: realm, app: app, store: store)
        }
    }
}
