import RealmJSON

extension ServiceClient {
    private struct Enough: Error {}

    /// Follows a stream of events, over as many connections as it takes; the body may make requests meanwhile.
    ///
    /// - Parameter body: takes an event; false ends it.
    /// - Throws: `ServiceRefusal`; `ServiceUnreachable` where it could not be reached for a minute; what the body throws.
    public func follow(_ path: String, _ body: (_ name: String, _ data: JSONValue) throws -> Bool) throws {
        try withoutActuallyEscaping(body) { try another().following(path, $0) }
    }

    private func following(_ path: String, _ body: @escaping (String, JSONValue) throws -> Bool) throws {
        var parser = EventParser()
        var failures = 0
        while true {
            parser.restart()
            do {
                let last = parser.lastID.map { [("Last-Event-ID", $0)] } ?? []
                _ = try once(
                    "GET", path, fields: [("Accept", "text/event-stream")] + last,
                    receive: { bytes in
                        failures = 0
                        for event in try parser.take(bytes) {
                            let data = try JSONValue.parse(Array(event.data.utf8))
                            guard try body(event.name, data) else { throw Enough() }
                        }
                    })
            } catch is Enough {
                return
            } catch var error as UnexpectedAnswer {
                error.address = url
                throw error
            } catch let refusal as ServiceRefusal where refusal.isTemporary && failures < 30 {
                failures += 1
            } catch let error as ServiceUnreachable {
                guard failures < 30 else { throw error }
                failures += 1
            }
            Self.sleep(parser.retrySeconds)
        }
    }
}
