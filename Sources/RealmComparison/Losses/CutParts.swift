/// Whether what was cut off of texts is the same of all: then nothing is lost that could not be put there again.
struct CutParts {
    private var part: ArraySlice<UInt8>?
    private var text: ArraySlice<UInt8>?
    private var isSame = true
    private var hasSeveral = false

    mutating func note(_ cell: ChangedCell) {
        guard isSame, let cut = cell.cutPart, let text = cell.text else {
            isSame = false
            return
        }
        if let part {
            isSame = part == cut
            hasSeveral = hasSeveral || self.text != text
        } else {
            part = cut
            self.text = text
        }
    }

    var areConstant: Bool { isSame && hasSeveral }
}
