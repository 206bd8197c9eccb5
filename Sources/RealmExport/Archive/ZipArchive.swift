import CZlib

/// An archive of files that come one after the other, their bytes part by part (PKWARE's APPNOTE 6.3).
///
/// Facts about a file that are known only at its end stand behind it, and again in the directory at the end of the archive.
/// Sizes past 4 GiB are written as ZIP64 has them.
struct ZipArchive {
    private struct Entry {
        let name: [UInt8]
        let offset: UInt64
        let isDeflated: Bool
        var checksum: UInt
        var plainCount: UInt64 = 0
        var storedCount: UInt64 = 0
    }

    private var entries: [Entry] = []
    private var count: UInt64 = 0
    private var deflater: Deflater?
    /// Bytes that are sure and were not taken yet.
    private var out: [UInt8] = []

    /// The bytes since the last time.
    mutating func take() -> [UInt8] {
        defer { out = [] }
        return out
    }

    /// Begins a file.
    ///
    /// - Parameter isDeflated: whether its bytes are compressed; those of formats that are so by themselves are not.
    mutating func begin(_ name: String, isDeflated: Bool) throws(ExportError) {
        let entry = Entry(name: Array(name.utf8), offset: count, isDeflated: isDeflated, checksum: crc32(0, nil, 0))
        entries.append(entry)
        deflater = isDeflated ? try Deflater() : nil
        var head = Fields()
        head.append(UInt32(0x0403_4b50))
        head.append(UInt16(45))
        head.append(Self.flags)
        head.append(UInt16(isDeflated ? 8 : 0))
        head.append(Self.date)
        head.append(UInt32(0))
        // Both sizes follow the bytes; that they have 64 bits there, the extra field says.
        head.append(UInt32.max)
        head.append(UInt32.max)
        head.append(UInt16(entry.name.count))
        head.append(UInt16(20))
        head.bytes += entry.name
        head.append(UInt16(1))
        head.append(UInt16(16))
        head.append(UInt64(0))
        head.append(UInt64(0))
        write(head.bytes)
    }

    /// Takes the next bytes of the file.
    mutating func append(_ bytes: [UInt8]) throws(ExportError) {
        guard !bytes.isEmpty, let last = entries.indices.last else { return }
        entries[last].checksum = crc32(entries[last].checksum, bytes, UInt32(bytes.count))
        entries[last].plainCount += UInt64(bytes.count)
        try store(try deflater?.deflate(bytes) ?? bytes)
    }

    /// Ends the file.
    mutating func end() throws(ExportError) {
        guard let last = entries.indices.last else { return }
        if let deflater { try store(try deflater.finish()) }
        deflater = nil
        var tail = Fields()
        tail.append(UInt32(0x0807_4b50))
        tail.append(UInt32(truncatingIfNeeded: entries[last].checksum))
        tail.append(entries[last].storedCount)
        tail.append(entries[last].plainCount)
        write(tail.bytes)
    }

    /// Ends the archive by its directory.
    mutating func finish() {
        let start = count
        for entry in entries { write(Self.directoryEntry(entry)) }
        let size = count - start
        var end = Fields()
        end.append(UInt32(0x0606_4b50))
        end.append(UInt64(44))
        end.append(UInt16(45))
        end.append(UInt16(45))
        end.append(UInt32(0))
        end.append(UInt32(0))
        end.append(UInt64(entries.count))
        end.append(UInt64(entries.count))
        end.append(size)
        end.append(start)
        end.append(UInt32(0x0706_4b50))
        end.append(UInt32(0))
        end.append(start + size)
        end.append(UInt32(1))
        end.append(UInt32(0x0605_4b50))
        end.append(UInt16(0))
        end.append(UInt16(0))
        end.append(UInt16(clamping: entries.count))
        end.append(UInt16(clamping: entries.count))
        end.append(UInt32(clamping: size))
        end.append(UInt32(clamping: start))
        end.append(UInt16(0))
        write(end.bytes)
    }

    private static func directoryEntry(_ entry: Entry) -> [UInt8] {
        var fields = Fields()
        fields.append(UInt32(0x0201_4b50))
        fields.append(UInt16(45))
        fields.append(UInt16(45))
        fields.append(flags)
        fields.append(UInt16(entry.isDeflated ? 8 : 0))
        fields.append(date)
        fields.append(UInt32(truncatingIfNeeded: entry.checksum))
        fields.append(UInt32.max)
        fields.append(UInt32.max)
        fields.append(UInt16(entry.name.count))
        fields.append(UInt16(28))
        fields.bytes += [UInt8](repeating: 0, count: 10)
        fields.append(UInt32.max)
        fields.bytes += entry.name
        fields.append(UInt16(1))
        fields.append(UInt16(24))
        fields.append(entry.plainCount)
        fields.append(entry.storedCount)
        fields.append(entry.offset)
        return fields.bytes
    }

    /// Sizes and checksum follow the bytes; names are UTF-8.
    private static let flags: UInt16 = 1 << 3 | 1 << 11
    /// 1980-01-01, the first day that there is: the same realm is the same archive.
    private static let date: UInt32 = (1 << 5 | 1) << 16

    private mutating func store(_ bytes: [UInt8]) throws(ExportError) {
        guard let last = entries.indices.last else { return }
        entries[last].storedCount += UInt64(bytes.count)
        write(bytes)
    }

    private mutating func write(_ bytes: [UInt8]) {
        out += bytes
        count += UInt64(bytes.count)
    }

    /// Numbers in the order of their bytes from the least.
    private struct Fields {
        var bytes: [UInt8] = []

        mutating func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
    }
}

/// Compresses bytes that come part by part (RFC 1951), by zlib.
private final class Deflater {
    /// The fastest: what is exported is on its way.
    private static let level: Int32 = 1
    // zlib remembers where its stream stands, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init() throws(ExportError) {
        stream.initialize(to: z_stream())
        guard realmshift_deflate_init(stream, Self.level, -15) == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func deflate(_ bytes: [UInt8]) throws(ExportError) -> [UInt8] { try run(bytes, Z_NO_FLUSH) }

    func finish() throws(ExportError) -> [UInt8] { try run([], Z_FINISH) }

    private func run(_ bytes: [UInt8], _ flush: Int32) throws(ExportError) -> [UInt8] {
        var bytes = bytes
        var stored: [UInt8] = []
        var result = Z_OK
        bytes.withUnsafeMutableBufferPointer { plain in
            stream.pointee.next_in = plain.baseAddress
            stream.pointee.avail_in = UInt32(plain.count)
            // Bytes that zlib keeps back come with later ones, or in the end, and then may be more than one buffer.
            repeat {
                stored += [UInt8](unsafeUninitializedCapacity: plain.count / 2 + (64 << 10)) { buffer, filled in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    result = CZlib.deflate(stream, flush)
                    filled = buffer.count - Int(stream.pointee.avail_out)
                }
            } while result == Z_OK && (stream.pointee.avail_out == 0 || flush == Z_FINISH)
        }
        guard result == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) || result == Z_BUF_ERROR && flush == Z_NO_FLUSH else {
            throw .noMemory
        }
        return stored
    }
}
