import Testing

@testable import Postgres

@Suite struct `The pause before a server is started again` {
    @Test func `doubles up to ten seconds where the server ends at its start`() {
        var pause = RestartPause()
        let pauses = (0..<9).map { _ in pause.next(afterRunning: .milliseconds(300)) }
        #expect(pauses.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(pauses.suffix(2) == [.seconds(10), .seconds(10)])
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 == min($0 * 2, .seconds(10)) })
    }

    /// A machine that kills it now and then is no reason to stay away ever longer.
    @Test(arguments: [6, 14, 29]) func `is the first one where it ran for some seconds`(seconds: Int) {
        var pause = RestartPause()
        for _ in 0..<20 { #expect(pause.next(afterRunning: .seconds(seconds)) == .milliseconds(100)) }
        _ = pause.next(afterRunning: .zero)
        #expect(pause.next(afterRunning: .zero) == .milliseconds(400))
        #expect(pause.next(afterRunning: .seconds(seconds)) == .milliseconds(100))
    }
}
