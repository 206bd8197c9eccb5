import AccessStore
import HTTPServer
import Postgres
import RealmModel
import StoreCore
import Threads

/// Keeps the audit log: a file has an entry before a request changes something and another one after it, the database has both a second
/// later, so that no request waits for that and an end by kill loses none.
final class AuditLog: Sendable {
    private struct State {
        var journal: AuditJournal
        /// Journals whose entries are not in the database yet.
        var full: [AuditJournal] = []
        var begun: [RealmModel.UUID: AuditEntry] = [:]
        var ended: [AuditEntry] = []
        var refusals = RefusalCount()
        var isStopping = false
    }

    private static let interval = Duration.seconds(1)
    private static let cleaning = Duration.seconds(3600)
    /// Entries in memory while the database is away; those beyond are in their files, for the next start.
    private static let capacity = 20_000

    private let access: AccessStore
    private let directory: String
    private let age: Duration
    private let log: any APILog
    private let state: Monitor<State>
    private let writing = Monitor(())
    private let thread = ThreadGroup()

    /// Takes in what processes that were killed have left in a directory, and starts.
    ///
    /// - Parameters:
    ///   - age: how long entries are kept.
    ///   - log: is told where the database can't be written.
    init(_ access: AccessStore, directory: String, age: Duration, log: any APILog) throws {
        self.age = age
        self.access = access
        self.directory = directory
        self.log = log
        state = Monitor(State(journal: try AuditJournal(in: directory)))
        let left = AuditJournal.left(in: directory)
        try Self.keep(left.entries, in: access, log)
        left.remove()
        thread.start("audit") { [self] in run() }
    }

    /// Writes what is left, and ends.
    func stop() {
        state.change { $0.isStopping = true }
        thread.wait(timeout: .seconds(5))
        state.withLock { state in
            // Entries that could not be written stay in its files.
            if state.ended.isEmpty && state.begun.isEmpty { state.journal.remove() }
        }
    }

    /// Notes what is about to be done.
    ///
    /// - Throws: `AuditJournalError`: it must not be done then.
    func begin(_ entry: AuditEntry) throws -> Mark {
        try state.withLock { state in
            try state.journal.begin(entry)
            state.begun[entry.id] = entry
        }
        return Mark(entry.id, self)
    }

    /// Notes something that was refused before it began; of a key that has many such requests only some.
    ///
    /// It is in no file before the database has it: nothing was done.
    func note(refused entry: AuditEntry) {
        state.withLock { state in
            guard state.ended.count < Self.capacity, state.refusals.takes(entry.key, at: .now) else { return }
            state.ended.append(entry)
        }
    }

    /// Something that was begun, which ends with an answer or, where the client has left, without one.
    final class Mark: Sendable {
        private let id: RealmModel.UUID
        private let log: AuditLog

        fileprivate init(_ id: RealmModel.UUID, _ log: AuditLog) {
            self.id = id
            self.log = log
        }

        deinit { log.end(id, status: nil) }

        /// Notes what was answered.
        func end(status: Int) { log.end(id, status: status) }
    }

    private func end(_ id: RealmModel.UUID, status: Int?) {
        state.withLock { state in
            guard var entry = state.begun.removeValue(forKey: id) else { return }
            entry.status = status
            state.ended.append(entry)
            guard let status else { return }
            do {
                try state.journal.end(id, status: status)
            } catch {
                // It is done, and in memory; only after a kill nobody would know how it ended.
                log.failed("audit", error)
            }
        }
    }

    /// Writes to the database what has ended.
    func flush() throws {
        try writing.withLock { _ in
            let taken = try state.withLock { state -> [AuditEntry] in
                guard !state.ended.isEmpty else { return [] }
                // After a failure the journal goes on: the database may be away for long.
                if state.full.isEmpty { try turnOver(&state) }
                defer { state.ended = [] }
                return state.ended
            }
            guard !taken.isEmpty else { return }
            do {
                try Self.keep(taken, in: access, log)
                let full = state.withLock { state in
                    defer { state.full = [] }
                    return state.full
                }
                for journal in full { journal.remove() }
            } catch {
                state.withLock { putBack(taken, &$0) }
                throw error
            }
        }
    }

    /// Begins another journal, with what is not over yet.
    private func turnOver(_ state: inout State) throws {
        let next = try AuditJournal(in: directory)
        for entry in state.begun.values { try next.begin(entry) }
        state.full.append(state.journal)
        state.journal = next
    }

    /// Takes back entries that could not be written; where they are too many, their journals are left for the next start.
    private func putBack(_ taken: [AuditEntry], _ state: inout State) {
        if taken.count + state.ended.count > Self.capacity {
            do {
                try turnOver(&state)
                // Entries that have ended meanwhile are in the files as well.
                (state.full, state.ended) = ([], [])
                return
            } catch {
                log.failed("audit", error)
            }
        }
        state.ended = taken + state.ended
    }

    /// Keeps entries in the database; one that it can't have is told of, and holds up no other.
    private static func keep(_ entries: [AuditEntry], in access: AccessStore, _ log: any APILog) throws {
        do {
            try access.audit.insert(entries)
        } catch let error as PostgresError where error.isAboutData {
            guard entries.count > 1 else { return log.failed("audit", error) }
            let half = entries.count / 2
            try keep(Array(entries.prefix(half)), in: access, log)
            try keep(Array(entries.dropFirst(half)), in: access, log)
        }
    }

    private func run() {
        var isStopping = false
        var nextCleaning = ContinuousClock.now
        while !isStopping {
            isStopping = state.wait(timeout: Self.interval, until: \.isStopping)
            do {
                try flush()
                guard ContinuousClock.now >= nextCleaning else { continue }
                nextCleaning = .now + Self.cleaning
                try access.audit.remove(olderThan: age)
            } catch {
                log.failed("audit", error)
            }
        }
    }
}

extension AuditLog {
    /// The name of an app; nil for what none can have: a path may say anything there.
    static func app(_ name: String) -> String? { ResourceName.isValid(name, of: .app) ? name : nil }

    /// An entry for a request that is about to be done; nil for one that needs no key.
    static func entry(of request: APIRequest, by operation: String) -> AuditEntry? {
        guard let key = request.access.key else { return nil }
        return AuditEntry(
            id: .version7(), at: .now, key: key, keyName: request.access.keyName, token: request.access.token,
            app: request.parameters["app"].flatMap(Self.app) ?? request.access.realms?.app, operation: operation,
            path: request.head.path,
            requestID: request.head.id,
            job: request.parameters["job"].flatMap { RealmModel.UUID($0) })
    }
}
