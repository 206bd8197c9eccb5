import Columns
import RealmModel

/// A function of one object: its text, the properties that it is given, and what it is to answer.
///
/// No property is a link or linking objects: whoever calls gives and takes the primary key of a link's target, in a property
/// of that type, and an embedded object as a dictionary in a mixed property.
public struct ObjectFunction: Hashable, Sendable {
    /// The form of a function's answer for an object.
    public enum Answer: Hashable, Sendable {
        /// An object with some of the properties of a class; what it leaves out is not given.
        case members(of: String, [Property])
        /// The value of one property of a class; undefined is not given.
        case value(of: String, Property)
    }

    /// The text, an expression: `o => ({…})`.
    public var script: ScriptSource
    /// The class whose objects the function is called with.
    public var className: String
    /// The properties of an object, by public name.
    public var inputs: [Property]
    /// The form of the answer.
    public var answer: Answer

    /// Describes a function.
    public init(_ script: ScriptSource, of className: String, inputs: [Property], answer: Answer) {
        self.script = script
        self.className = className
        self.inputs = inputs
        self.answer = answer
    }

    /// The class that the answer is about, and the properties that may be given.
    public var outputs: (className: String, properties: [Property]) {
        switch answer {
        case .members(let className, let properties): (className, properties)
        case .value(let className, let property): (className, [property])
        }
    }
}

/// Objects that a function is called with, by columns.
public struct FunctionObjects: Sendable {
    /// Which objects they are, for errors; one a row.
    public var keys: [ObjectKey]
    /// A column a property of the function's inputs, each with a row an object.
    public var columns: [ColumnArray]
    /// The index of the column that holds the primary keys, for problem documents.
    public var primaryKey: Int?

    /// Puts objects together; the caller answers for the columns having the layout of their properties and a row a key.
    public init(keys: [ObjectKey], columns: [ColumnArray], primaryKey: Int? = nil) {
        self.keys = keys
        self.columns = columns
        self.primaryKey = primaryKey
    }
}

/// The answers of a function, by columns.
public struct FunctionAnswers: Sendable {
    /// One property of the answers.
    public struct Column: Hashable, Sendable {
        /// The rows for which the property was given; nil where that is all.
        public var given: Bitmap?
        /// The values; rows that were not given hold null or any value.
        public var values: ColumnArray

        /// Puts a column together.
        public init(given: Bitmap?, values: ColumnArray) {
            self.given = given
            self.values = values
        }

        /// Whether the property was given for a row.
        public func isGiven(_ row: Int) -> Bool { given?[row] ?? true }
    }

    /// An object for which there is no answer: nothing of it is given.
    public struct Failure: Sendable {
        /// Its row.
        public var row: Int
        /// Why; its details name the object.
        public var error: MigrationError

        /// Describes a failure.
        public init(row: Int, error: MigrationError) {
            self.row = row
            self.error = error
        }
    }

    /// A column for each property that the function may give, in their order.
    public var columns: [Column]
    /// The objects that failed, by row; empty where the first failure ends the call.
    public var failures: [Failure]

    /// Puts answers together.
    public init(columns: [Column], failures: [Failure] = []) {
        self.columns = columns
        self.failures = failures
    }
}
