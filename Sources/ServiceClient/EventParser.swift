/// Server-Sent Events as they come in, in pieces of any length (WHATWG HTML, section 9.2).
public struct EventParser {
    /// One event.
    public struct Event: Hashable, Sendable {
        /// Its kind.
        public var name = "message"
        /// Its lines.
        public var data = ""

        /// Describes an event.
        public init(name: String, data: String) { (self.name, self.data) = (name, data) }
    }

    /// The id of the last event, for `Last-Event-ID`.
    public private(set) var lastID: String?
    /// How many seconds the server wants to have between two connections.
    public private(set) var retrySeconds = 2.0
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var id: String?
    private var endedWithReturn = false
    /// Bytes of the event that is coming in.
    private var size = 0

    /// Bytes that an event has at most: a stream without an end of line would fill the memory.
    public static let longestEvent = 16 << 20

    /// Begins before the first byte.
    public init() {}

    /// Forgets what is not whole, as after a connection that broke off.
    public mutating func restart() {
        (line, name, data, id, endedWithReturn, size) = ([], "", [], lastID, false, 0)
    }

    /// The events that are whole with some more bytes.
    ///
    /// - Throws: `UnexpectedAnswer` where one is longer than `longestEvent`.
    public mutating func take(_ bytes: some Sequence<UInt8>) throws(UnexpectedAnswer) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            size += 1
            guard size <= Self.longestEvent else {
                throw UnexpectedAnswer(reason: "an event has more than \(Self.longestEvent) bytes")
            }
            let isReturn = byte == UInt8(ascii: "\r")
            // A line ends with either, or with both.
            if byte == UInt8(ascii: "\n"), endedWithReturn {
                endedWithReturn = false
            } else if byte == UInt8(ascii: "\n") || isReturn {
                endedWithReturn = isReturn
                if let event = end(String(decoding: line, as: UTF8.self)) { events.append(event) }
                line.removeAll(keepingCapacity: true)
            } else {
                endedWithReturn = false
                line.append(byte)
            }
        }
        return events
    }

    private mutating func end(_ line: String) -> Event? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.hasPrefix(" ") { value.removeFirst() }
        switch line[..<colon] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        case "id": id = String(value)
        case "retry": if let milliseconds = UInt32(value) { retrySeconds = Double(milliseconds) / 1000 }
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (name, data, size) = ("", [], 0) }
        lastID = id
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
    }
}
