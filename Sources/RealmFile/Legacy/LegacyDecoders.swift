import Columns
import RealmModel

/// Makes the decoders of the leaves of formats before 10.
enum LegacyDecoders {
    /// The decoder of a column's leaves; timestamps have two trees and none of their own.
    static func decoder(
        of content: LegacyTree.Content, column: StoredColumn, in image: Image, targets: LinkTargets
    ) throws(InputError) -> any ColumnDecoder {
        let isNullable = column.attributes.contains(.nullable)
        switch content {
        case .link: return LinkDecoder(to: targets[column.targetTable], isElement: false)
        case .linkList: return ListDecoder(LinkDecoder(to: targets[column.targetTable], isElement: true), in: image)
        case .list(let element, let isNullable):
            let elements = try single(element, isNullable: isNullable, enumeration: nil, in: image)
            return ListDecoder(elements, in: image, isInSubtable: true)
        default:
            var enumeration: Enumeration?
            if let root = column.enumeration { enumeration = try Enumeration(root: image.node(at: root), in: image) }
            return try single(content, isNullable: isNullable, enumeration: enumeration, in: image)
        }
    }

    private static func single(
        _ content: LegacyTree.Content, isNullable: Bool, enumeration: Enumeration?, in image: Image
    ) throws(InputError) -> any ColumnDecoder {
        switch content {
        case .int: return IntegerDecoder(isNullable: isNullable)
        case .bool: return ConvertingDecoder(isNullable: isNullable) { .bool(bitmap($0)) }
        case .oldDate:
            return ConvertingDecoder(isNullable: isNullable) {
                .date(seconds: $0, nanoseconds: [Int32](repeating: 0, count: $0.count))
            }
        case .timestamp: return LegacyDateListDecoder(isNullable: isNullable, in: image)
        case .string, .enumeratedString:
            return TextDecoder(.string, isRequired: !isNullable, in: image, enumeration: enumeration)
        case .data: return TextDecoder(.data, isRequired: !isNullable, in: image, enumeration: nil)
        case .float: return FloatingPointDecoder<Float>(isNullable: isNullable)
        case .double: return FloatingPointDecoder<Double>(isNullable: isNullable)
        case .link, .linkList, .list: throw .damaged("a column of another type", at: 0)
        }
    }

    private static func bitmap(_ cells: [Int64]) -> Bitmap {
        var bits = BitBuffer()
        for cell in cells { bits.append(cell != 0) }
        return bits.take()
    }
}
