import Columns
import FileStore
import RealmFile
import RealmFormats
import RealmModel
import Sandbox

/// Reads input files of strangers in child processes: a decoder that traps costs one request.
///
/// An encrypted file is decrypted there, too, with the key that goes over the channel; its plain bytes are nowhere else.
public struct SandboxedDecoder: RealmDecoder {
    private let hosts: HostPool

    /// Reads in a pool's hosts; by default each time in a new one of this program itself.
    public init(hosts: HostPool = HostPool()) {
        self.hosts = hosts
    }

    /// Decodes a file in a host and waits for the end, or for that of this thread's `WorkBudget`.
    ///
    /// - Throws: `InputError`, also where the limits were reached; `WorkBudget.Excess`; `HostFailure`; what the store throws.
    public func decode(
        _ file: Int32, as format: RealmFormat, rescuing: Bool = false, key: EncryptionKey? = nil,
        into store: any SegmentStore,
        of app: UUID? = nil, rowGroups: RowGroupLimits = .standard, limits: DecodingLimits = DecodingLimits()
    ) throws -> DecodedRealm {
        let served = Self.served(store)
        let task = DecodingTask(rescuing ? .rescue : .read, format: format.name, rowGroups: rowGroups, key: key)
        return try perform(task, on: file, of: app, limits: limits, serving: served) {
            var realm = try DecodedRealmCoding.decode($0)
            realm.snapshot = try served.named(realm.snapshot)
            return realm
        }
    }

    /// Has a host make another file of one's parts, for a migration that changes no value.
    ///
    /// - Parameters:
    ///   - file: a descriptor of a regular file, from its start; it stays the caller's.
    ///   - format: that of both files.
    ///   - key: of a file that may be encrypted.
    ///   - endsPage: whether what is written will be encrypted.
    ///   - change: makes the result of the file's description, a snapshot whose segments nobody has; nil where values are needed.
    ///   - append: takes the bytes of the new file, which are of no use where this fails.
    /// - Returns: the result.
    /// - Throws: `InputError` where the file has to be decoded; `HostFailure`; what the functions throw.
    public func copy(
        _ file: Int32, as format: RealmFormat, key: EncryptionKey? = nil, endsPage: Bool,
        limits: DecodingLimits = DecodingLimits(), changedBy change: (Snapshot) throws -> Snapshot?,
        to append: ([UInt8]) throws -> Void
    ) throws -> Snapshot {
        try withoutActuallyEscaping(change) { change in
            try withoutActuallyEscaping(append) { append in
                let store = FileCopyStore(change: change, append: append)
                let task = DecodingTask(endsPage ? .copyForEncryption : .copy, format: format.name, key: key)
                return try perform(
                    task, on: file, of: nil, limits: limits, serving: Self.served(store)
                ) { _ in
                    guard let changed = store.changed else { throw ColumnError.damaged(what: "a copy", offset: 0) }
                    return changed
                }
            }
        }
    }

    /// Describes a file without its objects.
    ///
    /// - Parameters:
    ///   - file: a descriptor of a regular file, from its start; it stays the caller's.
    ///   - format: one that can be described so.
    ///   - key: of a file that may be encrypted.
    ///   - measuresSpace: whether it is told where the bytes are.
    ///   - limits: what the decoder may take.
    /// - Throws: `InputError`, `HostFailure`.
    public func summary(
        of file: Int32, as format: RealmFormat, key: EncryptionKey? = nil, measuresSpace: Bool = false,
        limits: DecodingLimits = DecodingLimits()
    ) throws -> RealmFileSummary {
        let task = DecodingTask(measuresSpace ? .measure : .summarize, format: format.name, key: key)
        let served = ServedStore(MemorySegmentStore(), source: nil)
        return try perform(task, on: file, of: nil, limits: limits, serving: served) {
            try RealmFileSummaryCoding.decode($0)
        }
    }

    /// A store as a host sees it, with scratch space in a file.
    private static func served(_ store: any SegmentStore) -> ServedStore {
        ServedStore(store, source: nil, scratch: { try FileSegmentStore() })
    }

    private func perform<Value>(
        _ task: DecodingTask, on file: Int32, of app: UUID?, limits: DecodingLimits, serving served: ServedStore,
        read: ([UInt8]) throws -> Value
    ) throws -> Value {
        var order = HostOrder(
            DecodingWork.roleName, task.bytes,
            limits: HostLimits(timeoutSeconds: limits.timeoutSeconds, memoryBytes: limits.memoryBytes), of: app,
            serving: served)
        order.input = file
        let excess = order.end(with: .current)
        do {
            let answer: Result<Value, InputError> = try hosts.perform(order) { answer in
                switch answer {
                case .done(let bytes): .success(try read(bytes))
                case .refused(let bytes): .failure(try InputErrorCoding.decode(bytes))
                }
            }
            return try answer.get()
        } catch HostFailure.cancelled {
            throw excess() ?? .abandoned
        } catch HostFailure.timeLimit {
            throw InputError(.tooLarge, "Reading the realm took longer than \(limits.timeoutSeconds) seconds.")
        } catch HostFailure.memoryLimit {
            throw InputError(
                .tooLarge,
                "Reading the realm took more than \(limits.memoryBytes >> 20) MiB of memory: a value or an object is too "
                    + "large.")
        }
    }
}
