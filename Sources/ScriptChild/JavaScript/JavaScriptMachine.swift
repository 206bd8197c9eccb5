import CJavaScriptCore
import Glibc
import RealmModel
import Sandbox
import ScriptWire

/// A virtual machine of JavaScriptCore: its heap, its threads and its compiled code; lives until the process ends.
///
/// Worlds (`JavaScriptContext`) follow one another in it: a new one costs a fifth of a new machine with one, because
/// the machine has compiled the prelude before. They share no object that a script could reach.
final class JavaScriptMachine {
    let reference: JSContextGroupRef
    /// The prelude, which every world begins with.
    let prelude: JavaScriptProgram
    /// The library of lowered Swift, which is read where the first Swift script comes.
    private(set) lazy var swiftLibrary = Result {
        try JavaScriptProgram(Prelude.swiftLibrary, name: "swift", in: reference)
    }
    /// The memory that the scripts may take.
    let memoryBytes: Int
    /// Tells the scripts how much of the processor they have used.
    let clock: ProcessorClock

    /// The text that was asked about last: worlds mostly have the same script as the one before.
    private var known: (source: String, traits: ScriptTraits)?

    private var schemas = KnownSchemas()

    /// The text that was found to be a program last.
    private var program: String?

    /// Bytes of cells that a young machine makes before it first collects; the library's own 1 MiB has it mark every
    /// column that is in use many times over.
    private static let youngHeapBytes = 16 << 20

    /// How often a function runs in a world of brief work before it is compiled once more with what was seen of its values; twenty times
    /// the library's own number.
    ///
    /// That is done anew in every world: small realms and batches of changes ended before it was of use, and it took a processor from
    /// them. Long work has the library's own numbers: with these a script of ten reads and five writes took a quarter more of the
    /// processor for 500,000 objects.
    private static let optimizationThreshold = 20_000

    /// How often a function runs in brief work before it is compiled at all; eighty times the library's own number.
    ///
    /// A function is compiled for all worlds, and each of them has to find out anew what the compiled code looks up, which
    /// costs more than it saves where a function runs some times in each. The library counts the runs of all worlds
    /// together, so programs begin anew before those that run some times a world come to this (`JavaScriptProgram`). In a world that a
    /// script's realms share (`SharedScript`) it is of use all the time.
    private static let compilationThreshold = 40_000

    /// Makes the machine; the options of the library are of the process and set by the first one.
    ///
    /// The collector takes two thirds of the memory for the machine's whole: the nearer it comes to that, the more often
    /// it collects. It stops the script meanwhile: one that ran beside the script could not keep up with it on a busy
    /// processor, and what piled up broke the limit.
    ///
    /// - Parameters:
    ///   - memoryBytes: what the scripts may take. No limit here: the host sets that.
    ///   - pace: the work that it is set up for.
    ///   - ticked: called by a thread of its own while a script runs, at each step of its clock.
    init(memoryBytes: Int, pace: ScriptPace = .brief, ticked: @escaping @Sendable () -> Void = {}) throws {
        self.memoryBytes = memoryBytes
        clock = ProcessorClock(ticked: ticked)
        // The library reads its options when the first machine is made; the function for numbers does not work.
        setenv("JSC_forceRAMSize", "\(memoryBytes / 3 * 2)", 1)
        setenv("JSC_smallHeapSize", "\(Self.youngHeapBytes)", 1)
        // Scripts look themselves whether they are asked something (`PlaceWatch`): a signal in its place would be taken for the end of memory.
        setenv("JSC_usePollingTraps", "1", 1)
        if pace == .brief { Self.compileLater() }
        Self.turnOff("useConcurrentGC")
        Self.turnOff("useWasm")
        guard let group = JSContextGroupCreate() else { throw HostChannel.Closed() }
        reference = group
        prelude = try JavaScriptProgram(Prelude.source, name: "realmshift", in: group)
    }

    /// Checks that a script's text is a program; one that it knows to be one is not read again.
    func checkSyntax(_ source: String, in context: JavaScriptContext) throws {
        if let program, program.hasSameBytes(as: source) { return }
        try context.checkSyntax(source, name: JavaScriptMigration.scriptName)
        program = source
    }

    /// The traits that a script's text tells.
    func traits(of source: String) -> ScriptTraits {
        if let known, known.source.hasSameBytes(as: source) { return known.traits }
        let traits = ScriptTraits(source)
        known = (source, traits)
        return traits
    }

    /// The description of a schema for the prelude, as JSON.
    func description(of schema: Schema) -> JavaScriptString { schemas.json(schema) }

    private static func compileLater() {
        for option in ["AfterWarmUp", "AfterLongWarmUp", "Soon"] {
            setenv("JSC_thresholdForOptimize\(option)", "\(optimizationThreshold)", 1)
        }
        for option in ["AfterWarmUp", "Soon"] {
            setenv("JSC_thresholdForJIT\(option)", "\(compilationThreshold)", 1)
        }
    }

    /// Sets an option that is not so yet: from the first machine on its memory can only be read, and to write it is to crash.
    private static func turnOff(_ option: String) {
        var value: Int32 = 1
        guard jsc_options_get_boolean(option, &value) == 0 || value != 0 else { return }
        _ = jsc_options_set_boolean(option, 0)
    }
}
