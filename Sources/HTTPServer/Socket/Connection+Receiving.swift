extension Connection {
    /// Reads until a head is whole.
    func readHead() -> Outcome {
        while true {
            do throws(HTTPError) {
                if let end = try headEnd() { return begin(try takeHead(end)) }
            } catch {
                return refuseMessage(error)
            }
            switch receive(into: loop.buffer) {
            case .count(let count):
                exchange.headBegan(now: .now)
                input.append(contentsOf: loop.buffer[..<count])
            case .blocked: return .blocked
            case .ended, .failed: return .next(exchange.connectionFailed())
            }
        }
    }

    private func headEnd() throws(HTTPError) -> Int? {
        guard !input.isEmpty else { return nil }
        return try input.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
            try scanner.end(in: UnsafeRawBufferPointer(bytes))
        }
    }

    private func takeHead(_ end: Int) throws(HTTPError) -> ParsedRequestHead {
        let start = scanner.start
        scanner = RequestHeadScanner()
        let head = try input.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
            try RequestHeadParser.parse(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start..<end])))
        }
        input = Array(input[end...])
        return head
    }

    /// Asks the handler what becomes of a request.
    private func begin(_ parsed: ParsedRequestHead) -> Outcome {
        exchange.headCame(parsed, now: .now)
        framing = parsed.body
        let id = RequestID.choose(parsed.fields[RequestID.field])
        beginRequest(ActiveRequest(id: id, method: parsed.method, path: HTTPRequestHead.path(of: parsed.target)))
        do throws(HTTPError) {
            let head = try HTTPRequestHead(
                method: parsed.method, target: parsed.target, fields: parsed.fields, id: id)
            request?.head = head
            return try follow(core.handler.route(head))
        } catch {
            return .next(refuse(error))
        }
    }

    /// Decides what could not be decided at once.
    func decide() -> Outcome {
        guard let decide = request?.decide else { return .next(exchange.connectionFailed()) }
        request?.decide = nil
        do throws(HTTPError) {
            return try follow(decide())
        } catch {
            return .next(refuse(error))
        }
    }

    private func follow(_ routing: HTTPRouting) throws(HTTPError) -> Outcome {
        switch routing {
        case .undecided(let decide):
            request?.decide = decide
            return exchange.decided(.undecided, now: .now).map { .next($0) } ?? .blocked
        case .answer(let response, let name, let loggedPath):
            request?.name = name
            request?.loggedPath = loggedPath
            return .next(answer(response))
        case .route(let route):
            request?.name = route.name
            request?.loggedPath = route.loggedPath
            let fields = request?.head?.fields ?? [:]
            request?.sink = try BodySink(route.body, fields: fields)
            request?.route = route
            return exchange.decided(.route, now: .now).map { .next($0) } ?? .blocked
        }
    }

    /// Reads the body into its sink, on a worker where that may block.
    func readBody(givingLeave: Bool, on place: Place) -> Outcome {
        guard place == .worker || request?.sink?.isQuick == true else {
            // A worker is asked only when there is something for it to read.
            let isIdle = !isReadable && input.isEmpty && (isComposed || !givingLeave)
            return isIdle ? .blocked : .handOver(.worker)
        }
        if givingLeave && !isComposed {
            output.append(ResponseHead.goOn)
            isComposed = true
        }
        if !output.isEmpty {
            let (_, stopped) = output.send(by: transport)
            if stopped == .blocked {
                isWritable = false
                return .blocked
            }
            if stopped != nil { return .next(exchange.connectionFailed()) }
        }
        return place == .loop ? readBody(by: loop.buffer, on: place) : withBuffer { readBody(by: $0, on: place) }
    }

    private func readBody(by buffer: UnsafeMutableRawBufferPointer, on place: Place) -> Outcome {
        do throws(HTTPError) {
            while true {
                if let next = try takeInput(keep) { return .next(next) }
                if hasHadTurn(place) { return .handOver(.worker) }
                switch receive(into: buffer) {
                case .count(let count):
                    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    if let next = try take(bytes, keep) { return .next(next) }
                case .blocked: return .blocked
                case .ended, .failed: return .next(exchange.connectionFailed())
                }
            }
        } catch .malformedMessage(let reason) {
            return refuseMessage(.malformedMessage(reason))
        } catch {
            return .next(refuse(error))
        }
    }

    private func keep(_ content: UnsafeRawBufferPointer) throws(HTTPError) {
        try request?.sink?.receive(content)
    }

    /// Reads the rest of a body that nobody wants.
    func skipBody() -> Outcome {
        do throws(HTTPError) {
            while true {
                if let next = try takeInput({ _ in }) { return .next(next) }
                switch receive(into: loop.buffer) {
                case .count(let count):
                    let bytes = UnsafeRawBufferPointer(rebasing: loop.buffer[..<count])
                    if let next = try take(bytes, { _ in }) { return .next(next) }
                case .blocked: return .blocked
                case .ended, .failed: return .next(exchange.connectionFailed())
                }
            }
        } catch {
            // The request was answered already.
            return .next(exchange.connectionFailed())
        }
    }

    private func takeInput(_ keep: (UnsafeRawBufferPointer) throws(HTTPError) -> Void) throws(HTTPError)
        -> Exchange.Action?
    {
        guard !input.isEmpty else { return nil }
        let bytes = input
        input = []
        return try bytes.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
            try take(UnsafeRawBufferPointer(bytes), keep)
        }
    }

    /// Reads bytes of a body; what is behind its end is kept for the next head.
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ keep: (UnsafeRawBufferPointer) throws(HTTPError) -> Void
    ) throws(HTTPError) -> Exchange.Action? {
        var position = 0
        while position < bytes.count, var framing {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            let (count, content) = try framing.read(rest)
            self.framing = framing.isAtEnd ? nil : framing
            position += count
            if self.framing == nil { input = Array(bytes[position...]) }
            if !content.isEmpty {
                do throws(HTTPError) {
                    try keep(UnsafeRawBufferPointer(rebasing: rest[content]))
                } catch {
                    // Refused or not, it was read: what follows begins behind it.
                    _ = exchange.bodyCame(count, isAtEnd: self.framing == nil, now: .now)
                    if self.framing != nil { input = Array(bytes[position...]) }
                    throw error
                }
            }
            if let next = exchange.bodyCame(count, isAtEnd: self.framing == nil, now: .now) { return next }
        }
        return nil
    }

    /// A worker's buffer for one turn.
    private func withBuffer<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        return body(buffer)
    }

    // MARK: Refusing

    /// Answers a request that can't be read on; nothing behind it is understood any more.
    private func refuseMessage(_ error: HTTPError) -> Outcome {
        exchange.messageFailed(now: .now)
        return .next(refuse(error))
    }

    /// Answers for the handler; where an answer is under way already, that is broken off.
    func refuse(_ error: HTTPError) -> Exchange.Action {
        if request == nil { beginRequest(ActiveRequest(id: RequestID.choose(nil), method: "", path: "/")) }
        guard request?.status == 0 else { return exchange.abandon() }
        return answer(core.handler.response(to: error, path: request?.path ?? "/"))
    }

    private func beginRequest(_ request: ActiveRequest) {
        self.request = request
        core.began()
    }

    /// Reports the request, once all of its answer was sent or the connection has ended.
    func endRequest(on place: Place) {
        guard let request else { return }
        self.request = nil
        if request.isPeerWatched { transport.watchPeer(within: 0) }
        core.ended(request, isOnLoop: place == .loop)
    }
}
