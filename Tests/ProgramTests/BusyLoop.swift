import CJavaScriptCore
import Foundation

/// Work for scripts that takes time: they can't wait by the clock, which goes on with their questions alone.
enum BusyLoop {
    struct NoEngine: Error {}

    /// Statements of JavaScript that keep a processor of this machine busy for so long, more where it is shared.
    static func statements(milliseconds: Int) throws -> String {
        statements(count: Int(try countPerMillisecond.get() * Double(milliseconds)))
    }

    // Its result is asked for, lest the engine leave it out, and is even never.
    private static func statements(count: Int) -> String {
        "{ let x = 1; for (let i = 0; i < \(count); i++) x = Math.imul(x, 48271) + i | 0; if ((x | 1) === 6) throw x; }"
    }

    /// How many turns of the loop the same engine does in this process; by the processor's time, since tests run side by side.
    private static let countPerMillisecond = Result {
        // As script hosts have them; who makes an engine in this process after this one finds them set, and need not write.
        for option in ["useConcurrentGC", "useWasm"] {
            var value: Int32 = 0
            if jsc_options_get_boolean(option, &value) != 0, value != 0 { _ = jsc_options_set_boolean(option, 0) }
        }
        guard let context = JSGlobalContextCreate(nil) else { throw NoEngine() }
        defer { JSGlobalContextRelease(context) }
        func run(_ count: Int) throws -> Double {
            let start = processorTime()
            guard let script = JSStringCreateWithUTF8CString(statements(count: count)) else { throw NoEngine() }
            defer { JSStringRelease(script) }
            guard JSEvaluateScript(context, script, nil, nil, 1, nil) != nil else { throw NoEngine() }
            return Double(processorTime() - start) / 1e6
        }
        // The first is begun before its code is compiled.
        _ = try run(20_000_000)
        let count = 200_000_000
        return Double(count) / (try run(count))
    }

    /// The processor's time that this thread has used, in nanoseconds.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
