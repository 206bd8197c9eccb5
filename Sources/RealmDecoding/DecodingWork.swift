import Columns
import Glibc
import RealmFile
import RealmFormats
import RealmModel
import Sandbox

extension HostRole {
    /// Reads input files.
    ///
    /// - Parameter formats: those that a task may name.
    public static func decoding(_ formats: [RealmFormat]) -> HostRole {
        HostRole(DecodingWork.roleName) { _, channel in DecodingWork(channel: channel, formats: formats) }
    }
}

extension HostProfile {
    /// A host that reads input files.
    public static func decoding(memoryBytes: Int) -> HostProfile {
        HostProfile(DecodingWork.roleName, memoryBytes: memoryBytes)
    }
}

extension PagedMemory: BlockMemory {}

/// Reads input files inside a locked host.
struct DecodingWork: HostWork {
    static let roleName = "decoding"

    let channel: HostChannel
    let formats: [RealmFormat]

    func perform(_ task: [UInt8], input: Int32?) throws -> HostAnswer {
        let task = try DecodingTask(task)
        guard let input else { throw HostChannel.Closed() }
        let bytes = try map(input)
        defer { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
        do {
            return .done(try perform(task, bytes))
        } catch let error as InputError {
            return .refused(InputErrorCoding.encode(error))
        }
    }

    func reset() {}

    private func perform(_ task: DecodingTask, _ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
        let format = formats.first { $0.name == task.format }
        var options = ReadingOptions(
            rowGroups: task.rowGroups, key: task.key, plainMemory: PagedMemory(),
            measuresSpace: task.purpose == .measure)
        switch task.purpose {
        case .read, .rescue:
            guard let read = task.purpose == .read ? format?.read : format?.rescue else {
                throw Self.unsupported(task.format)
            }
            let store = PipeSegmentStore(channel: channel)
            options.scratch = { PipeScratchStore(store) }
            // Where the reading failed, too: its own error is what counts then.
            defer { try? store.finish() }
            let realm = try read(bytes, options, store)
            try store.finish()
            return DecodedRealmCoding.encode(realm)
        case .summarize, .measure:
            guard let summarize = format?.summarize else { throw Self.unsupported(task.format) }
            return RealmFileSummaryCoding.encode(try summarize(bytes, options))
        case .copy, .copyForEncryption:
            guard let copy = format?.copy else { throw Self.unsupported(task.format) }
            let store = PipeSegmentStore(channel: channel)
            // Values of an encrypted file go to no disk.
            if task.key == nil { options.scratch = { PipeScratchStore(store) } }
            defer { try? store.finish() }
            try copy(
                bytes, options, task.purpose == .copyForEncryption, .random(in: .min ... .max),
                { outline in
                    let changed = try store.read(segment: try store.write(segment: SnapshotCoding.encode(outline)))
                    return changed.isEmpty ? nil : try SnapshotCoding.decodeSnapshot(changed)
                },
                { _ = try store.write(segment: $0) })
            try store.finish()
            return []
        }
    }

    private static func unsupported(_ format: String) -> InputError {
        InputError(.unsupportedFormat, "There is no decoder for the format \(format).")
    }

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
