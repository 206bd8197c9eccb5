/// An SQL statement whose interpolated values travel as parameters, never as text.
///
/// `"SELECT name FROM app WHERE app_id = \(id)"` is prepared once a connection as `… = $1`.
public struct PostgresStatement: ExpressibleByStringInterpolation, Sendable {
    /// The text with `$1`, `$2` … where values were interpolated.
    public let sql: String
    let parameters: [PostgresParameter]

    /// A statement without parameters.
    public init(stringLiteral sql: String) {
        self.sql = sql
        parameters = []
    }

    /// A statement of literal parts and interpolated values.
    public init(stringInterpolation: Interpolation) {
        sql = stringInterpolation.sql
        parameters = stringInterpolation.parameters
    }

    /// Collects the text and the parameters of a statement.
    public struct Interpolation: StringInterpolationProtocol {
        var sql = ""
        var parameters: [PostgresParameter] = []

        /// Starts an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.reserveCapacity(literalCapacity + interpolationCount * 3)
        }

        /// Appends SQL text.
        public mutating func appendLiteral(_ literal: String) {
            sql += literal
        }

        /// Appends a parameter.
        public mutating func appendInterpolation<Value: PostgresCodable>(_ value: Value) {
            append(PostgresParameter(value))
        }

        /// Appends a parameter that may be null.
        public mutating func appendInterpolation<Value: PostgresCodable>(_ value: Value?) {
            append(PostgresParameter(value))
        }

        /// Appends `AND column = value`, and nothing where there is no value.
        ///
        /// Statements with and without a condition are two, each with a plan of its own.
        public mutating func appendInterpolation<Value: PostgresCodable>(and column: StaticString, is value: Value?) {
            guard let value else { return }
            sql += " AND \(column) = "
            append(PostgresParameter(value))
        }

        /// Appends `AND column = ANY (values)`, and nothing where there is no list of values.
        public mutating func appendInterpolation<Value: PostgresCodable>(
            and column: StaticString, isOneOf values: PostgresArray<Value>?
        ) {
            guard let values else { return }
            sql += " AND \(column) = ANY ("
            append(PostgresParameter(values))
            sql += ")"
        }

        /// Inserts SQL text as it is: for fixed lists of columns, never for anything from outside.
        public mutating func appendInterpolation(unsafeSQL text: StaticString) {
            sql += String(describing: text)
        }

        private mutating func append(_ parameter: PostgresParameter) {
            parameters.append(parameter)
            sql += "$\(parameters.count)"
        }
    }
}

/// A value on its way to PostgreSQL, in binary format.
public struct PostgresParameter: Hashable, Sendable {
    let type: PostgresType
    /// Nil is null.
    let bytes: [UInt8]?

    /// A value.
    public init<Value: PostgresCodable>(_ value: Value) {
        type = Value.postgresType
        bytes = value.postgresBytes
    }

    /// A value or null.
    public init<Value: PostgresCodable>(_ value: Value?) {
        type = Value.postgresType
        bytes = value?.postgresBytes
    }
}
