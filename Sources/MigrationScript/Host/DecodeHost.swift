import Columns
import Glibc
import RealmModel

/// Decodes one input file inside a locked host.
struct DecodeHost {
    private let task: DecodeTask
    private let channel: HostChannel
    private let decoder: HostMain.Decoder

    init(_ task: DecodeTask, channel: HostChannel, decoder: @escaping HostMain.Decoder) {
        self.task = task
        self.channel = channel
        self.decoder = decoder
    }

    func run() throws -> Frame {
        let input = try map(HostProcess.inputDescriptor)
        try HostMain.lock(task.limits, channel: channel)
        do {
            let store = PipeSegmentStore(channel: channel)
            let snapshot = try decoder(task.format, input, store, task.limits.rowGroups)
            try store.finish()
            return Frame(.decoded, SnapshotCoding.encode(snapshot))
        } catch let error as InputError {
            return Frame(.inputRefused, InputErrorCoding.encode(error))
        } catch let closed as HostChannel.Closed {
            throw closed
        } catch {
            return HostMain.failed(error)
        }
    }

    /// The whole file, read only; its pages come as they are read and take no memory of the host's.
    private func map(_ descriptor: Int32) throws -> UnsafeRawBufferPointer {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw HostChannel.Closed() }
        defer { close(descriptor) }
        let size = Int(information.st_size)
        guard size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw HostChannel.Closed()
        }
        madvise(start, size, MADV_SEQUENTIAL)
        return UnsafeRawBufferPointer(start: start, count: size)
    }
}
