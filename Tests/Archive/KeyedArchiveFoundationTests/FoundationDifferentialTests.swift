import Foundation
import KeyedArchive
import TestSupport
import Testing

@Suite("Foundation's archivers") struct FoundationArchiveTests {
    private static let classes: [AnyClass] = [
        NSNull.self, NSNumber.self, NSString.self, NSData.self, NSDate.self, NSUUID.self, NSURL.self, NSArray.self,
        NSSet.self, NSDictionary.self,
    ]

    /// Returns the value that `NSKeyedUnarchiver` reads from `bytes`.
    private func unarchived(_ bytes: [UInt8]) throws -> ArchiveValue {
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.classes, from: Data(bytes))
        return try ArchiveValue(foundation: try #require(object))
    }

    /// Returns the bytes that `NSKeyedArchiver` writes for `value`.
    private func archived(_ value: ArchiveValue) throws -> [UInt8] {
        Array(try NSKeyedArchiver.archivedData(withRootObject: value.foundationObject, requiringSecureCoding: true))
    }

    @Test(arguments: UInt64(0)..<100)
    func `NSKeyedUnarchiver reads our archives as the same values`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for index in 0..<30 {
            let value = FoundationForm.random(twinScope: .hashedValues, using: &generator)
            #expect(try unarchived(value.archived()) == value, "value \(index)")
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `we read the archives of NSKeyedArchiver as the same values`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for index in 0..<30 {
            let value = FoundationForm.random(twinScope: .everywhere, using: &generator)
            #expect(try ArchiveValue(archive: archived(value)) == value, "value \(index)")
        }
    }
}

@Suite("Foundation's archivers on their own") struct FoundationSpecialCaseTests {
    private static let relativeURL = ArchiveValue.url(
        ArchiveURL("part", relativeTo: ArchiveURL("https://example.com/base/"))
    )

    // Values that random generation reaches too rarely; each is the root, where Foundation loses nothing.
    @Test(
        arguments: [
            relativeURL, .integer(Int128(Int64.min)), .integer(Int128(Int64.max)), .integer(Int128(Int64.max) + 1),
            .integer(Int128(UInt64.max)), .real(.nan), .real(-0.0), .real(-.infinity), .data([]), "", .array([]),
            .set([]), .dictionary([:]), .null, .uuid(0), .uuid(.max), .date(secondsSinceReferenceDate: -0.0),
        ]
    )
    func `edge values are the same in both directions`(value: ArchiveValue) throws {
        let object = try value.foundationObject
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        #expect(try ArchiveValue(archive: Array(bytes)) == value)

        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(value.archived()))
        unarchiver.requiresSecureCoding = false
        let again = try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey))
        #expect(try ArchiveValue(foundation: again) == value)
    }

    // Foundation on Linux reads such text back as nil, so only one direction can be compared.
    @Test func `the text $null written by Foundation is text`() throws {
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: NSString("$null"), requiringSecureCoding: true)
        #expect(try ArchiveValue(archive: Array(bytes)) == "$null")
    }
}

@Suite("Foundation's property lists") struct FoundationPropertyListTests {
    @Test(
        arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml],
        UInt64(0)..<100
    )
    func `PropertyListSerialization reads our property lists as the same values`(
        format: PropertyListSerialization.PropertyListFormat,
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for index in 0..<25 {
            let value = PropertyList.random(using: &generator).form(for: format == .xml ? .readXML : .readBinary)
            let bytes = try format == .xml ? value.xmlEncoded() : value.binaryEncoded()
            var found = PropertyListSerialization.PropertyListFormat.openStep
            let object = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: &found)
            #expect(found == format)
            #expect(try PropertyList(foundation: object) == value, "value \(index)")
        }
    }

    @Test(
        arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml],
        UInt64(0)..<100
    )
    func `we read the property lists of PropertyListSerialization as the same values`(
        format: PropertyListSerialization.PropertyListFormat,
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for index in 0..<25 {
            let value = PropertyList.random(using: &generator).form(for: format == .xml ? .writeXML : .writeBinary)
            let bytes = Array(
                try PropertyListSerialization.data(fromPropertyList: value.foundationObject, format: format, options: 0)
            )
            let again = try format == .xml ? PropertyList(xml: bytes) : PropertyList(binary: bytes)
            #expect(again == value, "value \(index)")
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `dates in XML are rounded to the same second as by PropertyListSerialization`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let dates = (0..<25).map { _ in
            PropertyList.date(secondsSinceReferenceDate: .random(in: -6.3e10...2.5e11, using: &generator))
        }
        let list = PropertyList.array(dates)
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: list.foundationObject,
            format: .xml,
            options: 0
        )
        #expect(try PropertyList(xml: list.xmlEncoded()) == PropertyList(xml: Array(bytes)))
    }
}

extension PropertyList {
    /// The operation that Foundation performs on a property list.
    fileprivate enum FoundationTask {
        case readBinary
        case writeBinary
        case readXML
        case writeXML
    }

    /// Replaces parts that Foundation on Linux cannot represent, or loses in `task`, by the closest equivalent.
    fileprivate func form(for task: FoundationTask) -> PropertyList {
        switch (self, task) {
        // Foundation cannot read or write any of these three.
        case (.null, _): .string("")
        case (.uid(let value), _): .integer(Int128(value))
        case (.set(let elements), _): .array(elements.map { $0.form(for: task) })
        // Foundation's integers have 64 bits, signed or not.
        case (.integer(let value), _): .integer(min(max(value, Int128(Int64.min)), Int128(UInt64.max)))
        // Foundation writes "0.0" for both zeros; it does read "-0.0".
        case (.real(0), .writeXML): .real(0)
        // Dates in XML have whole seconds and four-digit years, with only one zero.
        case (.date(let seconds), .readXML), (.date(let seconds), .writeXML):
            .date(secondsSinceReferenceDate: abs(seconds) < 1e10 ? Double(Int(seconds.rounded(.down))) : 0)
        // Foundation removes leading byte-order marks from a text.
        case (.string(let text), .readXML): .string(text.withoutByteOrderMarks)
        case (.bool, _), (.real, _), (.data, _), (.date, _), (.string, _): self
        case (.array(let elements), _): .array(elements.map { $0.form(for: task) })
        case (.dictionary(let entries), _):
            .dictionary(
                entries.reduce(into: [:]) { dictionary, entry in
                    let key = task == .readXML ? entry.key.withoutByteOrderMarks : entry.key
                    dictionary[key] = entry.value.form(for: task)
                }
            )
        }
    }
}

extension String {
    fileprivate var withoutByteOrderMarks: String {
        String(UnicodeScalarView(unicodeScalars.drop { $0 == "\u{FEFF}" }))
    }
}
