import Columns
import Glibc
import RealmModel
import Sandbox

extension HostRole {
    /// Decodes an input file into a store: the format's name, the file's plain bytes, the store, and the size of
    /// row groups.
    ///
    /// What it throws as `InputError` reaches the caller of `SandboxedDecoder` as it is.
    public typealias Decoder =
        @Sendable (
            _ format: String, _ input: UnsafeRawBufferPointer, _ store: any SegmentStore, _ limits: RowGroupLimits
        ) throws -> Snapshot

    /// Decodes input files.
    public static func decoding(by decoder: @escaping Decoder) -> HostRole {
        HostRole(DecodingWork.roleName) { _, channel in DecodingWork(channel: channel, decoder: decoder) }
    }
}

extension HostProfile {
    /// A host that decodes input files.
    public static func decoding(memoryBytes: Int) -> HostProfile {
        HostProfile(DecodingWork.roleName, memoryBytes: memoryBytes)
    }
}

/// Decodes input files inside a locked host.
struct DecodingWork: HostWork {
    static let roleName = "decoding"

    let channel: HostChannel
    let decoder: HostRole.Decoder

    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer {
        let task = try DecodingTask(task)
        guard let input else { throw HostChannel.Closed() }
        let bytes = try map(input)
        defer { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
        let store = PipeSegmentStore(channel: channel)
        defer { try? store.finish() }
        do {
            let snapshot = try decoder(task.format, bytes, store, task.rowGroups)
            try store.finish()
            return .done(SnapshotCoding.encode(snapshot))
        } catch let error as InputError {
            return .refused(InputErrorCoding.encode(error))
        }
    }

    func reset() {}

    /// The whole file, read only; its pages come as they are read and take no memory of the host's.
    private func map(_ descriptor: Int32) throws -> UnsafeRawBufferPointer {
        // The C library's fstat is the call that looks for files, which is refused here.
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= 0 else { throw HostChannel.Closed() }
        guard size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw HostChannel.Closed()
        }
        madvise(start, size, MADV_SEQUENTIAL)
        return UnsafeRawBufferPointer(start: start, count: size)
    }
}
