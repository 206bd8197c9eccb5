extension Connection {
    /// Has the handler answer the whole request, on a worker where that may block.
    func respond(on place: Place) -> Outcome {
        guard let head = request?.head, let route = request?.route else { return .next(exchange.connectionFailed()) }
        guard route.answering.isQuick || place == .worker && isOfClientsShare() else {
            return .handOver(.worker)
        }
        let body: HTTPRequest.Body
        do throws(HTTPError) {
            body = try request?.sink?.finish() ?? .none
        } catch {
            return .next(refuse(error))
        }
        request?.sink = nil
        let whole = HTTPRequest(head: head, body: body, waker: HTTPWaker(self))
        switch route.answering {
        case .alone(_, let respond): return .next(answer(respond(whole)))
        case .patiently(let respond): return .next(take(respond(whole)))
        case .together(let place): return respond(at: place, to: whole)
        }
    }

    private func respond(at place: HTTPGroupPlace, to whole: HTTPRequest) -> Outcome {
        share = nil
        let isLent = lend {
            place.add(whole, { [self] response in run(answer(response)) }) { [core] in
                core.submit { _ in place.answer() }
            }
        }
        return isLent ? .elsewhere : .next(refuse(.overloaded))
    }

    /// Asks a handler that had no answer yet.
    func ask() -> Outcome {
        guard let resume = request?.resume else { return .next(exchange.connectionFailed()) }
        request?.resume = nil
        return .next(take(resume()))
    }

    private func take(_ answer: HTTPAnswer) -> Exchange.Action {
        switch answer {
        case .response(let response): return self.answer(response)
        case .later(let time, let resume):
            request?.resume = resume
            watchPeer()
            return exchange.postponed(until: time)
        }
    }

    /// A client that is waited with may go without a word; the system asks for it.
    private func watchPeer() {
        guard request?.isPeerWatched == false else { return }
        request?.isPeerWatched = true
        transport.watchPeer(within: 24)
    }

    // MARK: Sending

    /// Has a response sent.
    func answer(_ response: HTTPResponse) -> Exchange.Action {
        if case .bytes(let bytes) = response.body, bytes.count >= HeldBytes.least {
            guard let claim = core.held.claim(bytes.count) else { return refuse(.overloaded) }
            request?.held = claim
        }
        request?.response = response
        if let request {
            self.request?.response?.fields.append(RequestID.field, request.id)
            if let route = request.route { self.request?.response?.fields.append(contentsOf: route.fields) }
        }
        request?.status = response.status
        if response.status == 401 { exchange.strangerCame() }
        isComposed = false
        return exchange.answered(shape(of: response), now: .now)
    }

    private func shape(of response: HTTPResponse) -> Exchange.Shape {
        switch response.body {
        case _ where response.status == 204 || response.status == 304: .none
        case .empty: .whole(0)
        case .bytes(let bytes): .whole(bytes.count)
        case .stream: .pieces
        case .live(let live): .live(heartbeat: live.silence)
        }
    }

    /// Makes the next piece of the body, on a worker where that may block.
    func produce(on place: Place) -> Outcome {
        guard let pieces = request?.pieces else { return .next(exchange.connectionFailed()) }
        guard place == .worker || pieces.execution == .immediate else { return .handOver(.worker) }
        if hasHadTurn(place) { return .handOver(.worker) }
        isComposed = false
        return .next(exchange.produced(pieces.produce(), now: .now))
    }

    /// Sends what the action says, as far as the client takes it.
    func send(_ action: Exchange.Action) -> Outcome {
        if !isComposed {
            compose(action)
            isComposed = true
        }
        guard isWritable else { return .blocked }
        let (count, stopped) = output.send(by: transport)
        moved += count
        switch stopped {
        case nil:
            isComposed = false
            return .next(exchange.allSent(count, now: .now))
        case .blocked:
            isWritable = false
            if count > 0 { exchange.someSent(count, now: .now) }
            return .blocked
        default: return .next(exchange.connectionFailed())
        }
    }

    private func compose(_ action: Exchange.Action) {
        switch action {
        case .sendResponse(let framing, let closes, let withoutBody):
            guard let response = request?.response else { return }
            request?.response = nil
            let head = ResponseHead(status: response.status, fields: response.fields, framing: framing, closes: closes)
            output.append(head.encoded(date: core.date))
            compose(response.body, withoutBody: withoutBody)
        case .sendPiece: append(request?.pieces?.take() ?? [])
        case .sendHeartbeat: append(request?.pieces?.heartbeat ?? [])
        case .sendEnd: output.append(ResponseChunk.last)
        default: break
        }
    }

    private func compose(_ body: HTTPResponse.Body, withoutBody: Bool) {
        switch body {
        case .empty: break
        case .bytes(let bytes): if !withoutBody { output.append(bytes) }
        case .stream(let execution, let produce): request?.pieces = PieceReader(execution, produce: produce)
        case .live(let live):
            request?.pieces = PieceReader(live)
            watchPeer()
        }
    }

    private func append(_ piece: [UInt8]) {
        guard exchange.isChunked else { return output.append(piece) }
        output.append(ResponseChunk.start(piece.count))
        output.append(piece)
        output.append(ResponseChunk.end)
    }
}
