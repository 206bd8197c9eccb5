import Columns
import RealmMigration
import RealmModel

/// Decodes input files of strangers in child processes: a decoder that traps costs one request.
public struct SandboxedDecoder: Sendable {
    private let executable: String

    /// Decodes by a program whose `host` command calls `HostMain.run`; this program itself unless said otherwise.
    public init(executable: String = "/proc/self/exe") {
        self.executable = executable
    }

    /// Decodes a file and waits for the end.
    ///
    /// - Parameters:
    ///   - input: a descriptor of a regular file, from its start; it stays the caller's.
    ///   - format: a name that the program's decoder knows.
    ///   - store: takes the segments.
    ///   - rowGroups: the size of row groups.
    ///   - limits: what the decoder may use.
    ///   - isCancelled: asked some times a second; true stops the decoder.
    /// - Throws: `InputError` where the file is at fault, `HostFailure`, and what the store throws.
    public func decode(
        _ input: Int32, format: String, into store: any SegmentStore,
        rowGroups: RowGroupLimits = .standard, limits: ScriptLimits = ScriptLimits(),
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> Snapshot {
        let hostLimits = HostLimits(limits, rowGroups: rowGroups)
        let served = ServedStore(store, source: nil)
        let session = HostSession(
            try HostProcess(executable: executable, input: input), serving: served,
            supervision: HostSession.Supervision(timeoutSeconds: limits.timeoutSeconds, isCancelled: isCancelled))
        let frame = try session.run(.decode(DecodeTask(limits: hostLimits, format: format)))
        switch frame.kind {
        case .decoded:
            return try session.believed {
                try served.named(try SnapshotCoding.decodeSnapshot(frame.payload))
            }
        case .inputRefused: throw try session.believed { try InputErrorCoding.decode(frame.payload) }
        default: throw try session.failure(toldBy: frame)
        }
    }
}
