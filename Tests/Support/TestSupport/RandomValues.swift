package import KeyedArchive
package import VaultFormat

extension PropertyList {
    /// Returns a value of any kind, with containers down to `depth` levels.
    package static func random(depth: Int = 4, using generator: inout SeededGenerator) -> PropertyList {
        switch Int.random(in: depth > 0 ? 0...11 : 4...11, using: &generator) {
        case 0, 1:
            return .array(Self.parts(depth, &generator))
        case 2:
            return .set(CanonicalSet(Self.parts(depth, &generator)))
        case 3:
            var entries: CanonicalDictionary<String, PropertyList> = [:]
            for part in Self.parts(depth, &generator) { entries[.random(using: &generator)] = part }
            return .dictionary(entries)
        case 4: return .null
        case 5: return .bool(.random(using: &generator))
        case 6: return .integer(.randomWidth(using: &generator))
        case 7: return .real(.random(using: &generator))
        case 8: return .date(secondsSinceReferenceDate: .random(using: &generator))
        case 9: return .data(.random(using: &generator))
        case 10: return .uid(UInt32(truncatingIfNeeded: Int128.randomWidth(using: &generator)))
        default: return .string(.random(using: &generator))
        }
    }

    private static func parts(_ depth: Int, _ generator: inout SeededGenerator) -> [PropertyList] {
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
    }
}

extension ArchiveValue {
    /// Returns a value of any kind that Foundation supports, with containers down to `depth` levels.
    ///
    /// With `withObjects`, the value may also contain named objects.
    package static func random(
        depth: Int = 4,
        withObjects: Bool = false,
        using generator: inout SeededGenerator
    ) -> ArchiveValue {
        func parts() -> [ArchiveValue] {
            (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                random(depth: depth - 1, withObjects: withObjects, using: &generator)
            }
        }
        if withObjects, depth > 0, Int.random(in: 0..<5, using: &generator) == 0 {
            return .object(.random(parts: parts(), using: &generator))
        }
        switch Int.random(in: depth > 0 ? 0...13 : 4...13, using: &generator) {
        case 0, 1:
            return .array(parts())
        case 2:
            return .set(CanonicalSet(parts()))
        case 3:
            var entries: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
            for part in parts() { entries[.string(.random(using: &generator))] = part }
            return .dictionary(entries)
        case 4: return .null
        case 5: return .bool(.random(using: &generator))
        case 6, 7:
            // Foundation has integers of 64 bits, signed or unsigned.
            let integer = Int128.randomWidth(using: &generator)
            return .integer(min(max(integer, Int128(Int64.min)), Int128(UInt64.max)))
        case 8: return .real(.random(using: &generator))
        case 9: return .date(secondsSinceReferenceDate: .random(using: &generator))
        case 10: return .data(.random(using: &generator))
        case 11: return .uuid(.random(in: .min ... .max, using: &generator))
        case 12: return .url(.random(using: &generator))
        default: return .string(.random(using: &generator))
        }
    }
}

extension ArchiveValue {
    /// A random value for an attribute of `kind`.
    package static func random(_ kind: AttributeKind, using generator: inout SeededGenerator) -> ArchiveValue {
        let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        let number = Int128(
            Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...63, using: &generator)
        )
        let numbers: [ArchiveValue] = [
            .integer(number), .real(Double(number)), .real(Double(number) / 3), .string("\(number)"),
            .string("00\(number.magnitude)"), .string("+\(number.magnitude)"), .string(.random(using: &generator)),
        ]
        switch kind {
        case .blob:
            return [.string(.random(using: &generator)), .data(bytes), .integer(number)]
                .randomElement(using: &generator) ?? ""
        case .data: return .data(bytes)
        case .string: return .string(.random(using: &generator))
        case .number: return numbers.randomElement(using: &generator) ?? 0
        case .date: return .date(secondsSinceReferenceDate: Double(number) / 7)
        case .accessControl:
            let flags = Int128(bytes.count)
            guard flags & 8 != 0 else { return ["flags": .integer(flags)] }
            return [
                "flags": .integer(flags),
                "enrolled": .data([UInt8](repeating: UInt8(truncatingIfNeeded: flags), count: 32)),
            ]
        }
    }
}

extension ArchiveObject {
    /// Returns an object of one of a few classes that holds `parts` in fields of every kind.
    fileprivate static func random(parts: [ArchiveValue], using generator: inout SeededGenerator) -> ArchiveObject {
        var fields: CanonicalDictionary<String, Field> = [
            "level": .inline(.integer(.randomWidth(using: &generator))), "next": .noObject, "list": .references(parts),
            "share": .inline(.real(.nan)), "text": .inline(.string(.random(using: &generator))),
        ]
        for part in parts { fields[.random(using: &generator) + "!"] = .reference(part) }
        return ArchiveObject(
            className: ["Badge", "Sign", "S\u{E9}l"].randomElement(using: &generator) ?? "Badge",
            superclassNames: Array(
                ["Mark", "Thing", "Part", "Root", "NSObject"].prefix(.random(in: 0...5, using: &generator))
            ),
            fields: fields
        )
    }
}

extension ArchiveURL {
    fileprivate static func random(using generator: inout SeededGenerator) -> ArchiveURL {
        let base = ArchiveURL("https://example.com/\(UInt16.random(in: .min ... .max, using: &generator))/")
        return Bool.random(using: &generator)
            ? base : ArchiveURL("part\(UInt8.random(in: .min ... .max, using: &generator))", relativeTo: base)
    }
}

extension Int128 {
    /// Returns an integer whose width in bits is as random as its bits.
    package static func randomWidth(using generator: inout SeededGenerator) -> Int128 {
        Int128.random(in: .min ... .max, using: &generator) >> Int.random(in: 0...127, using: &generator)
    }
}

extension Double {
    fileprivate static func random(using generator: inout SeededGenerator) -> Double {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: Double(Int.random(in: -1000...1000, using: &generator))
        case 1:
            [0.0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
                .randomElement(using: &generator) ?? 0
        default: random(in: -1e9...1e9, using: &generator)
        }
    }
}

extension [UInt8] {
    fileprivate static func random(using generator: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...40, using: &generator)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension String {
    /// Returns a string of up to 40 characters: ASCII only half of the time, and not normalized.
    package static func random(using generator: inout SeededGenerator) -> String {
        let ascii = Array("abcdefgXYZ$. <&>\u{7F}".unicodeScalars)
        let any = ascii + Array("é\u{301}ß漢\u{1F511}\u{FEFF}\u{2028}".unicodeScalars)
        let alphabet = Bool.random(using: &generator) ? ascii : any
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            string.append(alphabet.randomElement(using: &generator) ?? "a")
        }
        return String(string)
    }
}
