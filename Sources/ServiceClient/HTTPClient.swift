import CCurl
import Glibc

/// Sends HTTP requests by libcurl, one after the other, over connections that it keeps.
public final class HTTPClient {
    private let handle: UnsafeMutableRawPointer
    private let caFile: String?
    private var isBusy = false

    /// - Parameter caFile: certificates to trust, PEM; nil for those of the system.
    /// - Throws: where libcurl can't be started.
    public init(caFile: String? = nil) throws(ServiceUnreachable) {
        guard let handle = curl_easy_init() else { throw ServiceUnreachable(reason: "libcurl can't be started") }
        self.handle = handle
        self.caFile = caFile
    }

    deinit { curl_easy_cleanup(handle) }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Parameters:
    ///   - sent: is told how many bytes of the body are on their way.
    ///   - receive: takes the body of an answer that succeeded, part by part; nil to have it in the answer.
    /// - Throws: `ServiceUnreachable`, or what `receive` throws.
    public func send(
        _ request: HTTPRequest, sent: (Int) -> Void = { _ in },
        receive: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) throws -> HTTPAnswer {
        precondition(!isBusy, "a request within another one needs a client of its own")
        isBusy = true
        defer { isBusy = false }
        return try withoutActuallyEscaping(sent) { sent in
            let transfer = Transfer(request.body, sent: sent, receive: receive)
            defer { transfer.close() }
            curl_easy_reset(handle)
            var fields: UnsafeMutablePointer<curl_slist>?
            // Without it libcurl waits a second for a word of the server before a larger body.
            for field in request.fields.map({ "\($0.0): \($0.1)" }) + ["Expect:"] {
                fields = curl_slist_append(fields, field)
            }
            defer { curl_slist_free_all(fields) }
            prepare(request, fields: fields)
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
                realmshift_set_pointer(handle, option, context)
            }
            let outcome = withExtendedLifetime(transfer) { curl_easy_perform(handle) }
            if let error = transfer.error { throw error }
            guard outcome == CURLE_OK else {
                throw ServiceUnreachable(reason: String(cString: curl_easy_strerror(outcome)))
            }
            return HTTPAnswer(
                status: Int(realmshift_status(handle)), fields: transfer.fields, body: transfer.collected)
        }
    }

    private func prepare(_ request: HTTPRequest, fields: UnsafeMutablePointer<curl_slist>?) {
        realmshift_set_text(handle, CURLOPT_URL, request.url)
        realmshift_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        realmshift_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        realmshift_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
        realmshift_set_number(handle, CURLOPT_NOSIGNAL, 1)
        realmshift_set_number(handle, CURLOPT_CONNECTTIMEOUT, 10)
        // A stream of events has a comment every 15 seconds; a large upload may be read for five minutes.
        realmshift_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        realmshift_set_number(handle, CURLOPT_LOW_SPEED_TIME, 600)
        // Through a proxy plain HTTP would show the key, and leave the machine even where the service is on it.
        if request.url.hasPrefix("http://") { realmshift_set_text(handle, CURLOPT_NOPROXY, "*") }
        if let caFile { realmshift_set_text(handle, CURLOPT_CAINFO, caFile) }
        if let size = request.body.size {
            realmshift_set_number(handle, CURLOPT_UPLOAD, 1)
            realmshift_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
        } else if request.method == "HEAD" {
            realmshift_set_number(handle, CURLOPT_NOBODY, 1)
        }
        realmshift_set_transfer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.of(context).takeField(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        realmshift_set_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        realmshift_set_transfer(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            Transfer.of(context).give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        realmshift_set_seek(handle) { context, offset, origin in
            Transfer.of(context).seek(Int(offset), origin: origin)
        }
    }
}

/// A request as it is sent.
public struct HTTPRequest {
    /// The bytes behind the head.
    public enum Body {
        case none
        case bytes([UInt8])
        /// Some of a file that is open.
        case file(Int32, offset: Int, count: Int)

        var size: Int? {
            switch self {
            case .none: nil
            case .bytes(let bytes): bytes.count
            case .file(_, _, let count): count
            }
        }
    }

    /// The method.
    public var method: String
    /// The whole URL.
    public var url: String
    /// The fields of the head.
    public var fields: [(String, String)]
    /// The bytes behind it.
    public var body: Body

    /// Describes a request.
    public init(_ method: String, _ url: String, fields: [(String, String)] = [], body: Body = .none) {
        (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
    }
}

/// An answer to a request.
public struct HTTPAnswer {
    /// The status.
    public let status: Int
    fileprivate let fields: [(String, String)]
    /// The body, where nobody else has taken it.
    public let body: [UInt8]

    /// Whether it did what was asked for.
    public var succeeded: Bool { 200..<300 ~= status }

    /// The last value of a field of the head, whatever case its name is in.
    public subscript(_ name: String) -> String? {
        fields.last { $0.0 == name.lowercased() }?.1
    }

    init(status: Int, fields: [(String, String)], body: [UInt8]) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}

/// The state of one exchange, which libcurl hands to its callbacks.
private final class Transfer {
    private let body: HTTPRequest.Body
    private var position = 0
    private let sent: (Int) -> Void
    private var receive: ((UnsafeRawBufferPointer) throws -> Void)?
    private var status = 0
    private(set) var fields: [(String, String)] = []
    private(set) var collected: [UInt8] = []
    private(set) var error: (any Error)?
    /// The most of a body that is kept in memory.
    private static let collectedLimit = 256 << 20

    init(
        _ body: HTTPRequest.Body, sent: @escaping (Int) -> Void,
        receive: ((UnsafeRawBufferPointer) throws -> Void)?
    ) {
        (self.body, self.sent, self.receive) = (body, sent, receive)
    }

    func close() { receive = nil }

    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl lost its context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    func takeField(_ bytes: UnsafeRawBufferPointer) -> Int {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Another head follows one of 1xx.
            fields = []
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append((line[..<colon].lowercased(), String(value.prefix { !$0.isNewline })))
        }
        return bytes.count
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let receive, 200..<300 ~= status else {
            guard collected.count + bytes.count <= Self.collectedLimit else { return 0 }
            collected += bytes
            return bytes.count
        }
        do {
            try receive(bytes)
            return bytes.count
        } catch {
            self.error = error
            // Fewer than there are end the exchange.
            return 0
        }
    }

    func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count: Int
        switch body {
        case .none: return 0
        case .bytes(let bytes):
            count = min(room.count, bytes.count - position)
            bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
        case .file(let descriptor, let offset, let whole):
            count = pread(descriptor, room.baseAddress, min(room.count, whole - position), off_t(offset + position))
            guard count >= 0 else { return Int(CURL_READFUNC_ABORT) }
        }
        position += count
        sent(position)
        return count
    }

    /// Begins again where a connection that was kept turns out to be closed.
    func seek(_ offset: Int, origin: Int32) -> Int32 {
        guard origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
        position = offset
        return CURL_SEEKFUNC_OK
    }
}
