import Columns
import RealmModel
import Sandbox

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
        rowGroups: RowGroupLimits = .standard, limits: HostLimits = HostLimits(),
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> Snapshot {
        let served = ServedStore(store, source: nil)
        let task = DecodingTask(format: format, rowGroups: rowGroups)
        var order = HostOrder(DecodingWork.roleName, task.bytes, limits: limits, of: app, serving: served)
        order.input = input
        order.isCancelled = isCancelled
        let answer: Result<Snapshot, InputError> = try hosts.perform(order) { answer in
            switch answer {
            case .done(let bytes): .success(try served.named(try SnapshotCoding.decodeSnapshot(bytes)))
            case .refused(let bytes): .failure(try InputErrorCoding.decode(bytes))
            }
        }
        return try answer.get()
    }
}
