import Testing

@testable import RealmSync

/// How a partner comes about, and how it ends.
struct PartnerStateTests {
    /// All that may happen; everything else is refused.
    static let permitted: [(PartnerState, PartnerState.Event, PartnerState)] = [
        (.preparing, .filled, .dual), (.preparing, .abort, .aborted), (.dual, .cutOver, .cutOver),
        (.dual, .abort, .aborted), (.cutOver, .contracted, .done),
    ]

    @Test(arguments: PartnerState.allCases, PartnerState.Event.allCases)
    func `goes only where its table leads`(state: PartnerState, event: PartnerState.Event) throws {
        let next = Self.permitted.first { $0.0 == state && $0.1 == event }?.2
        if let next {
            #expect(try state.after(event) == next)
        } else {
            #expect(throws: PartnerStateError(state: state, event: event)) { try state.after(event) }
        }
    }

    @Test(arguments: PartnerState.allCases)
    func `ends from wherever it is, and stays ended`(state: PartnerState) {
        let ways = PartnerState.Event.allCases.filter { (try? state.after($0)) != nil }
        #expect(ways.isEmpty == state.isOver)
        #expect(state.writesBoth == ways.contains(.abort), "what writes both can still be aborted with nothing lost")
    }
}
