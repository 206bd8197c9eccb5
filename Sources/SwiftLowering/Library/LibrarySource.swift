/// Types of the library that are written in Swift, as apps could write them: files of their own for programs that name them.
enum LibrarySource {
    /// A piece of the library, with the names by which programs ask for it.
    struct Piece: Sendable {
        var names: [String]
        var text: String
    }

    static let pieces = [
        Piece(names: ["DateInterval"], text: dateInterval),
        Piece(names: ["NSRange", "NSMakeRange", "NSRegularExpression"], text: range),
        Piece(names: ["NSRegularExpression"], text: expression),
        Piece(names: ["CGPoint", "CGSize", "CGRect"], text: geometry), Piece(names: ["NSError("], text: error),
        Piece(names: ["DecodingError"], text: decoding),
    ]

    private static let dateInterval = """
        struct DateInterval: Hashable, Comparable, CustomStringConvertible {
            var start: Date
            var duration: TimeInterval
            var end: Date {
                get { start + duration }
                set { duration = newValue.timeIntervalSinceReferenceDate - start.timeIntervalSinceReferenceDate }
            }
            init(start: Date, duration: TimeInterval) {
                precondition(duration >= 0, "Negative durations are not allowed")
                self.start = start
                self.duration = duration
            }
            init(start: Date, end: Date) {
                precondition(end >= start, "Reverse intervals are not allowed")
                self.start = start
                self.duration = end.timeIntervalSince(start)
            }
            static func < (left: DateInterval, right: DateInterval) -> Bool {
                left.start == right.start ? left.duration < right.duration : left.start < right.start
            }
            func contains(_ date: Date) -> Bool { start <= date && date <= end }
            func intersects(_ other: DateInterval) -> Bool {
                contains(other.start) || contains(other.end) || other.contains(start) || other.contains(end)
            }
            func intersection(with other: DateInterval) -> DateInterval? {
                guard intersects(other) else { return nil }
                return self == other ? self : DateInterval(start: max(start, other.start), end: min(end, other.end))
            }
            var description: String { "\\(start) to \\(end)" }
        }
        """

    private static let range = """
        struct NSRange: Hashable, CustomStringConvertible {
            var location: Int
            var length: Int
            init() { location = 0; length = 0 }
            init(location: Int, length: Int) { self.location = location; self.length = length }
            init(_ range: Range<Int>) { location = range.lowerBound; length = range.count }
            init(_ range: Range<String.Index>, in text: String) {
                location = range.lowerBound.utf16Offset(in: text)
                length = range.upperBound.utf16Offset(in: text) - location
            }
            init(_ range: PartialTextRange, in text: String) {
                location = range.lowerBound.utf16Offset(in: text)
                length = text.endIndex.utf16Offset(in: text) - location
            }
            var lowerBound: Int { location }
            var upperBound: Int { location + length }
            func contains(_ index: Int) -> Bool { index >= location && index < location + length }
            var description: String { "{\\(location), \\(length)}" }
        }
        extension String {
            func substring(with range: NSRange) -> String {
                String(self[String.Index(utf16Offset: range.location, in: self)..<String.Index(utf16Offset: range.upperBound, in: self)])
            }
            func replacingCharacters(in range: NSRange, with text: String) -> String {
                replacingCharacters(
                    in: String.Index(utf16Offset: range.location, in: self)..<String.Index(utf16Offset: range.upperBound, in: self),
                    with: text)
            }
        }
        func Range(_ range: NSRange, in text: String) -> Range<String.Index>? {
            guard range.location != NSNotFound, range.upperBound <= text.utf16.count else { return nil }
            return String.Index(utf16Offset: range.location, in: text)..<String.Index(utf16Offset: range.upperBound, in: text)
        }
        func NSMakeRange(_ location: Int, _ length: Int) -> NSRange { NSRange(location: location, length: length) }
        let NSNotFound = Int.max
        """

    private static let expression = """
        final class NSTextCheckingResult {
            private let ranges: [NSRange]
            init(ranges: [NSRange]) { self.ranges = ranges }
            var range: NSRange { ranges[0] }
            var numberOfRanges: Int { ranges.count }
            func range(at index: Int) -> NSRange { ranges[index] }
        }
        extension NSRegularExpression {
            func matches(in text: String, options: [Int] = [], range: NSRange) -> [NSTextCheckingResult] {
                unitsOfMatches(in: text, from: range.location, to: range.upperBound).map { units in
                    NSTextCheckingResult(
                        ranges: stride(from: 0, to: units.count, by: 2).map { index in
                            units[index] < 0
                                ? NSRange(location: NSNotFound, length: 0)
                                : NSRange(location: units[index], length: units[index + 1] - units[index])
                        })
                }
            }
            func firstMatch(in text: String, options: [Int] = [], range: NSRange) -> NSTextCheckingResult? {
                matches(in: text, range: range).first
            }
            func numberOfMatches(in text: String, options: [Int] = [], range: NSRange) -> Int {
                matches(in: text, range: range).count
            }
            func rangeOfFirstMatch(in text: String, options: [Int] = [], range: NSRange) -> NSRange {
                firstMatch(in: text, range: range)?.range ?? NSRange(location: NSNotFound, length: 0)
            }
            func stringByReplacingMatches(in text: String, options: [Int] = [], range: NSRange, withTemplate template: String) -> String {
                let part = text.substring(with: range)
                return text.replacingCharacters(in: range, with: replacing(part, by: template))
            }
        }
        """

    private static let geometry = """
        struct CGPoint: Hashable {
            var x = 0.0
            var y = 0.0
            init() {}
            init(x: Double, y: Double) { self.x = x; self.y = y }
            init(x: Int, y: Int) { self.x = Double(x); self.y = Double(y) }
            static var zero: CGPoint { CGPoint(x: 0, y: 0) }
        }
        struct CGSize: Hashable {
            var width = 0.0
            var height = 0.0
            init() {}
            init(width: Double, height: Double) { self.width = width; self.height = height }
            init(width: Int, height: Int) { self.width = Double(width); self.height = Double(height) }
            static var zero: CGSize { CGSize(width: 0, height: 0) }
        }
        struct CGRect: Hashable {
            var origin = CGPoint()
            var size = CGSize()
            init() {}
            init(origin: CGPoint, size: CGSize) { self.origin = origin; self.size = size }
            init(x: Double, y: Double, width: Double, height: Double) {
                origin = CGPoint(x: x, y: y)
                size = CGSize(width: width, height: height)
            }
            init(x: Int, y: Int, width: Int, height: Int) {
                origin = CGPoint(x: x, y: y)
                size = CGSize(width: width, height: height)
            }
            var width: Double { abs(size.width) }
            var height: Double { abs(size.height) }
            var minX: Double { origin.x + min(size.width, 0) }
            var minY: Double { origin.y + min(size.height, 0) }
            var midX: Double { origin.x + size.width / 2 }
            var midY: Double { origin.y + size.height / 2 }
            var maxX: Double { origin.x + max(size.width, 0) }
            var maxY: Double { origin.y + max(size.height, 0) }
            func contains(_ point: CGPoint) -> Bool { minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY }
            static var zero: CGRect { CGRect(x: 0, y: 0, width: 0, height: 0) }
        }
        """

    private static let error = """
        final class NSError: LocalizedError, CustomStringConvertible {
            let domain: String
            let code: Int
            let userInfo: [String: Any]
            init(domain: String, code: Int, userInfo: [String: Any]? = nil) {
                self.domain = domain
                self.code = code
                self.userInfo = userInfo ?? [:]
            }
            var localizedFailureReason: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }
            var localizedDescription: String {
                if let text = userInfo[NSLocalizedDescriptionKey] as? String { return text }
                if let reason = localizedFailureReason { return "The operation could not be completed. \\(reason)" }
                return "The operation could not be completed. (\\(domain) error \\(code).)"
            }
            var errorDescription: String? { localizedDescription }
            var description: String {
                let shown = userInfo.isEmpty
                    ? "" : "UserInfo={" + userInfo.map { "\\($0.key)=\\($0.value)" }.joined(separator: ", ") + "}"
                return "Error Domain=\\(domain) Code=\\(code) \\"\\(localizedFailureReason ?? "(null)")\\"" + shown
            }
        }
        let NSLocalizedDescriptionKey = "NSLocalizedDescription"
        let NSLocalizedFailureReasonErrorKey = "NSLocalizedFailureReason"
        let NSLocalizedRecoverySuggestionErrorKey = "NSLocalizedRecoverySuggestion"
        let NSUnderlyingErrorKey = "NSUnderlyingError"
        """

    private static let decoding = """
        enum DecodingError: LocalizedError, CustomStringConvertible {
            struct Key { let stringValue: String; let intValue: Int? }
            struct Context { let codingPath: [Key]; let debugDescription: String; let shown: String }
            case typeMismatch(Any, Context), valueNotFound(Any, Context), keyNotFound(Key, Context), dataCorrupted(Context)
            var errorDescription: String? {
                switch self {
                case .valueNotFound, .keyNotFound: return "The operation could not be completed. The data is missing."
                default: return "The operation could not be completed. The data isn’t in the correct format."
                }
            }
            var description: String {
                switch self {
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                    .dataCorrupted(let context):
                    return context.shown
                }
            }
        }
        """
}
