import RealmModel

/// A function that is to lead back: it is called with what another one answered for an object, to see whether the object comes of
/// that again.
public struct ReturnFunction: Hashable, Sendable {
    /// Where a property of an object comes from that the function is called with.
    public struct Input: Hashable, Sendable {
        /// The property's index among what the first function may give; nil where that never counts.
        public var answer: Int?
        /// Its value where the first function gave none.
        public var otherwise: Otherwise

        /// Describes where a property comes from.
        public init(answer: Int?, otherwise: Otherwise) {
            self.answer = answer
            self.otherwise = otherwise
        }
    }

    /// The value of a property that was not given.
    public enum Otherwise: Hashable, Sendable {
        /// A property of the object that the first function was called with, by its index there.
        case input(Int)
        /// The same value for all objects.
        case value(Value)
        /// Not known by who asks: then there is no call.
        case unknown
    }

    /// The function.
    public var function: ObjectFunction
    /// One a property of the function's inputs.
    public var inputs: [Input]

    /// Describes a function that is to lead back.
    public init(_ function: ObjectFunction, inputs: [Input]) {
        self.function = function
        self.inputs = inputs
    }
}
