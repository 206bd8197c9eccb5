import CCurl
import Glibc

/// One request on its way, as libcurl's callbacks see it.
///
/// Touched by the sender's thread alone.
final class Transfer {
    /// From the beginning of an attempt to its end.
    static let timeout = Duration.seconds(15)
    /// Until a connection is open.
    private static let connectTimeout = Duration.seconds(5)
    /// Bytes of an answer, head and body, that are read at most; none of them is kept.
    private static let longestAnswer = 64 << 10

    let handle: UnsafeMutableRawPointer
    private let policy: AddressPolicy
    private let isPlain: Bool
    private let completed: @Sendable (WebhookAnswer) -> Void
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var refusal: AddressPolicy.Refusal?
    private var received = 0

    /// Prepares a request; nil where libcurl has no memory for it.
    init?(_ request: WebhookRequest, _ policy: AddressPolicy, completed: @escaping @Sendable (WebhookAnswer) -> Void) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.policy = policy
        self.completed = completed
        isPlain = request.url.lowercased().hasPrefix("http:")
        // Without `Expect:` libcurl waits a second for a word of the receiver before a larger body.
        let lines = request.fields.map { "\($0.name): \($0.value)" } + ["Content-Type: application/json", "Expect:"]
        for line in lines { fields = curl_slist_append(fields, line) }
        prepare(request)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    /// Tells what came of it.
    func complete(_ outcome: CURLcode) {
        let status = Int(realmshift_status(handle))
        // The status decides: nobody is interested in the body, nor in whether it came to its end.
        guard status == 0 else {
            let seconds = [429, 503].contains(status) ? realmshift_retry_after(handle) : 0
            return completed(WebhookAnswer(status: status, retryAfter: seconds > 0 ? .seconds(seconds) : nil))
        }
        let failure = refusal?.text ?? Self.text(of: outcome)
        completed(WebhookAnswer(failure: failure))
    }

    /// Tells that it could not be begun.
    static func fail(_ completed: @Sendable (WebhookAnswer) -> Void) {
        completed(WebhookAnswer(failure: "The request could not be begun."))
    }

    private static func text(of outcome: CURLcode) -> String {
        switch outcome {
        case CURLE_OPERATION_TIMEDOUT: "There was no answer within \(timeout.components.seconds) seconds."
        default: "\(String(cString: curl_easy_strerror(outcome)))."
        }
    }

    private func prepare(_ request: WebhookRequest) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        realmshift_set_text(handle, CURLOPT_URL, request.url)
        realmshift_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        realmshift_set_text(handle, CURLOPT_USERAGENT, "realmshift")
        realmshift_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        realmshift_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
        realmshift_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.utf8.count))
        realmshift_set_text(handle, CURLOPT_COPYPOSTFIELDS, request.body)
        realmshift_set_number(handle, CURLOPT_NOSIGNAL, 1)
        realmshift_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        realmshift_set_number(handle, CURLOPT_TIMEOUT, Int(Self.timeout.components.seconds))
        realmshift_set_number(handle, CURLOPT_CONNECTTIMEOUT, Int(Self.connectTimeout.components.seconds))
        // A proxy would connect for us, and to whatever address the name has there.
        realmshift_set_text(handle, CURLOPT_PROXY, "")
        realmshift_set_number(handle, CURLOPT_DNS_CACHE_TIMEOUT, 0)
        // A name server that does not answer keeps a thread of libcurl's busy, and none of ours.
        realmshift_set_number(handle, CURLOPT_QUICK_EXIT, 1)
        realmshift_set_open_socket(
            handle, { context, _, address in Transfer.of(context).openSocket(address) }, context)
        for (function, data) in [
            (CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA), (CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA),
        ] {
            realmshift_set_transfer(handle, function) { _, size, count, context in
                Transfer.of(context).take(size * count)
            }
            realmshift_set_pointer(handle, data, context)
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl lost its context") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Opens a socket for the very address to which libcurl connects it next, so that no other one can be meant.
    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        // An address of IPv6 is longer than the type of the member, so that no copy of that would do.
        guard let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
            let found = NetworkAddress(
                (UnsafeRawPointer(address) + offset).assumingMemoryBound(to: sockaddr.self))
        else { return CURL_SOCKET_BAD }
        if let refusal = policy.refusal(of: found, isPlain: isPlain) {
            self.refusal = refusal
            return CURL_SOCKET_BAD
        }
        let (family, type) = (address.pointee.family, address.pointee.socktype)
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    /// Counts bytes; fewer than there are end the exchange.
    private func take(_ count: Int) -> Int {
        received += count
        return received <= Self.longestAnswer ? count : 0
    }
}
