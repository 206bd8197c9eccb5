import Columns
import Glibc
import RealmModel

/// Decodes input files inside a locked host.
struct DecodeHost: TaskHost {
    private let channel: HostChannel
    private let decoder: HostMain.Decoder

    init(channel: HostChannel, decoder: @escaping HostMain.Decoder) {
        self.channel = channel
        self.decoder = decoder
    }

    func perform(_ task: HostTask, input: Int32?) throws -> Frame {
        guard case .decode(let task) = task, let input else { throw HostChannel.Closed() }
        let bytes = try map(input)
        defer { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
        let store = PipeSegmentStore(channel: channel)
        defer { try? store.finish() }
        do {
            let snapshot = try decoder(task.format, bytes, store, task.rowGroups)
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
