import Columns
import RealmMigration
import Sandbox
import Threads

/// The threads of shares speak by it to the thread that waits for them, which alone uses the migration's store and observer.
final class ShareMailbox: Sendable {
    /// Something that a share says.
    enum Event: Sendable {
        case report(Int, ShareMachine.Report)
        case ended(Int, ShareEnd)
        /// The share's thread waits until it is called; without a store where the migration is over.
        case question(@Sendable ((any SegmentStore)?) -> Void)
    }

    /// Events that wait; a share that says more waits with them.
    private static let limit = 1024
    private let events = Monitor<[Event]>([])
    private let useless = Mutex<Set<Int>>([])

    /// Says something, from a share's thread.
    func post(_ event: Event) {
        events.wait { $0.count < Self.limit ? () : nil }
        events.change { $0.append(event) }
    }

    /// Has the waiting thread do something with its store, and waits for it.
    ///
    /// - Throws: what that throws; `HostFailure.cancelled` where the migration is over.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (any SegmentStore) throws -> Answer) throws -> Answer {
        let answer = Monitor<Result<Answer, any Error>?>(nil)
        post(
            .question { store in
                let result = Result { () throws -> Answer in
                    guard let store else { throw HostFailure.cancelled }
                    return try body(store)
                }
                answer.change { $0 = result }
            })
        return try answer.wait { $0 }.get()
    }

    /// The events that have come; waits some time for the first.
    func take(timeout: Duration) -> [Event] {
        guard events.wait(timeout: timeout, until: { !$0.isEmpty }) else { return [] }
        return events.change { events in
            defer { events = [] }
            return events
        }
    }

    /// Ends shares of which nothing matters any more.
    func end(_ shares: Set<Int>) { useless.withLock { $0.formUnion(shares) } }

    /// Whether a share is to end.
    func isToEnd(_ share: Int) -> Bool { useless.withLock { $0.contains(share) } }
}

/// How a share's task ended.
struct ShareEnd: Sendable {
    let result: Result<MigrationResult, any Error>
    /// The line that the script was in when it told last.
    let line: Int?
}

/// A store of another thread: every question is asked there.
final class MailboxStore: SegmentStore {
    private let mailbox: ShareMailbox

    init(_ mailbox: ShareMailbox) { self.mailbox = mailbox }

    func write(segment bytes: [UInt8]) throws -> SegmentID { try mailbox.ask { try $0.write(segment: bytes) } }
    func read(segment id: SegmentID) throws -> [UInt8] { try mailbox.ask { try $0.read(segment: id) } }
    func write(column segments: [Segment]) throws -> SegmentID { try mailbox.ask { try $0.write(column: segments) } }
    func read(column id: SegmentID) throws -> [Segment] { try mailbox.ask { try $0.read(column: id) } }
}
