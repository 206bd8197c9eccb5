import Columns
import Foundation
import TestRandomness

/// Makes inputs by seed and iteration, and decodes them.
struct Fuzzer {
    let seed: UInt64
    let corpus: Corpus
    /// The only kind of inputs; nil where they are of all kinds.
    let kind: InputKind?
    private let watchdog = Watchdog()

    init(seed: UInt64, corpus: Corpus, kind: InputKind? = nil) {
        self.seed = seed
        self.corpus = corpus
        self.kind = kind
    }

    /// The input of an iteration, the same whenever it is asked for.
    func input(_ iteration: UInt64) -> Corpus.Input {
        var generator = SeededGenerator(seed: seed, iteration: iteration)
        let kind = kind ?? generator.pick(InputKind.weighted) ?? .realm
        var input = corpus.input(kind, using: &generator)
        let other = corpus.input(kind, using: &generator).bytes
        if input.kind == .rescue, generator.below(2) == 0 {
            input.intact = input.bytes
            input.bytes = DiskDamage.applied(to: input.bytes, other: other, using: &generator)
            return input
        }
        var mutator = Mutator(bytes: input.bytes, generator: generator, other: other)
        mutator.mutate(as: input.kind)
        input.bytes = mutator.bytes
        return input
    }

    /// Decodes an input; ends the process where a decoder fails.
    func decode(_ input: Corpus.Input, iteration: UInt64) -> Bool {
        watchdog.begin(inputBytes: input.bytes.count)
        defer { watchdog.end() }
        let rows = [1, 3, 256, 16_384][Int(iteration % 4)]
        let decoding = InputDecoding(
            kind: input.kind, bytes: input.bytes, key: input.key, intact: input.intact,
            limits: RowGroupLimits(rows: rows, bytes: 8 << 20))
        do throws(InputDecoding.Fault) {
            return try decoding.run()
        } catch {
            Finding.end(Finding(error), "\(error)")
        }
    }

    /// Decodes one input after the other.
    ///
    /// - Parameter end: the iteration before which to end, where that comes before the deadline.
    /// - Parameter note: is told each iteration before it begins.
    /// - Returns: how many inputs were decoded, and how many of them were good.
    func run(
        from first: UInt64, to end: UInt64?, until deadline: Date, note: (UInt64) -> Void
    ) -> (executions: UInt64, accepted: UInt64) {
        watchdog.start()
        var iteration = first
        var accepted: UInt64 = 0
        while Date() < deadline, end.map({ iteration < $0 }) ?? true {
            note(iteration)
            if decode(input(iteration), iteration: iteration) { accepted += 1 }
            iteration += 1
        }
        return (iteration - first, accepted)
    }

    /// Decodes one input under the watchdog.
    func replay(_ input: Corpus.Input, iteration: UInt64) -> Bool {
        watchdog.start()
        return decode(input, iteration: iteration)
    }
}
