import Columns
import RealmMigration
import RealmModel

/// Decodes input files of strangers in child processes: a decoder that traps costs one request.
public struct SandboxedDecoder: Sendable {
    private let hosts: HostPool

    /// Decodes in a pool's hosts; by default each time in a new one of this program itself.
    public init(hosts: HostPool = HostPool()) {
        self.hosts = hosts
    }

    /// Decodes a file and waits for the end.
    ///
    /// - Parameters:
    ///   - input: a descriptor of a regular file, from its start; it stays the caller's.
    ///   - format: a name that the program's decoder knows.
    ///   - store: takes the segments.
    ///   - app: whose file it is; a host that has decoded another app's is not used. Nil for a host of its own.
    ///   - rowGroups: the size of row groups.
    ///   - limits: what the decoder may use.
    ///   - isCancelled: asked some times a second; true stops the decoder.
    /// - Throws: `InputError` where the file is at fault, `HostFailure`, and what the store throws.
    public func decode(
        _ input: Int32, format: String, into store: any SegmentStore, of app: UUID? = nil,
        rowGroups: RowGroupLimits = .standard, limits: ScriptLimits = ScriptLimits(),
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> Snapshot {
        let served = ServedStore(store, source: nil)
        let order = HostPool.Order(
            profile: HostProfile(.decoding, memoryBytes: limits.memoryBytes), app: app,
            processorSeconds: limits.processorSeconds, served: served,
            supervision: HostSession.Supervision(timeoutSeconds: limits.timeoutSeconds, isCancelled: isCancelled))
        let task = HostTask.decode(DecodeTask(rowGroups: rowGroups, format: format))
        let answer: Result<Snapshot, InputError> = try hosts.perform(task, input: input, order) { frame, session in
            switch frame.kind {
            case .decoded:
                try session.believed {
                    .success(try served.named(try SnapshotCoding.decodeSnapshot(frame.payload)))
                }
            case .inputRefused: .failure(try session.believed { try InputErrorCoding.decode(frame.payload) })
            default: throw try session.failure(toldBy: frame)
            }
        }
        return try answer.get()
    }
}
