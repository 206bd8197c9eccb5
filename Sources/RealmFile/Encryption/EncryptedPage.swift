/// Where one page of an encrypted file and the record about it are, REALM_FORMAT section 18.
///
/// Blocks of 64 pages follow one another, each after a page with a record of 64 bytes for each of them.
struct EncryptedPage {
    /// Bytes of every page.
    static let byteCount = 4096
    /// The most data pages that share a page of records.
    static let pagesPerBlock = 64
    /// Bytes of data in a whole block.
    static let blockBytes = pagesPerBlock * byteCount
    /// Bytes of a record: the counter and authenticator of the page, then those that it had before.
    static let recordBytes = 64
    /// Bytes of a record's half.
    static let halfRecordBytes = recordBytes / 2
    /// Bytes of the counter at the start of a half; the authenticator fills the rest.
    static let counterBytes = 4

    /// The number of the page among the data pages, from 0.
    let index: Int

    /// Bytes from the start of the decrypted file.
    var position: Int { index * Self.byteCount }

    /// Bytes from the start of the encrypted file to the page.
    var offset: Int { (block + 1 + index % Self.pagesPerBlock) * Self.byteCount }

    /// Bytes from the start of the encrypted file to the record.
    var recordOffset: Int { block * Self.byteCount + index % Self.pagesPerBlock * Self.recordBytes }

    /// Pages of the encrypted file before the block's page of records.
    private var block: Int { index / Self.pagesPerBlock * (Self.pagesPerBlock + 1) }

    /// The number of data pages among all pages of an encrypted file.
    static func dataPages(among pages: Int) -> Int {
        pages - (pages + pagesPerBlock) / (pagesPerBlock + 1)
    }
}
