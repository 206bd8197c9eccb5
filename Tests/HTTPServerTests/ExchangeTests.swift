import Testing

@testable import HTTPServer

/// The exchange alone: no socket, no thread, no clock.
struct ExchangeTests {
    private let start = ContinuousClock.now
    private static let patience = Patience(
        idle: .seconds(60), head: .seconds(20), body: .seconds(30), leastBytesPerSecond: 1000, farewell: .seconds(5))

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    private func exchange() -> Exchange { Exchange(patience: Self.patience, now: start) }

    private func head(
        _ method: String = "GET", fields: HTTPFields = ["Host": "a"], isVersion10: Bool = false,
        body: BodyFraming? = nil
    ) -> ParsedRequestHead {
        ParsedRequestHead(method: method, target: "/", fields: fields, isVersion10: isVersion10, body: body)
    }

    /// An exchange that has a request to be answered.
    private func responding(_ head: ParsedRequestHead? = nil) -> Exchange {
        var exchange = exchange()
        exchange.headCame(head ?? self.head(), now: start)
        #expect(exchange.decided(.route, now: start) == .respond)
        return exchange
    }

    // MARK: Requests and answers

    @Test func `a request without a body is answered, and the next is read`() {
        var exchange = exchange()
        for _ in 0..<3 {
            exchange.headBegan(now: start)
            exchange.headCame(head(), now: start)
            #expect(exchange.deadline == nil)
            #expect(exchange.decided(.route, now: start) == .respond)
            let sending = Exchange.Action.sendResponse(.counted(5), closes: false, withoutBody: false)
            #expect(exchange.answered(.whole(5), now: start) == sending)
            #expect(exchange.allSent(1000, now: start) == .readHead)
            #expect(exchange.isIdle)
        }
    }

    @Test func `a body is read before the answer`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .counted(10)), now: start)
        #expect(exchange.decided(.undecided, now: start) == .decide)
        #expect(exchange.decided(.route, now: start) == .readBody(givingLeave: false))
        #expect(exchange.bodyCame(4, isAtEnd: false, now: start) == nil)
        #expect(exchange.bodyCame(6, isAtEnd: true, now: start) == .respond)
    }

    @Test func `a client that waits for leave gets it once`() {
        var exchange = exchange()
        let fields: HTTPFields = ["Host": "a", "Expect": "100-continue"]
        exchange.headCame(head("POST", fields: fields, body: .counted(10)), now: start)
        #expect(exchange.decided(.route, now: start) == .readBody(givingLeave: true))
        #expect(exchange.bodyCame(10, isAtEnd: true, now: start) == .respond)
        #expect(
            exchange.answered(.whole(0), now: start)
                == .sendResponse(.counted(0), closes: false, withoutBody: false))
    }

    @Test func `pieces are made and sent by turns, and an end follows them`() {
        var exchange = responding()
        #expect(
            exchange.answered(.pieces, now: start) == .sendResponse(.chunked, closes: false, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .produce)
        for _ in 0..<3 {
            #expect(exchange.produced(.piece, now: start) == .sendPiece)
            #expect(exchange.allSent(1000, now: start) == .produce)
        }
        #expect(exchange.produced(.end, now: start) == .sendEnd)
        #expect(exchange.allSent(1000, now: start) == .readHead)
    }

    @Test func `a piece that fails resets the connection`() {
        var exchange = responding()
        _ = exchange.answered(.pieces, now: start)
        _ = exchange.allSent(1000, now: start)
        #expect(exchange.produced(.failure, now: start) == .reset)
    }

    @Test(arguments: [Exchange.Shape.whole(5), .pieces, .live(heartbeat: .seconds(1))])
    func `HEAD gets the head alone`(shape: Exchange.Shape) {
        var exchange = responding(head("HEAD"))
        guard case .sendResponse(_, closes: false, withoutBody: true) = exchange.answered(shape, now: start) else {
            Issue.record("the body would be sent")
            return
        }
        #expect(exchange.allSent(1000, now: start) == .readHead)
    }

    @Test func `HTTP 1.0 has its bodies end with the connection`() {
        var exchange = responding(head(isVersion10: true))
        #expect(
            exchange.answered(.pieces, now: start) == .sendResponse(.untilClose, closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .produce)
        #expect(exchange.produced(.end, now: start) == .close)
    }

    @Test func `a client that asks for the end gets it`() {
        var exchange = responding(head(fields: ["Host": "a", "Connection": "keep-alive, Close"]))
        #expect(
            exchange.answered(.whole(0), now: start) == .sendResponse(.counted(0), closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .close)
    }

    // MARK: Refusals

    @Test func `what is refused before its body is passed over`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .counted(1000)), now: start)
        #expect(exchange.decided(.answer, now: start) == nil)
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: false, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .skipBody)
        #expect(exchange.bodyCame(999, isAtEnd: false, now: start) == nil)
        #expect(exchange.bodyCame(1, isAtEnd: true, now: start) == .readHead)
    }

    @Test func `a body that is too long to pass over ends the connection after the answer`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .counted(1 << 40)), now: start)
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .linger)
        #expect(exchange.timePassed(now: after(5)) == .close)
    }

    @Test func `chunks are passed over no further than the limit`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .chunked), now: start)
        _ = exchange.answered(.whole(3), now: start)
        #expect(exchange.allSent(1000, now: start) == .skipBody)
        #expect(exchange.bodyCame(Exchange.skipLimit, isAtEnd: false, now: start) == nil)
        #expect(exchange.bodyCame(1, isAtEnd: false, now: start) == .close)
    }

    @Test func `who was refused the leave to send is not read on`() {
        var exchange = exchange()
        let fields: HTTPFields = ["Host": "a", "Expect": "100-continue"]
        exchange.headCame(head("POST", fields: fields, body: .counted(10)), now: start)
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .linger)
    }

    @Test func `the body of a stranger is not passed over`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .counted(1000)), now: start)
        exchange.strangerCame()
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .linger)
        #expect(exchange.bodyCame(Exchange.strangerSkipLimit, isAtEnd: false, now: start) == nil)
        #expect(exchange.bodyCame(1, isAtEnd: false, now: start) == .close)
    }

    @Test func `a stranger without a body keeps the connection`() {
        var exchange = exchange()
        exchange.headCame(head("GET"), now: start)
        exchange.strangerCame()
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: false, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .readHead)
    }

    @Test func `a message that can't be read ends the connection with its answer`() {
        var exchange = exchange()
        exchange.messageFailed(now: start)
        #expect(
            exchange.answered(.whole(3), now: start) == .sendResponse(.counted(3), closes: true, withoutBody: false))
        #expect(exchange.allSent(1000, now: start) == .linger)
    }

    // MARK: Waiting

    @Test func `a handler that waits is asked again when it is woken, and at its time`() {
        var exchange = responding()
        #expect(exchange.postponed(until: after(100)) == .sleep)
        #expect(exchange.deadline == after(100))
        #expect(exchange.isAsleep)
        #expect(exchange.woken() == .ask)
        #expect(exchange.woken() == nil)
        #expect(exchange.postponed(until: after(100)) == .sleep)
        #expect(exchange.timePassed(now: after(100)) == .ask)
        #expect(exchange.deadline == nil)
    }

    @Test func `a live body sleeps between its pieces and shows that it is there`() {
        var exchange = responding()
        _ = exchange.answered(.live(heartbeat: .seconds(15)), now: start)
        #expect(exchange.allSent(1000, now: start) == .produce)
        #expect(exchange.produced(.nothing, now: start) == .sleep)
        #expect(exchange.deadline == after(15))
        #expect(exchange.timePassed(now: after(15)) == .sendHeartbeat)
        #expect(exchange.allSent(1000, now: after(15)) == .sleep)
        #expect(exchange.deadline == after(30))
        #expect(exchange.woken() == .produce)
        #expect(exchange.produced(.piece, now: after(16)) == .sendPiece)
        #expect(exchange.allSent(1000, now: after(16)) == .produce)
        #expect(exchange.produced(.end, now: after(16)) == .sendEnd)
    }

    @Test func `a client that goes is noticed where it is waited with, and by reading elsewhere`() {
        var exchange = responding()
        #expect(exchange.peerClosed() == nil)
        _ = exchange.postponed(until: after(100))
        #expect(exchange.peerClosed() == .close)
        #expect(exchange.woken() == nil)
        #expect(exchange.deadline == nil)
    }

    @Test func `being woken means nothing to who does not sleep`() {
        var idle = exchange()
        #expect(idle.woken() == nil)
        var busy = responding()
        #expect(busy.woken() == nil)
        _ = busy.answered(.whole(1), now: start)
        #expect(busy.woken() == nil)
    }

    // MARK: Time

    @Test func `the next request may take its time, a begun head not`() {
        var exchange = responding()
        _ = exchange.answered(.whole(0), now: start)
        _ = exchange.allSent(1000, now: after(1))
        #expect(exchange.deadline == after(61))
        exchange.headBegan(now: after(50))
        #expect(exchange.deadline == after(70))
        exchange.headBegan(now: after(65))
        #expect(exchange.deadline == after(70))
        #expect(exchange.timePassed(now: after(70)) == .refuseSlowness)
        #expect(
            exchange.answered(.whole(0), now: after(70))
                == .sendResponse(.counted(0), closes: true, withoutBody: false))
    }

    @Test func `a connection without a request is closed`() {
        var exchange = exchange()
        #expect(exchange.deadline == after(20))
        #expect(exchange.timePassed(now: after(20)) == .close)
    }

    @Test func `a body may be as slow as the least rate`() {
        var exchange = exchange()
        exchange.headCame(head("POST", body: .chunked), now: start)
        _ = exchange.decided(.route, now: start)
        #expect(exchange.deadline == after(30))
        _ = exchange.bodyCame(10_000, isAtEnd: false, now: after(29))
        #expect(exchange.deadline == after(40))
        _ = exchange.bodyCame(90_000, isAtEnd: false, now: after(39))
        #expect(exchange.deadline == after(99))
        #expect(exchange.timePassed(now: after(99)) == .refuseSlowness)
    }

    @Test func `a client that takes nothing is dropped`() {
        var exchange = responding()
        _ = exchange.answered(.pieces, now: start)
        #expect(exchange.deadline == after(60))
        #expect(exchange.timePassed(now: after(60)) == .reset)
    }

    @Test func `a client may be as slow as the least rate, and no fast one earns more than the first minute`() {
        var exchange = responding()
        _ = exchange.answered(.pieces, now: start)
        exchange.someSent(1000, now: after(59))
        #expect(exchange.deadline == after(61))
        // A thousand bytes a second, ten seconds' worth at once.
        for turn in 0..<100 {
            exchange.someSent(10_000, now: after(60 + 10 * Double(turn)))
            #expect(exchange.deadline == after(71 + 10 * Double(turn)))
        }
        exchange.someSent(1 << 40, now: after(1060))
        #expect(exchange.deadline == after(1120))
        exchange.someSent(250, now: after(1110))
        exchange.someSent(250, now: after(1119))
        #expect(exchange.deadline == after(1120.5))
        #expect(exchange.timePassed(now: after(1121)) == .reset)
    }

    @Test func `no client's time runs while the service works`() {
        var exchange = responding()
        #expect(exchange.deadline == nil)
        #expect(exchange.timePassed(now: after(1000)) == nil)
        _ = exchange.answered(.pieces, now: after(1000))
        _ = exchange.allSent(1000, now: after(1000))
        #expect(exchange.deadline == nil)
        _ = exchange.produced(.piece, now: after(2000))
        #expect(exchange.deadline == after(2060))
    }

    // MARK: Stopping

    @Test func `a server that stops ends idle connections and asks those that sleep`() {
        var idle = exchange()
        #expect(idle.drain() == .close)
        var asleep = responding()
        _ = asleep.postponed(until: after(100))
        #expect(asleep.drain() == .ask)
        #expect(asleep.answered(.whole(0), now: start) == .sendResponse(.counted(0), closes: true, withoutBody: false))
        #expect(asleep.allSent(1000, now: start) == .close)
        var live = responding()
        _ = live.answered(.live(heartbeat: .seconds(15)), now: start)
        _ = live.allSent(1000, now: start)
        _ = live.produced(.nothing, now: start)
        #expect(live.drain() == .produce)
        #expect(live.produced(.end, now: start) == .sendEnd)
        #expect(live.allSent(1000, now: start) == .close)
    }
}
