import Columns

extension ByteWriter {
    /// Writes a string, or that there is none.
    package mutating func write(optional text: String?) {
        write(byte: text == nil ? 0 : 1)
        if let text { write(string: text) }
    }

    /// Writes a number, or that there is none.
    package mutating func write(optional number: Int64?) {
        write(byte: number == nil ? 0 : 1)
        if let number { write(number) }
    }
}

extension ByteReader {
    /// Reads a string that need not be there.
    package mutating func readOptionalString() throws(ColumnError) -> String? {
        try readByte() == 0 ? nil : try readString()
    }

    /// Reads a number that need not be there.
    package mutating func readOptionalInteger() throws(ColumnError) -> Int64? {
        try readByte() == 0 ? nil : try readInteger()
    }
}
