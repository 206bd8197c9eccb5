/// Text inside of XML and HTML, and pages of it.
enum MarkupText {
    /// The text with references for what means something there; characters that XML has not are left out by a mark.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                escaped.unicodeScalars.append(scalar)
            default: escaped += "\u{FFFD}"
            }
        }
        return escaped
    }

    /// A page, whole in itself, that loads nothing.
    ///
    /// - Parameters:
    ///   - title: as it is; the page has it as its heading, too.
    ///   - body: what stands below.
    static func page(_ title: String, _ body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(escaped(title))</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
        td.number { font-variant-numeric: tabular-nums; }
        .error, .bad { color: #a40000; } .warning { color: #8a5a00; } .good { color: #1e6b1e; }
        </style>
        </head>
        <body>
        <h1>\(escaped(title))</h1>
        \(body)</body>
        </html>

        """
    }

    /// A table of cells that are markup; nothing where it has no rows.
    static func table(_ head: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\($0)</\(tag)>" }.joined() + "</tr>\n"
        }
        return "<table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table>\n"
    }
}
