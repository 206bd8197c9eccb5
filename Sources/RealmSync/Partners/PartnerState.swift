/// How far a partner is: expand, write both, fill, contract.
public enum PartnerState: String, Hashable, Sendable, CaseIterable {
    /// Both sides are written, and the objects that were there before get their partners.
    case preparing
    /// Every object has its partner, and both sides are written.
    case dual
    /// The partner stands alone: what it stands in for is written no more, and is about to leave the schema.
    case cutOver
    /// The side that the partner stands in for has left the schema.
    case done
    /// The partner has left the schema.
    case aborted

    /// An event that moves a partner to another state.
    public enum Event: String, Hashable, Sendable, CaseIterable {
        /// Every object that was there before has its partner.
        case filled
        /// Somebody, or the time without an old version, asks for the cut-over.
        case cutOver
        /// The schema is without what the partner stands in for.
        case contracted
        /// Somebody asks for the partner to go.
        case abort
    }

    /// Whether a change of either side is written to the other.
    public var writesBoth: Bool { self == .preparing || self == .dual }

    /// Whether nothing happens to it any more.
    public var isOver: Bool { self == .done || self == .aborted }

    /// The state after an event.
    ///
    /// - Throws: `PartnerStateError` where the event can't be.
    public func after(_ event: Event) throws(PartnerStateError) -> PartnerState {
        switch (self, event) {
        case (.preparing, .filled): .dual
        case (.dual, .cutOver): .cutOver
        case (.cutOver, .contracted): .done
        case (.preparing, .abort), (.dual, .abort): .aborted
        default: throw PartnerStateError(state: self, event: event)
        }
    }
}

/// An event that a partner's state does not permit.
public struct PartnerStateError: Error, Hashable, Sendable {
    /// The state.
    public let state: PartnerState
    /// The event that is not permitted.
    public let event: PartnerState.Event
}
