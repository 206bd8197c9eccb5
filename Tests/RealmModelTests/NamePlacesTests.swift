import TestRandomness
import Testing

@testable import RealmModel

/// Classes and properties are found by their names as if they were looked through one after the other, whatever has been copied
/// and changed before.
struct NamePlacesTests {
    private static func name(_ generator: inout SeededGenerator) -> String {
        // Two of the same characters, of other bytes.
        ["\u{e9}", "e\u{301}", "C\(Int.random(in: 0..<40, using: &generator))"].randomElement(using: &generator) ?? ""
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `classes are found whatever was copied and changed before`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var schemas = [Schema(), Schema()]
        for _ in 0..<400 {
            let number = Int.random(in: 0..<2, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1: schemas[number].classes.append(ObjectSchema(Self.name(&generator)))
            case 2 where !schemas[number].classes.isEmpty:
                let index = schemas[number].classes.indices.randomElement(using: &generator) ?? 0
                schemas[number].classes[index].name = Self.name(&generator)
            case 3 where schemas[number].classes.count > 30: schemas[number].classes.removeLast(20)
            case 4: schemas[number] = schemas[1 - number]
            default:
                let name = Self.name(&generator)
                let found = schemas[number].classes.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
                #expect(schemas[number].index(of: name) == found)
                #expect(schemas[number][name] == found.map { schemas[number].classes[$0] })
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `properties are found whatever was copied and changed before`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var classes = [ObjectSchema("A"), ObjectSchema("A")]
        for _ in 0..<400 {
            let number = Int.random(in: 0..<2, using: &generator)
            let name = Self.name(&generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1: classes[number].properties.append(Property(name, .int))
            case 2 where !classes[number].properties.isEmpty:
                let index = classes[number].properties.indices.randomElement(using: &generator) ?? 0
                classes[number].properties[index].alias = name
            case 3 where classes[number].properties.count > 30: classes[number].properties.removeLast(20)
            case 4: classes[number] = classes[1 - number]
            default:
                let properties = classes[number].properties
                #expect(
                    classes[number].index(ofProperty: name)
                        == properties.firstIndex { $0.name.utf8.elementsEqual(name.utf8) })
                #expect(
                    classes[number].index(ofPublicName: name)
                        == properties.firstIndex { $0.publicName.utf8.elementsEqual(name.utf8) })
            }
        }
    }
}
