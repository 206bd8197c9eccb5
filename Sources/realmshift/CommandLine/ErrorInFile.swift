import FileStore

/// An error with the file that it is about.
struct ErrorInFile: Error {
    /// The file's name in messages.
    let file: String
    let cause: any Error
    /// Advice to the person, in a sentence; nil where the error says all.
    var hint: String?

    /// Runs a body, whose errors are about a file unless they say themselves which they are about.
    ///
    /// - Throws: what the body throws: `FileError`, `ErrorInFile` and `UsageError` as they are, others with the file.
    static func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch  where error is FileError || error is ErrorInFile || error is UsageError {
            throw error
        } catch {
            throw ErrorInFile(file: file, cause: error)
        }
    }
}
