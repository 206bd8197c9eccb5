import RealmModel

/// The text of a realm in JSON while it is read: a window on it, the parser of its values, and the places of its errors.
struct DocumentText {
    let source: any ByteSource
    let window: ByteWindow
    let parser = JSONParser()

    /// - Parameter chunk: bytes to read at once.
    init(_ source: any ByteSource, chunk: Int) {
        self.source = source
        window = ByteWindow(source, chunk: max(chunk, 16))
    }

    /// The value of a run of the text.
    ///
    /// - Parameter offset: where the run begins in the text.
    func parse(_ run: UnsafeRawBufferPointer, at offset: Int) throws -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue.parse(run, by: parser)
        } catch {
            throw malformed(error, in: offset)
        }
    }

    /// The error at an offset of the text; or why its line and column can't be told.
    func malformed(_ reason: String, at offset: Int) -> any Error {
        do {
            return InputError.malformedJSON(reason, at: try source.place(of: offset))
        } catch {
            return error
        }
    }

    /// The error in the run that begins at an offset.
    func malformed(_ error: JSONSyntaxError, in offset: Int) -> any Error {
        malformed(error.reason, at: offset + error.offset)
    }
}
