import TestRandomness
import Testing

@testable import HTTPServer

/// Exchanges that meet whatever may happen, in any order.
struct ExchangeWalkTests {
    private static let patience = Patience(
        idle: .seconds(60), head: .seconds(20), body: .seconds(30), leastBytesPerSecond: 1000, farewell: .seconds(5))

    /// A client, a handler and a clock that do what they like.
    private struct Walk {
        var random: SeededGenerator
        var now = ContinuousClock.now
        var exchange: Exchange
        var action = Exchange.Action.readHead
        var answersOfRequest = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            exchange = Exchange(patience: patience, now: now)
        }

        var isOver: Bool { action == .close || action == .reset }

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        mutating func step() {
            now += .milliseconds(Int.random(in: 0...2000, using: &random))
            if let next = interruption() { return follow(next) }
            follow(outcome())
        }

        private mutating func follow(_ next: Exchange.Action?) {
            guard let next else { return }
            action = next
            if case .sendResponse = next { answersOfRequest += 1 }
            if next == .readHead { answersOfRequest = 0 }
            check()
        }

        private mutating func interruption() -> Exchange.Action? {
            if chance(10), let next = exchange.woken() { return next }
            if chance(1), let next = exchange.peerClosed() { return next }
            if chance(1), let next = exchange.drain() { return next }
            if let deadline = exchange.deadline, deadline <= now { return exchange.timePassed(now: now) }
            return nil
        }

        private mutating func outcome() -> Exchange.Action? {
            switch action {
            case .readHead: return readHead()
            case .decide: return chance(80) ? exchange.decided(.route, now: now) : answer()
            case .readBody, .skipBody:
                if chance(3) { exchange.messageFailed(now: now) }
                return exchange.bodyCame(Int.random(in: 1...50_000, using: &random), isAtEnd: chance(20), now: now)
            case .respond, .ask: return chance(30) ? exchange.postponed(until: now + .seconds(9)) : answer()
            case .sleep: return nil
            case .sendResponse, .sendPiece, .sendEnd, .sendHeartbeat:
                if chance(20) {
                    exchange.someSent(1000, now: now)
                    return nil
                }
                return exchange.allSent(1000, now: now)
            case .produce: return exchange.produced(production(), now: now)
            case .refuseSlowness: return exchange.answered(.whole(3), now: now)
            case .linger: return exchange.bodyCame(10_000_000, isAtEnd: false, now: now)
            case .close, .reset: return nil
            }
        }

        private mutating func readHead() -> Exchange.Action? {
            guard chance(50) else {
                exchange.headBegan(now: now)
                return nil
            }
            let fields: HTTPFields = chance(10) ? ["Expect": "100-continue"] : [:]
            exchange.headCame(
                ParsedRequestHead(
                    method: chance(20) ? "HEAD" : "POST", target: "/", fields: fields, isVersion10: chance(5),
                    body: chance(50) ? .counted(100_000) : nil), now: now)
            if chance(20) { return exchange.decided(.undecided, now: now) }
            return chance(80) ? exchange.decided(.route, now: now) : answer()
        }

        private mutating func answer() -> Exchange.Action {
            let shapes: [Exchange.Shape] = [.none, .whole(0), .whole(9), .pieces, .live(heartbeat: .seconds(15))]
            return exchange.answered(shapes[Int.random(in: 0..<shapes.count, using: &random)], now: now)
        }

        private mutating func production() -> Exchange.Production {
            chance(60) ? .piece : chance(50) ? .nothing : chance(90) ? .end : .failure
        }

        /// Who waits for the client has a deadline, and who works for it has none.
        private func check() {
            switch action {
            case .decide, .respond, .ask, .produce, .close, .reset: #expect(exchange.deadline == nil, "\(action)")
            case .refuseSlowness: break
            default: #expect(exchange.deadline != nil, "\(action)")
            }
            #expect(answersOfRequest <= 1, "a request was answered twice")
        }
    }

    @Test(arguments: 0..<40)
    func `whatever happens, an exchange waits with a deadline and comes to its end`(seed: Int) {
        for number in 0..<50 {
            var walk = Walk(seed: UInt64(seed * 50 + number))
            var steps = 0
            while !walk.isOver, steps < 20_000 {
                walk.step()
                steps += 1
            }
            #expect(walk.isOver)
            // An exchange that is over stays over.
            #expect(walk.exchange.deadline == nil)
            #expect(walk.exchange.woken() == nil)
            #expect(walk.exchange.peerClosed() == nil)
            #expect(walk.exchange.timePassed(now: walk.now + .seconds(1000)) == nil)
        }
    }
}
