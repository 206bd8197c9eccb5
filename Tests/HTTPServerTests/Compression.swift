import CZlib
import CZstd
import Testing

func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let capacity = bytes.count + bytes.count / 100 + 1024
    return withUnsafeMutablePointer(to: &stream) { stream in
        _ = realmshift_deflate_init(stream, 6, 15 + 16)
        defer { deflateEnd(stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(capacity)
                deflate(stream, Z_FINISH)
                count = capacity - Int(stream.pointee.avail_out)
            }
        }
    }
}

func zstd(_ bytes: [UInt8]) -> [UInt8] {
    let capacity = ZSTD_compressBound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        count = ZSTD_compress(output.baseAddress, capacity, bytes, bytes.count, 1)
    }
}

/// A body and the name of its coding.
struct Coding: Sendable, CustomTestStringConvertible {
    var name: String
    var encode: @Sendable ([UInt8]) -> [UInt8]
    var testDescription: String { name }

    static let gzip = Coding(name: "gzip") { HTTPServerTests.gzip($0) }
    static let zstd = Coding(name: "zstd") { HTTPServerTests.zstd($0) }
}
