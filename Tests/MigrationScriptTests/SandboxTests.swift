import Columns
import Foundation
import RealmMigration
import RealmModel
import Testing

@testable import MigrationScript

/// A decoder in a host reaches nothing but its input and its segments.
@Suite(.serialized) struct SandboxTests {
    private func decode(
        _ format: String, _ input: String = "",
        limits: ScriptLimits = ScriptLimits(timeoutSeconds: 20, memoryBytes: 64 << 20),
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> (Snapshot, MemorySegmentStore) {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        fwrite(input, 1, input.utf8.count, file)
        fflush(file)
        let store = MemorySegmentStore()
        let snapshot = try SandboxedDecoder(hosts: HostPool(executable: try TestProgram.path())).decode(
            fileno(file), format: format, into: store, limits: limits, isCancelled: isCancelled)
        return (snapshot, store)
    }

    @Test func `decodes an input file`() throws {
        let (snapshot, store) = try decode("json", HostLimitsTests.realm)
        let stored = try #require(snapshot["A"])
        #expect(stored.objectCount == 1)
        let values = try ClassReader(stored, store: store).column(0, inGroup: 0).values
        #expect(values == .int([1]))
    }

    @Test(arguments: ["", "{", "[]", "{\"schemaVersion\": 0}"])
    func `hands back what the decoder finds wrong`(input: String) throws {
        #expect(throws: InputError.self) { try decode("json", input) }
    }

    @Test(arguments: ["open", "create", "stat", "signal the parent", "raise a limit"])
    func `refuses what reaches out of the process`(attempt: String) {
        #expect(throws: InputError(.unsupportedFormat, "nothing happened")) { try decode(attempt) }
    }

    @Test(arguments: ["socket", "execute"])
    func `ends a process that reaches for what none needs`(attempt: String) {
        #expect(throws: HostFailure.crash("signal 31")) { try decode(attempt) }
    }

    @Test func `survives a decoder that traps`() {
        let error = #expect(throws: HostFailure.self) { try decode("trap") }
        guard case .crash = error else { return #expect(error == .crash("")) }
    }

    @Test func `stops a decoder at its limits`() {
        #expect(throws: HostFailure.timeLimit) { try decode("spin", limits: ScriptLimits(timeoutSeconds: 0.3)) }
        #expect(throws: HostFailure.memoryLimit) { try decode("allocate") }
        #expect(throws: HostFailure.cancelled) { try decode("spin", isCancelled: { true }) }
    }

    @Test func `stops a host that never stops sending`() {
        #expect(throws: HostFailure.timeLimit) { try decode("flood", limits: ScriptLimits(timeoutSeconds: 0.3)) }
        var questions = 0
        #expect(throws: HostFailure.cancelled) {
            try decode("flood") {
                questions += 1
                return questions > 2
            }
        }
    }

    @Test(arguments: ["foreign segment", "foreign snapshot"])
    func `gives a host nothing of another realm`(attempt: String) {
        #expect(throws: HostFailure.crash("it sent what no host sends")) { try decode(attempt) }
    }

    @Test(arguments: [
        "more rows than any group has", "more objects than rows", "fewer keys than rows", "fewer values than rows",
        "no values for a row group", "a constant of another type", "constant keys", "keys that go back",
    ])
    func `believes no snapshot whose parts do not fit`(attempt: String) {
        #expect(throws: HostFailure.crash("it sent what no host sends")) { try decode(attempt) }
    }
}
