import HTTPServer
import SnapshotStore

/// Takes a part of an upload as it comes, and keeps it a mebibyte at a time: where the connection breaks, what was kept stays, and the
/// client goes on behind it.
final class PartReceiver: HTTPBodyReceiver, @unchecked Sendable {
    // Used only by the thread that has the connection in hand.
    private let store: SnapshotStore
    private let upload: PartialUpload
    private var waiting: [UInt8] = []
    /// Where the bytes that wait begin.
    private var offset: Int
    /// Why no more was kept.
    private var failure: (any Error)?

    /// - Parameter offset: where the part begins; nil for where the upload has come to.
    init(_ upload: PartialUpload, startingAt offset: Int? = nil, store: SnapshotStore) {
        self.store = store
        self.upload = upload
        self.offset = offset ?? upload.received
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
        guard failure == nil else { return }
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, SnapshotStore.Uploads.partBytes - waiting.count)
            waiting.append(contentsOf: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if waiting.count == SnapshotStore.Uploads.partBytes { keep() }
        }
    }

    /// Keeps what is left.
    ///
    /// - Returns: the bytes of the upload that are kept.
    /// - Throws: why not all is.
    func finish() throws -> Int {
        keep()
        if let failure { throw failure }
        return offset
    }

    private func keep() {
        guard failure == nil, !waiting.isEmpty else { return }
        do {
            try store.uploads.append(waiting, at: offset, to: upload)
            offset += waiting.count
            waiting = []
        } catch {
            // Told when the request is answered; the rest of the body is passed over.
            failure = error
            waiting = []
        }
    }
}
