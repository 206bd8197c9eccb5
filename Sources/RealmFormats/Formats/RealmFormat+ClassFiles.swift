import Columns
import RealmExport

extension RealmFormat {
    /// Comma-separated values, a file per class in an archive; written alone.
    public static let csv = RealmFormat(
        "csv", mediaType: "application/zip", fileEnding: "csv.zip",
        classFile: ClassFileType(mediaType: "text/csv", fileEnding: "csv"),
        write: { classFiles(.csv, $0, $1, $2) })

    /// Parquet, a file per class in an archive; written alone.
    public static let parquet = RealmFormat(
        "parquet", mediaType: "application/zip", fileEnding: "parquet.zip",
        classFile: ClassFileType(mediaType: "application/vnd.apache.parquet", fileEnding: "parquet"),
        write: { classFiles(.parquet, $0, $1, $2) })

    /// MongoDB's canonical Extended JSON, a file per class in an archive; written alone.
    public static let ejson = RealmFormat(
        "ejson", mediaType: "application/zip", fileEnding: "ejson.zip",
        classFile: ClassFileType(mediaType: "application/x-ndjson", fileEnding: "ejson"),
        write: { classFiles(.ejson, $0, $1, $2) })

    private static func classFiles(
        _ format: ClassFileFormat, _ snapshot: Snapshot, _ store: any SegmentStore, _ options: WritingOptions
    ) -> Chunks {
        var begun: ClassFilesWriter?
        return {
            var writer =
                try begun
                ?? ClassFilesWriter(
                    snapshot, from: store, as: format, className: options.className)
            defer { begun = writer }
            return try writer.next()
        }
    }
}
