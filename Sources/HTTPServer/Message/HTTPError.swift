/// Why a request never reached its handler, or a server could not start.
public enum HTTPError: Error, Hashable, Sendable {
    /// The head or the framing of the body is not what RFC 9112 says; the text says where. The connection ends.
    case malformedMessage(String)
    /// The head is longer than this many bytes.
    case headTooLarge(limit: Int)
    /// The request is of another version than HTTP/1.
    case unsupportedVersion
    /// The body has another transfer coding than chunked.
    case unsupportedTransferCoding
    /// The client expects something other than 100-continue.
    case unknownExpectation
    /// The request came too slowly.
    case timedOut
    /// The path or the query has a malformed escape or is not UTF-8.
    case malformedTarget
    /// The body, decoded, is longer than the route takes, in bytes.
    case contentTooLarge(limit: Int)
    /// The body is compressed and so many times as long without that, or more: what no upload is.
    case contentExpands(times: Int)
    /// The body has a content coding that is not read here.
    case unsupportedContentCoding(String)
    /// The body is not what its content coding says, or its end is missing.
    case malformedContentCoding(String)
    /// The body could not be kept; `reason` is the system's text of the error.
    case spoolFailed(reason: String)
    /// All bodies that are spooled have as many bytes together as they may.
    case spoolFull
    /// All workers are busy and as many requests as may wait are waiting, or the server is stopping.
    case overloaded
    /// The server could not listen; `reason` says at what and why.
    case cannotListen(reason: String)
    /// The certificate or the key can't be read; `reason` names the file.
    case unreadableCertificate(reason: String)
}

extension HTTPError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .malformedMessage(let reason): reason
        case .headTooLarge(let limit): "The head of the request is longer than \(limit) bytes."
        case .unsupportedVersion: "The version of HTTP is not supported."
        case .unsupportedTransferCoding: "No other transfer coding than chunked is supported."
        case .unknownExpectation: "No other expectation than 100-continue is known."
        case .timedOut: "The request came too slowly."
        case .malformedTarget: "The path or the query of the request can't be decoded."
        case .contentTooLarge(let limit): "The body is longer than \(limit) bytes."
        case .contentExpands(let times): "The body unpacks to more than \(times) times its size."
        case .unsupportedContentCoding(let coding): "The content coding '\(coding)' is not supported."
        case .malformedContentCoding(let coding): "The body is not valid \(coding)."
        case .spoolFailed(let reason): "The body could not be kept: \(reason)."
        case .spoolFull: "As much is being uploaded as there is room for."
        case .overloaded: "The server has as many requests as it can take."
        case .cannotListen(let reason): "The server can't listen: \(reason)."
        case .unreadableCertificate(let reason): "The certificate can't be used: \(reason)."
        }
    }
}
