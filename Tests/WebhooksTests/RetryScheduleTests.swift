import JobStore
import Testing

@testable import Webhooks

/// When a delivery that failed is attempted again.
@Suite struct RetryScheduleTests {
    /// The moments of attempts that all fail, from the first one on.
    private func attempts(_ schedule: RetrySchedule, share: Double) -> [Duration] {
        var moments = [Duration.zero]
        while let last = moments.last,
            let pause = schedule.pause(afterAttempts: moments.count, age: last, share: share)
        {
            moments.append(last + pause)
        }
        return moments
    }

    @Test(arguments: [0, 0.5, 1])
    func `a day has some thirteen attempts, with pauses that grow`(share: Double) {
        let moments = attempts(RetrySchedule(), share: share)
        let pauses = zip(moments.dropFirst(), moments).map { $0 - $1 }
        #expect((11...15).contains(moments.count))
        #expect(pauses.first == .seconds(5) * (0.75 + share / 2))
        #expect(zip(pauses.dropFirst(), pauses).allSatisfy { $0 >= $1 })
        #expect(pauses.allSatisfy { $0 <= .seconds(5 * 3600) })
        #expect(moments.allSatisfy { $0 <= .seconds(86_400) })
        #expect((moments.last ?? .zero) > .seconds(86_400 - 5 * 3600))
    }

    @Test func `a receiver's pause is heeded up to the longest one, and gives up no delivery`() {
        func pause(_ asked: Duration?, age: Duration = .zero) -> Duration? {
            RetrySchedule().pause(afterAttempts: 1, age: age, share: 0.5, asked: asked)
        }
        #expect(pause(nil) == .seconds(5) && pause(.seconds(1)) == .seconds(5))
        #expect(pause(.seconds(120)) == .seconds(120))
        #expect(pause(.seconds(86_400 * 30)) == .seconds(4 * 3600))
        // The ordinary pause would have been within the day.
        #expect(pause(.seconds(3600), age: .seconds(86_000)) == .seconds(3600))
        #expect(pause(.seconds(3600), age: .seconds(86_399)) == nil)
    }

    @Test func `an operator's patience ends the attempts`() {
        #expect(attempts(RetrySchedule(patience: .seconds(12)), share: 0.5) == [.zero, .seconds(5)])
        #expect(attempts(RetrySchedule(patience: .seconds(1)), share: 0.5) == [.zero])
    }
}
